/** Inputs and outputs of guest erasure, which only the dashboard has. */
import { z } from 'zod';
import { RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import { defineJsonColumn } from '@/shared/json-column';
import { EmailAddress, personNameField } from '@/shared/schemas';

/** The most reservations that one request can erase. */
export const MAX_RESERVATIONS_PER_ERASURE = 500;

/** The maximum number of forwarded mails in a preview. */
export const MAX_FORWARDED_MAILS_IN_PREVIEW = 100;

const guest_fields = { name: personNameField(120).nullable(), email: EmailAddress.nullable() };

const hasEither = ({ name, email }: { name: string | null; email: string | null }) => name !== null || email !== null;
const either = { path: ['email'], message: 'give a name or an address' };

/** Requires a name, an address, or both. A reservation that matches either one is found. */
export const GuestToEraseQuery = z.strictObject(guest_fields).refine(hasEither, either);
export type GuestToEraseQuery = z.infer<typeof GuestToEraseQuery>;

/** The reasons for which a reservation cannot be erased now. */
const Stays = z.enum(['legal_hold']);

export const GuestReservationMatch = z.object({
  reservation_id: z.string(),
  guest_name: z.string().nullable(),
  guest_email: z.string().nullable(),
  property_name: z.string().nullable(),
  /** Dates and status are null when the reservation was deleted. */
  checkin_date: z.string().nullable(),
  checkout_date: z.string().nullable(),
  status: z.enum(RESERVATION_STATUSES).nullable(),
  /** Whether a certificate exists. It is kept without the guest's data. */
  signed: z.boolean(),
  stays: Stays.nullable(),
});
export type GuestReservationMatch = z.infer<typeof GuestReservationMatch>;

const count = z.int().default(0);
const Counts = z.object({
  reservations: count,
  certificates: count,
  mails: count,
  forwarded_mails: count,
  events: count,
});
export type ErasureCounts = z.infer<typeof Counts>;
/** The number of erased records of each kind. */
export const erasedRecordCountsJsonColumn = defineJsonColumn('GuestErasure.counts', Counts);

const Kept = z.array(z.object({ reservation_id: z.string(), reason: z.enum(['legal_hold']) }));
export const reservationsKeptByErasureJsonColumn = defineJsonColumn('GuestErasure.kept', Kept);

export const GuestErasurePreview = z.object({
  matches: z.array(GuestReservationMatch),
  /**
   * Whether there are more matches than returned. A second erasure can find the remaining matches.
   */
  has_more: z.boolean(),
  /** The number of unassigned forwarded mails that mention the guest. */
  loose_mails: count,
  /**
   * The newest unassigned mails. Their subjects help the host notice a search that matches too
   * much.
   */
  mails: z.array(z.object({ id: z.string(), subject: z.string().nullable(), received_at: z.iso.datetime() })),
});

export const ErasureRequest = z
  .strictObject({
    ...guest_fields,
    reservation_ids: z.array(z.string().max(100)).max(MAX_RESERVATIONS_PER_ERASURE),
    confirm: z.literal('erase'),
  })
  .refine(hasEither, either);
export type ErasureRequest = z.infer<typeof ErasureRequest>;

export const ErasureId = z.strictObject({ id: z.string().max(100) });

/** The receipt of an erasure. It lists what was erased, without personal data. */
export const GuestErasureReceipt = z.object({
  id: z.string(),
  status: z.enum(['running', 'done']),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  total: z.int(),
  counts: Counts,
  erased: z.array(z.string()),
  kept: Kept,
  /** Whether forwarded mails and logs without a reservation were searched too. */
  whole: z.boolean(),
});
export type GuestErasureReceipt = z.infer<typeof GuestErasureReceipt>;

export const ErasureList = z.object({ data: z.array(GuestErasureReceipt) });
