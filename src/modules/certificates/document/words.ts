/** The certificate's messages, in the guest's language. */
import { DEFAULT_LOCALE, GUEST_LANGUAGES, type GuestLocale, parseLocale } from '@/shared/guest-text/locale';
import { createTranslatorLookup } from '@/shared/guest-text/translate';
import {
  flattenMessageTree,
  type MessageKeyOf,
  type MessageTranslator,
  type MessageTree,
} from '@/shared/language/translator';
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

type Key = MessageKeyOf<typeof en>;
export type DocumentTranslator = MessageTranslator<Key, MessageValues>;

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

const translators = createTranslatorLookup<Key, MessageValues>(FILES);

/** Returns the messages for a BCP 47 locale, or the English messages for an unsupported one. */
export const getDocumentTranslator = (locale: string): DocumentTranslator =>
  translators(parseLocale(locale) ?? DEFAULT_LOCALE);

/** Returns all messages of a language. The fonts are chosen from these texts. */
export function listTranslatedDocumentTexts(locale: GuestLocale): string[] {
  const { variant_of } = GUEST_LANGUAGES[locale];
  const files = variant_of ? [FILES[variant_of], FILES[locale]] : [FILES[locale]];
  return files.flatMap((file) => flattenMessageTree(file).map(([, text]) => text));
}

type TrailType = Extract<Key, `trail_type.${string}`>;
const TRAIL_TYPES = new Set(flattenMessageTree(en.trail_type).map(([type]) => type));

/** Returns the label of a trail entry's type. Returns an unknown type unchanged. */
export const getTrailEntryTypeLabel = (type: string, words: DocumentTranslator): string =>
  TRAIL_TYPES.has(type) ? words(`trail_type.${type}` as TrailType) : type;
