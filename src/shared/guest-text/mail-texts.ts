/**
 * A host's own subject and introduction for mails to guests, by mail and language. If the host
 * wrote no text in the guest's language, the guest gets our text in that language. Pure.
 */
import type { GuestLocale } from './locale';
import { fillShortCodes, type GuestTextShortCodeValues } from './short-codes';

/** Mails whose text a host may change. */
export const CUSTOMIZABLE_MAILS = ['packet', 'reminder_24h', 'reminder_2h'] as const;
export type CustomizableMail = (typeof CUSTOMIZABLE_MAILS)[number];

/** A host's own text. Null selects our text. */
export interface CustomMailText {
  readonly subject: string | null;
  readonly intro: string | null;
}

export type CustomMailTexts = {
  readonly [Mail in CustomizableMail]?: { readonly [Locale in GuestLocale]?: CustomMailText };
};

/** Returns the host's text for a guest: the subject in one line, the introduction in paragraphs. */
export function renderCustomMailText(
  texts: CustomMailTexts | null | undefined,
  mail: CustomizableMail,
  locale: GuestLocale,
  values: GuestTextShortCodeValues,
): { subject: string | null; intro: string[] | null } {
  const own = texts?.[mail]?.[locale];
  const fill = (text: string) => fillShortCodes(text, values, locale);
  const intro = own?.intro
    ?.split('\n')
    .map((line) => fill(line).trim())
    .filter(Boolean);
  return {
    subject: own?.subject ? fill(own.subject).replaceAll(/\s+/g, ' ').trim() : null,
    intro: intro && intro.length > 0 ? intro : null,
  };
}
