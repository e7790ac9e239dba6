/** Schemas of forwarded mail in the dashboard. */

import { z } from 'zod';
import { createRefusal } from '@/shared/refusals/refusal';
import {
  addCrossFieldSchemaIssue,
  calendarDateField,
  EmailAddress,
  pastedIdField,
  personNameField,
} from '@/shared/schemas';

const text = z.string().nullable();

export const ForwardedMailId = z.strictObject({ id: pastedIdField });
export const ForwardedMailListQuery = z.strictObject({
  waiting: z.boolean().default(true),
  sync_source_id: pastedIdField.optional(),
});

/**
 * One possible interpretation of the stay's dates in a mail. The check-out is null when the mail
 * has none.
 */
const Reading = z.object({ checkin_date: z.string(), checkout_date: text });

export const ForwardedMailListItem = z.object({
  id: z.string(),
  sync_source_id: z.string(),
  property_id: z.string(),
  property_name: z.string(),
  status: z.enum(['applied', 'inbox', 'dismissed']),
  /** The reason for the status, as a code. The dashboard translates it. */
  reason: text,
  from_address: text,
  /** The original sender of the forwarded mail. */
  original_from: text,
  subject: text,
  forwarding: z.enum(['redirected', 'inline', 'attached']).nullable(),
  /** Names of attached mails that could not be read. */
  unread: z.array(z.string()),
  verified: z.boolean(),
  found: z
    .object({
      channel: z.enum(['channel_a', 'channel_b', 'channel_c']).nullable(),
      guest_name: text,
      guest_email: text,
      checkin_date: text,
      checkout_date: text,
      reservation_code: text,
      /** The possible interpretations of the dates in the mail, when there are several. */
      readings: z.array(Reading),
    })
    .nullable(),
  /** Gmail's request to confirm forwarding. The host confirms with the link or the code. */
  confirmation: z.object({ link: text, code: text, mailbox: text }).nullable(),
  reservation_id: text,
  received_at: z.iso.datetime(),
  handled_at: z.iso.datetime().nullable(),
  /** The time until which the mail's change can be reverted. Null when it cannot be reverted. */
  undoable_until: z.iso.datetime().nullable(),
});
export type ForwardedMailListItem = z.infer<typeof ForwardedMailListItem>;
export const ForwardedMailList = z.object({ data: z.array(ForwardedMailListItem) });

export const ForwardedMailDetail = ForwardedMailListItem.extend({
  /** Reservations that a mail with uncertain dates may belong to. */
  pairs: z.array(
    z.object({
      reservation_id: z.string(),
      guest_name: text,
      checkin_date: z.string(),
      checkout_date: z.string(),
    }),
  ),
  /**
   * The change that the host can apply with one click. Null unless the channel signed the mail and
   * its code matches a reservation.
   */
  proposal: z
    .discriminatedUnion('what', [
      z.object({ what: z.literal('cancel'), reservation_id: z.string() }),
      z.object({
        what: z.literal('move'),
        reservation_id: z.string(),
        was: z.object({ checkin_date: z.string(), checkout_date: z.string() }),
        checkin_date: z.string(),
        checkout_date: z.string(),
      }),
    ])
    .nullable(),
  /** The mail's text. Null after 30 days, when the stored message is deleted. */
  text,
});
export type ForwardedMailDetail = z.infer<typeof ForwardedMailDetail>;

export const ReservationCompletionFromMailInput = z
  .strictObject({
    id: pastedIdField,
    guest_name: personNameField(120),
    guest_email: EmailAddress.nullable(),
    checkin_date: calendarDateField('The day the guest arrives.'),
    checkout_date: calendarDateField('The day the guest leaves.'),
    source: z.enum(['channel_a', 'channel_b', 'channel_c', 'direct']),
    reservation_code: z.string().trim().min(1).max(60).nullable(),
    /** The reservation to complete. With null, a new reservation is created. */
    reservation_id: pastedIdField.nullable(),
  })
  .superRefine(({ checkin_date, checkout_date }, ctx) => {
    if (checkout_date <= checkin_date) {
      addCrossFieldSchemaIssue(ctx, 'invalid_date_range', ['checkout_date'], createRefusal('check_out_must_be_after'));
    }
  });
export type ReservationCompletionFromMailInput = z.infer<typeof ReservationCompletionFromMailInput>;
export const ReservationCompletionFromMailResult = z.object({ reservation_id: z.string() });
