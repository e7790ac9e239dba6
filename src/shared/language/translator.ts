/**
 * Renders ICU messages with icu-minify, which compiles a message to data and formats it. A message
 * is compiled when it is first used. Pure.
 */
import compile from 'icu-minify/compile';
import format from 'icu-minify/format';
import type { MessageKeys, NestedKeyOf } from 'use-intl/core';
import { getNumberFormat } from './formatters';
import { wrapInBidiIsolate } from './isolated';

/** The messages of a file. Their nested keys name the place and the role of each text. */
export interface MessageTree {
  readonly [name: string]: string | MessageTree;
}

/** The keys of a message file, such as `stay.nights`. */
export type MessageKeyOf<Tree> = MessageKeys<Tree, NestedKeyOf<Tree>>;

/**
 * Translates a message. Requires the values that `Values` lists for its key (message-values.ts).
 */
export type MessageTranslator<Key extends string, Values> = <K extends Key>(
  key: K,
  ...values: K extends keyof Values ? [Values[K]] : []
) => string;

export type MessageValues = Readonly<Record<string, string | number>>;

interface Language {
  /** The language of plural forms. */
  locale: string;
  /** The BCP 47 tag that numbers are formatted with. */
  formats: string;
  /** The direction of the text. Values in right-to-left text are isolated. */
  dir: 'ltr' | 'rtl';
}

/** Returns all messages of a file with their full keys. */
export function flattenMessageTree(tree: MessageTree, prefix = ''): [key: string, text: string][] {
  return Object.entries(tree).flatMap(([name, part]): [string, string][] =>
    typeof part === 'string' ? [[prefix + name, part]] : flattenMessageTree(part, `${prefix}${name}.`),
  );
}

/** Creates a translator. Later files override the messages of earlier files. */
export function createTranslator<Key extends string, Values>(
  files: readonly MessageTree[],
  { locale, formats, dir }: Language,
): MessageTranslator<Key, Values> {
  const texts = new Map(files.flatMap((tree) => flattenMessageTree(tree)));
  const compiled = new Map<string, ReturnType<typeof compile>>();
  const plurals = new Intl.PluralRules(locale);
  const formatters = {
    getNumberFormat: () => getNumberFormat(formats),
    getPluralRules: () => plurals,
    // Messages contain no date formats. Callers insert dates that are already formatted in their
    // time zones.
    getDateTimeFormat: (tag: string, options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, options),
  };
  const translate = (key: string, values?: MessageValues): string => {
    let message = compiled.get(key);
    if (message === undefined) {
      const text = texts.get(key);
      // An unknown key is returned unchanged, as in use-intl. A stored key may belong to a later
      // version.
      if (text === undefined) return key;
      message = compile(text);
      compiled.set(key, message);
    }
    if (typeof message === 'string') return message;
    return String(format(message, locale, values && dir === 'rtl' ? isolateAll(values) : values, { formatters }));
  };
  return translate as MessageTranslator<Key, Values>;
}

const isolateAll = (values: MessageValues): MessageValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? wrapInBidiIsolate(value) : value]),
  );
