/**
 * The languages of the guest pages and mails. To add one, add a line here and the files in
 * `messages/` and `modules/certificates/document/messages/` that `messages.test.ts` lists. Pure:
 * callers pass the header and the query.
 */
import { parseAcceptedLanguageTags } from '../language/accept-language';

interface Language {
  /** The language's own name, for the language switch. */
  readonly name: string;
  readonly dir: 'ltr' | 'rtl';
  /** The BCP 47 tag of the page's `lang`. */
  readonly tag: string;
  /** The tag for formatting dates, numbers and money, where it differs from `tag`. */
  readonly formats?: string;
  /** The language from which this language inherits all messages that its own files lack. */
  readonly variant_of?: 'en' | 'pt';
}

const LANGUAGE_TABLE = {
  en: { name: 'English', dir: 'ltr', tag: 'en' },
  'en-GB': { name: 'English (UK)', dir: 'ltr', tag: 'en-GB', variant_of: 'en' },
  de: { name: 'Deutsch', dir: 'ltr', tag: 'de' },
  fr: { name: 'Français', dir: 'ltr', tag: 'fr' },
  es: { name: 'Español', dir: 'ltr', tag: 'es' },
  it: { name: 'Italiano', dir: 'ltr', tag: 'it' },
  pt: { name: 'Português', dir: 'ltr', tag: 'pt-PT' },
  'pt-BR': { name: 'Português (Brasil)', dir: 'ltr', tag: 'pt-BR', variant_of: 'pt' },
  nl: { name: 'Nederlands', dir: 'ltr', tag: 'nl' },
  pl: { name: 'Polski', dir: 'ltr', tag: 'pl' },
  ru: { name: 'Русский', dir: 'ltr', tag: 'ru' },
  // Arabic uses Latin digits here, because codes, hashes and the host's own numbers use them, and a
  // signed page should use one kind of digits.
  ar: { name: 'العربية', dir: 'rtl', tag: 'ar', formats: 'ar-u-ca-gregory-nu-latn' },
  'zh-Hans': { name: '简体中文', dir: 'ltr', tag: 'zh-Hans' },
  ja: { name: '日本語', dir: 'ltr', tag: 'ja' },
  ko: { name: '한국어', dir: 'ltr', tag: 'ko' },
} as const satisfies Record<string, Language>;

export type GuestLocale = keyof typeof LANGUAGE_TABLE;

export const GUEST_LANGUAGES: Readonly<Record<GuestLocale, Language>> = LANGUAGE_TABLE;
export const GUEST_LOCALES = Object.keys(GUEST_LANGUAGES) as readonly GuestLocale[];
export const DEFAULT_LOCALE: GuestLocale = 'en';

/** Returns the tag for `Intl`. */
export const getIntlLanguageTag = (locale: GuestLocale): string =>
  GUEST_LANGUAGES[locale].formats ?? GUEST_LANGUAGES[locale].tag;

/**
 * Regions in which English is written as in the United States. In CLDR they do not inherit from
 * `en-001`.
 */
const AMERICAN = new Set(['', 'us', 'as', 'gu', 'mh', 'mp', 'ph', 'pr', 'um', 'vi']);
const TRADITIONAL = new Set(['tw', 'hk', 'mo']);

/**
 * Returns the supported language for a BCP 47 tag, or null: `de-AT` is `de`, `en-AU` is `en-GB`,
 * `zh-CN` is `zh-Hans`. Traditional Chinese is not supported.
 */
export function parseLocale(tag: string | null | undefined): GuestLocale | null {
  if (!tag) return null;
  const [language = '', ...subtags] = tag.trim().toLowerCase().split(/[-_]/);
  const region = subtags.find((subtag) => /^(?:[a-z]{2}|\d{3})$/.test(subtag)) ?? '';
  if (language === 'en') return AMERICAN.has(region) ? 'en' : 'en-GB';
  if (language === 'pt') return region === 'br' ? 'pt-BR' : 'pt';
  if (language === 'zh') {
    const simplified = subtags.includes('hans') || (!subtags.includes('hant') && !TRADITIONAL.has(region));
    return simplified ? 'zh-Hans' : null;
  }
  return Object.hasOwn(GUEST_LANGUAGES, language) ? (language as GuestLocale) : null;
}

/**
 * Chooses the page's language (docs/decisions/the-guests-language.md), in this order: an explicit
 * choice (`?lang=` or the posted `locale`), the language that the host gave for this guest, the
 * preferred supported language of `Accept-Language`, the guest's stored language, English.
 */
export function chooseGuestPageLocale(input: {
  explicit?: string | null;
  said?: string | null;
  accept_language?: string | null;
  stored?: string | null;
}): GuestLocale {
  return (
    parseLocale(input.explicit) ??
    parseLocale(input.said) ??
    fromAcceptLanguage(input.accept_language) ??
    parseLocale(input.stored) ??
    DEFAULT_LOCALE
  );
}

/** The stored language of a guest. */
export interface StoredGuestLanguage {
  /** The language that the host or the partner stated: any BCP 47 tag. */
  locale: string | null;
  /**
   * The language that the guest last used. Before the guest has used one, it is the language
   * indicated by a channel's mail or a phone number.
   */
  guest_locale: string | null;
}

/**
 * Returns the language to use instead of the browser's. If the host or the partner stated a
 * language, it is the guest's own language (`guest_locale`) when known, and otherwise the stated
 * language. Returns null when neither stated one.
 */
export const getLanguageToUseInsteadOfBrowserLanguage = ({
  locale,
  guest_locale,
}: StoredGuestLanguage): string | null => (locale === null ? null : (guest_locale ?? locale));

/** Returns the language of mails. Null when unknown. */
export const getMailLanguage = ({ locale, guest_locale }: StoredGuestLanguage): string | null => guest_locale ?? locale;

function fromAcceptLanguage(header: string | null | undefined): GuestLocale | null {
  for (const tag of parseAcceptedLanguageTags(header)) {
    const locale = parseLocale(tag);
    if (locale) return locale;
  }
  return null;
}
