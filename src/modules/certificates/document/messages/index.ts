/** The certificate's language: the one the guest was shown, English when there are no words for it. */
import { de } from './de';
import { en, type Messages } from './en';
import { es } from './es';
import { fr } from './fr';
import { it } from './it';
import { nl } from './nl';
import { pt } from './pt';

export type { Messages } from './en';

const LANGUAGES: Record<string, Messages> = { en, de, fr, es, it, pt, nl };

/** The words for a BCP 47 locale. */
export function messagesFor(locale: string): Messages {
  return LANGUAGES[locale.toLowerCase().split('-')[0] ?? ''] ?? en;
}

/** Fills `{name}` placeholders. */
export function fill(template: string, values: Record<string, string | number>): string {
  return template.replace(/\{(\w+)\}/g, (whole, key: string) => (key in values ? String(values[key]) : whole));
}
