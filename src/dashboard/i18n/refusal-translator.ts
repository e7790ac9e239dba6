/**
 * Translates refusals into the languages of the dashboard. Only the server loads this file, because
 * it loads every message.
 */
import { HOST_LANGUAGES, type HostLocale } from '@/shared/language/host-language';
import { createTranslator, type MessageTree } from '@/shared/language/translator';
import type { Refusal, RefusalTranslator } from '@/shared/refusals/refusal';
import type en from './messages/en.json';

/** Returns a function that renders refusals in a language. */
export async function createRefusalTranslator(locale: HostLocale): Promise<(refusal: Refusal) => string> {
  if (locale === 'en') return String;
  const { default: messages } = (await import(`./messages/${locale}.json`)) as { default: typeof en };
  const { default: refusals } = (await import(`@/shared/refusals/${locale}.json`)) as { default: MessageTree };
  const { formats } = HOST_LANGUAGES[locale];
  // The namespace `ui` has the messages about invalid fields.
  const words: RefusalTranslator = createTranslator([messages.ui, refusals], { locale, formats, dir: 'ltr' });
  return (refusal) => refusal.in(words);
}
