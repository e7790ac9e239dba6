/** A host's own words in mails to guests, as the dashboard edits them. */
import { z } from 'zod';
import { GUEST_LOCALES } from '@/shared/guest-text/locale';
import { OWN_MAILS } from '@/shared/guest-text/mail-texts';
import { visibleLine } from '@/shared/guest-text/names';
import { findUnknownShortCodes } from '@/shared/guest-text/short-codes';

export const LONGEST_SUBJECT = 150;
export const LONGEST_INTRO = 2_000;

const which = { id: z.string(), mail: z.enum(OWN_MAILS), locale: z.enum(GUEST_LOCALES) };

const known = (text: string | null) => !text || findUnknownShortCodes(text).length === 0;
const unknown = { error: 'holds a short code that there is none of' };

const subject = z
  .string()
  .overwrite(visibleLine)
  .max(LONGEST_SUBJECT, `must have at most ${LONGEST_SUBJECT} characters`)
  .nullable()
  .transform((text) => text || null)
  .refine(known, unknown);
const intro = z
  .string()
  .trim()
  .max(LONGEST_INTRO, `must have at most ${LONGEST_INTRO} characters`)
  .nullable()
  .transform((text) => text || null)
  .refine(known, unknown);

export const MailTextQuery = z.strictObject(which);
/** Null, or nothing, is our own words. */
export const MailTextInput = z.strictObject({ ...which, subject, intro });
export type MailTextInput = z.infer<typeof MailTextInput>;

const Text = z.object({ subject: z.string().nullable(), intro: z.string().nullable() });

export const MailText = z.object({
  own: Text,
  /** What guests of this language get where the host says nothing. */
  standard: z.object({ subject: z.string(), intro: z.string() }),
  /** Short codes that a text may hold. From here, since their file brings every language's messages into a page. */
  codes: z.array(z.string()),
  /** Where the host has said something. */
  written: z.array(z.object({ mail: z.enum(OWN_MAILS), locale: z.enum(GUEST_LOCALES) })),
});
export type MailText = z.infer<typeof MailText>;

export const MailTextPreview = z.object({ subject: z.string(), html: z.string(), text: z.string() });
/** `sent`: it is on its way; else it is kept in the outbox, as all mails of test mode are. */
export const MailTextTest = z.object({ to: z.string(), sent: z.boolean() });
