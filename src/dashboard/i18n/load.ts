/**
 * Loads the compiled messages of a language. The browser receives only the messages of its page,
 * and no ICU parser.
 */
import compile from 'icu-minify/compile';
import type { AbstractIntlMessages } from 'use-intl/core';
import type { HostLocale } from '@/shared/language/host-language';
import type { MessageNamespace } from './namespaces';

type Written = { [key: string]: string | Written };

const compiled = new Map<HostLocale, Promise<Record<string, unknown>>>();

const compileAll = (written: Written): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(written).map(([key, value]) => [
      key,
      typeof value === 'string' ? compile(value) : compileAll(value),
    ]),
  );

async function load(locale: HostLocale): Promise<Record<string, unknown>> {
  const { default: written } = await import(`./messages/${locale}.json`);
  // Compiled plurals are objects without a prototype, which React cannot send to a browser.
  return JSON.parse(JSON.stringify(compileAll(written as Written)));
}

export async function loadMessages(
  locale: HostLocale,
  namespaces: readonly MessageNamespace[],
): Promise<AbstractIntlMessages> {
  const known = compiled.get(locale) ?? load(locale);
  compiled.set(locale, known);
  const all = await known;
  return Object.fromEntries(namespaces.map((name) => [name, all[name]])) as AbstractIntlMessages;
}
