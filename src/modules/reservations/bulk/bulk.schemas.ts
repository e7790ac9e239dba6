/** One action on several reservations: what it would do, and what it did. */
import { z } from 'zod';
import { RESERVATION_STATUSES } from '../schemas';
import { BULK_ACTIONS, BULK_BATCH, BULK_MOST } from './bulk-limits.rules';

const action = z.enum(BULK_ACTIONS);

export const BulkPreviewInput = z.strictObject({ action, ids: z.array(z.string().max(100)).min(1).max(BULK_MOST) });

/** The reservation as the host saw it and agreed to the action. */
const Seen = z.strictObject({
  id: z.string().max(100),
  to: z.string().max(320).nullable(),
  sent_at: z.iso.datetime().nullable(),
});
export type Seen = z.infer<typeof Seen>;

export const BulkPreview = z.object({
  rows: z.array(
    z.object({
      ...Seen.shape,
      /** `nothing`: there is nothing left to do. */
      outcome: z.enum(['will', 'nothing', 'refused']),
      /** Null when it will be done. */
      message: z.string().nullable(),
      guest_name: z.string(),
      property_name: z.string(),
      checkin_date: z.string(),
      status: z.enum(RESERVATION_STATUSES).nullable(),
      /** The language of the mail. Null without a mail. */
      language: z.string().nullable(),
    }),
  ),
});
export type BulkPreview = z.infer<typeof BulkPreview>;

export const BulkInput = z.strictObject({ action, rows: z.array(Seen).min(1).max(BULK_BATCH) });

export const BulkResult = z.object({
  rows: z.array(
    z.object({
      id: z.string(),
      /** `nothing`: it had happened already, by someone else or by the same call before. */
      outcome: z.enum(['done', 'nothing', 'refused']),
      message: z.string().nullable(),
    }),
  ),
});
export type BulkResult = z.infer<typeof BulkResult>;
