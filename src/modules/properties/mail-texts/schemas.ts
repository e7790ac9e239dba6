/** Inputs and outputs for a host's custom texts in mails to guests. */
import { z } from 'zod';
import { GUEST_LOCALES } from '@/shared/guest-text/locale';
import { CUSTOMIZABLE_MAILS, type CustomMailTexts } from '@/shared/guest-text/mail-texts';
import { normalizeSingleLineText } from '@/shared/guest-text/names';
import { findUnknownShortCodes } from '@/shared/guest-text/short-codes';
import { defineJsonColumn } from '@/shared/json-column';

export const MAX_MAIL_SUBJECT_LENGTH = 150;
export const MAX_MAIL_INTRO_LENGTH = 2_000;

const which = { id: z.string(), mail: z.enum(CUSTOMIZABLE_MAILS), locale: z.enum(GUEST_LOCALES) };

const known = (text: string | null) => !text || findUnknownShortCodes(text).length === 0;
const unknown = { error: 'holds a short code that there is none of' };

const subject = z
  .string()
  .overwrite(normalizeSingleLineText)
  .max(MAX_MAIL_SUBJECT_LENGTH, `must have at most ${MAX_MAIL_SUBJECT_LENGTH} characters`)
  .nullable()
  .transform((text) => text || null)
  .refine(known, unknown);
const intro = z
  .string()
  .trim()
  .max(MAX_MAIL_INTRO_LENGTH, `must have at most ${MAX_MAIL_INTRO_LENGTH} characters`)
  .nullable()
  .transform((text) => text || null)
  .refine(known, unknown);

export const PropertyMailTextQuery = z.strictObject(which);
/** Null or an empty text restores the standard text. */
export const PropertyMailTextInput = z.strictObject({ ...which, subject, intro });
export type PropertyMailTextInput = z.infer<typeof PropertyMailTextInput>;

const Text = z.object({ subject: z.string().nullable(), intro: z.string().nullable() });

export const PropertyMailText = z.object({
  own: Text,
  /** The standard text in this language. */
  standard: z.object({ subject: z.string(), intro: z.string() }),
  /**
   * The short codes that a text may contain. The dashboard cannot import them, because their module
   * would load the messages of all languages.
   */
  codes: z.array(z.string()),
  /** The mails and languages for which the host has written a text. */
  written: z.array(z.object({ mail: z.enum(CUSTOMIZABLE_MAILS), locale: z.enum(GUEST_LOCALES) })),
});
export type PropertyMailText = z.infer<typeof PropertyMailText>;

export const PropertyMailTextPreview = z.object({ subject: z.string(), html: z.string(), text: z.string() });
/** `sent` is false when the mail was only stored in the outbox, as in test mode. */
export const PropertyMailTextTestResult = z.object({ to: z.string(), sent: z.boolean() });

const by_locale = z.partialRecord(z.enum(GUEST_LOCALES), Text);

export const mailTextsJsonColumn = defineJsonColumn<CustomMailTexts>(
  'Property.mail_texts',
  z.partialRecord(z.enum(CUSTOMIZABLE_MAILS), by_locale),
);
