/** Messages to guests: `t('stay.nights', { count: 3 })`. Pure. */
import {
  createTranslator,
  type MessageKeyOf,
  type MessageTree,
  type MessageTranslator as TranslateKeys,
} from '../language/translator';
import { GUEST_LANGUAGES, type GuestLocale, getIntlLanguageTag } from './locale';
import type { MessageValues } from './message-values';
import ar from './messages/ar.json';
import de from './messages/de.json';
import en from './messages/en.json';
import enGB from './messages/en-GB.json';
import es from './messages/es.json';
import fr from './messages/fr.json';
import it from './messages/it.json';
import ja from './messages/ja.json';
import ko from './messages/ko.json';
import nl from './messages/nl.json';
import pl from './messages/pl.json';
import pt from './messages/pt.json';
import ptBR from './messages/pt-BR.json';
import ru from './messages/ru.json';
import zhHans from './messages/zh-Hans.json';

export type GuestTextKey = MessageKeyOf<typeof en>;
export type TranslateFunction = TranslateKeys<GuestTextKey, MessageValues>;

const FILES: Readonly<Record<GuestLocale, MessageTree>> = {
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

/**
 * Returns a function that maps a language to its translator. The file of a variant contains only
 * the messages that differ.
 */
export function createTranslatorLookup<Key extends string, Values>(files: Readonly<Record<GuestLocale, MessageTree>>) {
  const translators = new Map<GuestLocale, TranslateKeys<Key, Values>>();
  return (locale: GuestLocale): TranslateKeys<Key, Values> => {
    const known = translators.get(locale);
    if (known) return known;
    const { dir, variant_of } = GUEST_LANGUAGES[locale];
    const trees = variant_of ? [files[variant_of], files[locale]] : [files[locale]];
    const made = createTranslator<Key, Values>(trees, { locale, formats: getIntlLanguageTag(locale), dir });
    translators.set(locale, made);
    return made;
  };
}

/**
 * Returns the translator of a language. Values are inserted unescaped: React escapes them, and mail
 * text needs no escaping.
 */
export const getGuestTranslator = createTranslatorLookup<GuestTextKey, MessageValues>(FILES);
