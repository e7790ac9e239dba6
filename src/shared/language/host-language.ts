/**
 * The languages of the dashboard. To add one, add a folder of messages
 * (src/dashboard/i18n/messages) and a line here. Pure.
 */
import { parseAcceptedLanguageTags } from './accept-language';

interface HostLanguage {
  /** The language's own name, for the language switch. */
  name: string;
  /** The tag for formatting dates, numbers and money. */
  formats: string;
}

const TABLE = {
  en: { name: 'English', formats: 'en-GB' },
  de: { name: 'Deutsch', formats: 'de' },
  fr: { name: 'Français', formats: 'fr' },
  es: { name: 'Español', formats: 'es' },
  it: { name: 'Italiano', formats: 'it' },
  pt: { name: 'Português', formats: 'pt-PT' },
  nl: { name: 'Nederlands', formats: 'nl' },
} as const satisfies Record<string, HostLanguage>;

export type HostLocale = keyof typeof TABLE;

export const HOST_LANGUAGES: Readonly<Record<HostLocale, HostLanguage>> = TABLE;
export const HOST_LOCALES = Object.keys(TABLE) as [HostLocale, ...HostLocale[]];

/** Returns the supported language for a tag, or null: `de-AT` is `de`. */
export function findSupportedHostLocale(tag: string | null | undefined): HostLocale | null {
  const language = tag?.trim().toLowerCase().split(/[-_]/, 1)[0] ?? '';
  return Object.hasOwn(TABLE, language) ? (language as HostLocale) : null;
}

/**
 * Chooses the language, in this order: the account's language, the language that this browser last
 * showed, the browser's preferred language, English.
 */
export function chooseHostLocale(known: {
  account?: string | null;
  cookie?: string | null;
  accept_language?: string | null;
}): HostLocale {
  return (
    findSupportedHostLocale(known.account) ??
    findSupportedHostLocale(known.cookie) ??
    parseAcceptedLanguageTags(known.accept_language).map(findSupportedHostLocale).find(Boolean) ??
    'en'
  );
}
