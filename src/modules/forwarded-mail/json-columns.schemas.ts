/** The schema of the JSON column of forwarded mail. Redaction empties the column. */
import { z } from 'zod';
import { defineJsonColumn } from '@/shared/json-column';

const text = z.string().nullable();

/** The facts extracted from a mail. */
const reading = z.object({
  extraction: z
    .object({
      channel: z.enum(['channel_a', 'channel_b', 'channel_c']).nullable(),
      intent: z.enum(['confirmation', 'cancellation', 'change', 'other']),
      guest_name: text,
      guest_email: text,
      relay_address: z.boolean(),
      checkin_date: text,
      checkout_date: text,
      reservation_code: text,
      codes_differ: z.boolean().default(false),
      /**
       * Older rows do not have this field. They count as not conclusive, so the host must review
       * the mail.
       */
      conclusive: z.boolean().default(false),
      guest_language: text.default(null),
      ambiguous_dates: z.boolean(),
      readings: z
        .array(z.object({ checkin_date: z.string(), checkout_date: text }))
        .readonly()
        .default([]),
      complete: z.boolean(),
    })
    .nullable()
    .default(null),
  forwarding: z.enum(['redirected', 'inline', 'attached']).nullable().default(null),
  verified: z.boolean().default(false),
  original_from: text.default(null),
  /** The time when the channel wrote the mail. Null when only the day of forwarding is known. */
  written_at: text.default(null),
  /**
   * The `cancelled_at` of the reservation that the mail cancelled. Distinguishes this cancellation
   * from a later one.
   */
  cancelled_at: text.default(null),
  /** Names of attached mail files that could not be read, such as Outlook's formats. */
  unread: z.array(z.string()).readonly().default([]),
  confirmation: z
    .object({ provider: z.literal('gmail'), link: text, code: text, mailbox: text })
    .nullable()
    .default(null),
});
export type ExtractedMailData = z.infer<typeof reading>;

export const extractedMailJsonColumn = defineJsonColumn('InboundMail.extracted', reading);
