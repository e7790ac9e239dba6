/**
 * The languages of the guest pages and mails. One more language is one message file and one line here.
 * Pure: knows nothing of requests; callers hand in the header and the query.
 */
import { acceptedTags } from '../language/accept-language';
import { ar } from './messages/ar';
import { de } from './messages/de';
import { en } from './messages/en';
import { enGB } from './messages/en-gb';
import { es } from './messages/es';
import { fr } from './messages/fr';
import { it } from './messages/it';
import { ja } from './messages/ja';
import { ko } from './messages/ko';
import { nl } from './messages/nl';
import { pl } from './messages/pl';
import { pt } from './messages/pt';
import { ptBR } from './messages/pt-br';
import { ru } from './messages/ru';
import type { Messages } from './messages/types';
import { zhHans } from './messages/zh-hans';

interface Language {
  /** The language's own name, for the switch. */
  readonly name: string;
  readonly dir: 'ltr' | 'rtl';
  /** The BCP 47 tag of the page, `lang`. */
  readonly tag: string;
  /** The tag that dates, numbers and money are formatted with, where it says more than `tag`. */
  readonly formats?: string;
  readonly messages: Messages;
}

const LANGUAGE_TABLE = {
  en: { name: 'English', dir: 'ltr', tag: 'en', messages: en },
  'en-GB': { name: 'English (UK)', dir: 'ltr', tag: 'en-GB', messages: enGB },
  de: { name: 'Deutsch', dir: 'ltr', tag: 'de', messages: de },
  fr: { name: 'Français', dir: 'ltr', tag: 'fr', messages: fr },
  es: { name: 'Español', dir: 'ltr', tag: 'es', messages: es },
  it: { name: 'Italiano', dir: 'ltr', tag: 'it', messages: it },
  pt: { name: 'Português', dir: 'ltr', tag: 'pt-PT', messages: pt },
  'pt-BR': { name: 'Português (Brasil)', dir: 'ltr', tag: 'pt-BR', messages: ptBR },
  nl: { name: 'Nederlands', dir: 'ltr', tag: 'nl', messages: nl },
  pl: { name: 'Polski', dir: 'ltr', tag: 'pl', messages: pl },
  ru: { name: 'Русский', dir: 'ltr', tag: 'ru', messages: ru },
  // Codes, hashes and the host's own figures stand beside them, in 0–9: one kind of figures on a page that is signed.
  ar: { name: 'العربية', dir: 'rtl', tag: 'ar', formats: 'ar-u-ca-gregory-nu-latn', messages: ar },
  'zh-Hans': { name: '简体中文', dir: 'ltr', tag: 'zh-Hans', messages: zhHans },
  ja: { name: '日本語', dir: 'ltr', tag: 'ja', messages: ja },
  ko: { name: '한국어', dir: 'ltr', tag: 'ko', messages: ko },
} as const satisfies Record<string, Language>;

export type GuestLocale = keyof typeof LANGUAGE_TABLE;

export const LANGUAGES: Readonly<Record<GuestLocale, Language>> = LANGUAGE_TABLE;
export const GUEST_LOCALES = Object.keys(LANGUAGES) as readonly GuestLocale[];
export const DEFAULT_LOCALE: GuestLocale = 'en';

/** The tag for `Intl`. */
export const formatsOf = (locale: GuestLocale): string => LANGUAGES[locale].formats ?? LANGUAGES[locale].tag;

/** Where English is written and dated as in the United States (CLDR: not below `en-001`). */
const AMERICAN = new Set(['', 'us', 'as', 'gu', 'mh', 'mp', 'ph', 'pr', 'um', 'vi']);
const TRADITIONAL = new Set(['tw', 'hk', 'mo']);

/**
 * The language we have for a BCP 47 tag, or null: `de-AT` is `de`, `en-AU` is `en-GB`, `zh-CN` is `zh-Hans`. Traditional
 * Chinese is none of ours.
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
  return Object.hasOwn(LANGUAGES, language) ? (language as GuestLocale) : null;
}

/**
 * Chooses the page's language (docs/decisions/the-guests-language.md): an explicit choice (`?lang=` or the posted `locale`),
 * else what the host said of this guest, else the best of `Accept-Language` (RFC 9110: quality values, zero excludes),
 * else what is known of the guest, else English.
 */
export function chooseLocale(input: {
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

/** What is stored of a guest's language. */
export interface KnownLanguage {
  /** What the host or the partner said, any BCP 47 tag. */
  locale: string | null;
  /** What the guest last used; before that, what a channel's mail or a phone number tells. */
  guest_locale: string | null;
}

/**
 * What a page goes by before the browser: with a language said, the one the guest has used since, which only a switch can
 * have made another; else nothing.
 */
export const saidLanguage = ({ locale, guest_locale }: KnownLanguage): string | null =>
  locale === null ? null : (guest_locale ?? locale);

/** What a mail is written in; null when nobody knows. */
export const mailLanguage = ({ locale, guest_locale }: KnownLanguage): string | null => guest_locale ?? locale;

function fromAcceptLanguage(header: string | null | undefined): GuestLocale | null {
  for (const tag of acceptedTags(header)) {
    const locale = parseLocale(tag);
    if (locale) return locale;
  }
  return null;
}
