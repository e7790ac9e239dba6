/**
 * Refusals in the languages of the dashboard. Loaded only by the server, so that no page contains
 * all messages.
 */
import { HOST_LANGUAGES, type HostLocale } from '@/shared/language/host-language';
import { createTranslator, type MessageTree } from '@/shared/language/translator';
import type { Refusal, RefusalWords } from '@/shared/refusals/refusal';
import type en from './messages/en.json';

/** Renders refusals in a language. */
export async function createRefusalTranslator(locale: HostLocale): Promise<(refusal: Refusal) => string> {
  if (locale === 'en') return String;
  const { default: messages } = (await import(`./messages/${locale}.json`)) as { default: typeof en };
  const { default: refusals } = (await import(`../../shared/refusals/${locale}.json`)) as { default: MessageTree };
  const { formats } = HOST_LANGUAGES[locale];
  // Messages about invalid fields are also among those of the pages.
  const words: RefusalWords = createTranslator([messages.ui, refusals], { locale, formats, dir: 'ltr' });
  return (refusal) => refusal.in(words);
}
