/** A bulk action on reservations: its preview and its results. */
import { z } from 'zod';
import { RESERVATION_STATUSES } from '../schemas';
import { BULK_ACTIONS, MAX_BULK_CALL_RESERVATIONS, MAX_BULK_PREVIEW_RESERVATIONS } from './bulk-limits.rules';

const action = z.enum(BULK_ACTIONS);

export const BulkActionPreviewInput = z.strictObject({
  action,
  ids: z.array(z.string().max(100)).min(1).max(MAX_BULK_PREVIEW_RESERVATIONS),
});

/** The state of the reservation as the host saw it when agreeing to the action. */
const Seen = z.strictObject({
  id: z.string().max(100),
  to: z.string().max(320).nullable(),
  sent_at: z.iso.datetime().nullable(),
});
export type ReservationShownInBulkPreview = z.infer<typeof Seen>;

export const BulkActionPreview = z.object({
  rows: z.array(
    z.object({
      ...Seen.shape,
      /** `nothing` means that the action would change nothing. */
      outcome: z.enum(['will', 'nothing', 'refused']),
      /** Null when the action will be applied. */
      message: z.string().nullable(),
      guest_name: z.string(),
      property_name: z.string(),
      checkin_date: z.string(),
      status: z.enum(RESERVATION_STATUSES).nullable(),
      /** The language of the mail. Null when no mail is sent. */
      language: z.string().nullable(),
    }),
  ),
});
export type BulkActionPreview = z.infer<typeof BulkActionPreview>;

export const BulkActionInput = z.strictObject({ action, rows: z.array(Seen).min(1).max(MAX_BULK_CALL_RESERVATIONS) });

export const BulkActionResult = z.object({
  rows: z.array(
    z.object({
      id: z.string(),
      /**
       * `nothing` means that another user or an earlier attempt of the same call had already
       * applied the action.
       */
      outcome: z.enum(['done', 'nothing', 'refused']),
      message: z.string().nullable(),
    }),
  ),
});
export type BulkActionResult = z.infer<typeof BulkActionResult>;
