/** The JSON columns of properties. */
import { z } from 'zod';
import { GUEST_LOCALES } from '@/shared/guest-text/locale';
import { type MailTexts, OWN_MAILS } from '@/shared/guest-text/mail-texts';
import { jsonColumn } from '@/shared/json-column';

const own = z.object({ subject: z.string().nullable(), intro: z.string().nullable() });
const by_locale = z.partialRecord(z.enum(GUEST_LOCALES), own);

/** A host's own words in mails to guests. */
export const mailTexts = jsonColumn<MailTexts>('Property.mail_texts', z.partialRecord(z.enum(OWN_MAILS), by_locale));
