/**
 * The languages of the guest pages and mails. One more language is one message file and one line here.
 * Pure: knows nothing of requests; callers hand in the header and the query.
 */
import { de } from './messages/de';
import { en } from './messages/en';
import { es } from './messages/es';
import { fr } from './messages/fr';
import { it } from './messages/it';
import { nl } from './messages/nl';
import { pt } from './messages/pt';
import type { Messages } from './messages/types';

interface Language {
  /** The language's own name, for the switch. */
  readonly name: string;
  readonly dir: 'ltr' | 'rtl';
  /** The BCP 47 tag that dates, numbers and money are formatted with, and the page's `lang`. */
  readonly tag: string;
  readonly messages: Messages;
}

export const LANGUAGES = {
  en: { name: 'English', dir: 'ltr', tag: 'en', messages: en },
  de: { name: 'Deutsch', dir: 'ltr', tag: 'de', messages: de },
  fr: { name: 'Français', dir: 'ltr', tag: 'fr', messages: fr },
  es: { name: 'Español', dir: 'ltr', tag: 'es', messages: es },
  it: { name: 'Italiano', dir: 'ltr', tag: 'it', messages: it },
  pt: { name: 'Português', dir: 'ltr', tag: 'pt-PT', messages: pt },
  nl: { name: 'Nederlands', dir: 'ltr', tag: 'nl', messages: nl },
} as const satisfies Record<string, Language>;

export type GuestLocale = keyof typeof LANGUAGES;

export const GUEST_LOCALES = Object.keys(LANGUAGES) as readonly GuestLocale[];
export const DEFAULT_LOCALE: GuestLocale = 'en';

/** The supported language of a BCP 47 tag (`pt-BR` is `pt`), or null. */
export function parseLocale(tag: string | null | undefined): GuestLocale | null {
  if (!tag) return null;
  const primary = tag.trim().toLowerCase().split(/[-_]/)[0] ?? '';
  return Object.hasOwn(LANGUAGES, primary) ? (primary as GuestLocale) : null;
}

/**
 * Chooses the page's language: an explicit choice (`?lang=` or the posted `locale`), else the best of `Accept-Language`
 * (RFC 9110: quality values, zero excludes), else what is known of the guest, else English.
 */
export function chooseLocale(input: {
  explicit?: string | null;
  accept_language?: string | null;
  stored?: string | null;
}): GuestLocale {
  return (
    parseLocale(input.explicit) ??
    fromAcceptLanguage(input.accept_language) ??
    parseLocale(input.stored) ??
    DEFAULT_LOCALE
  );
}

function fromAcceptLanguage(header: string | null | undefined): GuestLocale | null {
  if (!header) return null;
  const ranges = header
    .slice(0, 1_000)
    .split(',')
    .map((part, position) => {
      const [tag = '', ...parameters] = part.split(';');
      const weight = parameters.map((p) => /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(p)?.[1]).find(Boolean);
      return { locale: parseLocale(tag), quality: weight === undefined ? 1 : Number(weight), position };
    })
    .filter((range) => range.locale !== null && range.quality > 0)
    .sort((a, b) => b.quality - a.quality || a.position - b.position);
  return ranges[0]?.locale ?? null;
}
