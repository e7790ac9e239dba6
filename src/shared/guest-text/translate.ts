/** Message lookup: `t('stay.nights', { count: 3 })`. Pure. */
import { numberFormat } from '../language/formatters';
import { formatsOf, type GuestLocale, LANGUAGES } from './locale';
import type { MessageKey, MessageParams, PluralMessage } from './messages/types';

/** Gives the text of a key in one language; the values it needs are required by its type. */
export type Translate = <K extends MessageKey>(key: K, ...params: MessageParams<K>) => string;

const translators = new Map<GuestLocale, Translate>();

/** The translator of a language. Values are put in as they are: React escapes, and a mail's text needs none. */
export function translator(locale: GuestLocale): Translate {
  const made = translators.get(locale) ?? makeTranslator(locale);
  translators.set(locale, made);
  return made;
}

function makeTranslator(locale: GuestLocale): Translate {
  const messages = LANGUAGES[locale].messages;
  const plural = new Intl.PluralRules(locale);
  const number = numberFormat(formatsOf(locale));
  return (key, ...rest) => {
    const params = (rest[0] ?? {}) as Record<string, string | number>;
    const message: string | PluralMessage = messages[key];
    const text =
      typeof message === 'string' ? message : (message[plural.select(Number(params.count))] ?? message.other);
    return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
      const value = params[name];
      if (value === undefined) return placeholder;
      if (typeof value === 'number') return number.format(value);
      return LANGUAGES[locale].dir === 'rtl' ? isolated(value) : value;
    });
  };
}

/**
 * A value in a text that runs to the left, set apart (FSI, PDI): a Latin name or a date keeps its own order, and the words
 * and full stops around it theirs.
 */
export const isolated = (value: string): string => `\u2068${value}\u2069`;
