/** The certificate's language: the one the guest was shown, English when there are no words for it. */
import { DEFAULT_LOCALE, type GuestLocale, parseLocale } from '@/shared/guest-text/locale';
import { isolated } from '@/shared/guest-text/translate';
import { ar } from './ar';
import { de } from './de';
import { en, type Messages } from './en';
import { enGB } from './en-gb';
import { es } from './es';
import { fr } from './fr';
import { it } from './it';
import { ja } from './ja';
import { ko } from './ko';
import { nl } from './nl';
import { pl } from './pl';
import { pt } from './pt';
import { ptBR } from './pt-br';
import { ru } from './ru';
import { zhHans } from './zh-hans';

export type { Messages } from './en';

const WORDS: Readonly<Record<GuestLocale, Messages>> = {
  en,
  'en-GB': enGB,
  de,
  fr,
  es,
  it,
  pt,
  'pt-BR': ptBR,
  nl,
  pl,
  ru,
  ar,
  'zh-Hans': zhHans,
  ja,
  ko,
};

/** The words for a BCP 47 locale. */
export function messagesFor(locale: string): Messages {
  return WORDS[parseLocale(locale) ?? DEFAULT_LOCALE];
}

/** Fills `{name}` placeholders. In Arabic what is filled in is set apart (translate.ts says why). */
export function fill(template: string, values: Record<string, string | number>): string {
  const apart = /\p{Script=Arabic}/u.test(template);
  return template.replace(/\{(\w+)\}/g, (whole, key: string) => {
    const value = values[key];
    if (value === undefined || !Object.hasOwn(values, key)) return whole;
    return apart ? isolated(String(value)) : String(value);
  });
}
