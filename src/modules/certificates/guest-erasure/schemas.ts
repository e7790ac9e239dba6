/** Erasing a guest on request, in the dashboard. None of this is part of `/v1`. */
import { z } from 'zod';
import { RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import { jsonColumn } from '@/shared/json-column';
import { EmailAddress, nameTextField } from '@/shared/schemas';

/** The most reservations that one request can erase. */
export const MAX_MATCHES = 500;

/** The most forwarded mails that are listed. */
export const MAX_MAILS = 100;

const guest_fields = { name: nameTextField(120).nullable(), email: EmailAddress.nullable() };

const hasEither = ({ name, email }: { name: string | null; email: string | null }) => name !== null || email !== null;
const either = { path: ['email'], message: 'give a name or an address' };

/** Requires at least one of name and address. A reservation matches by either. */
export const GuestQuery = z.strictObject(guest_fields).refine(hasEither, either);
export type GuestQuery = z.infer<typeof GuestQuery>;

/** Why a reservation cannot be erased now. */
const Stays = z.enum(['legal_hold']);

export const GuestMatch = z.object({
  reservation_id: z.string(),
  guest_name: z.string().nullable(),
  guest_email: z.string().nullable(),
  property_name: z.string().nullable(),
  /** Dates and status are null when the reservation was deleted. */
  checkin_date: z.string().nullable(),
  checkout_date: z.string().nullable(),
  status: z.enum(RESERVATION_STATUSES).nullable(),
  /** Whether a certificate remains, without the guest's data. */
  signed: z.boolean(),
  stays: Stays.nullable(),
});
export type GuestMatch = z.infer<typeof GuestMatch>;

const count = z.int().default(0);
const Counts = z.object({
  reservations: count,
  certificates: count,
  mails: count,
  forwarded_mails: count,
  events: count,
});
export type ErasureCounts = z.infer<typeof Counts>;
/** How many of each kind were erased. A new row has none. */
export const erasureCountsColumn = jsonColumn('GuestErasure.counts', Counts);

const Kept = z.array(z.object({ reservation_id: z.string(), reason: z.enum(['legal_hold']) }));
export const erasureKeptColumn = jsonColumn('GuestErasure.kept', Kept);

export const GuestPreview = z.object({
  matches: z.array(GuestMatch),
  /** Whether more exist than are returned. Another request finds them. */
  has_more: z.boolean(),
  /** Forwarded mails that belong to no reservation yet. */
  loose_mails: count,
  /** The newest of these mails, so that the host notices a search that matches too much. */
  mails: z.array(z.object({ id: z.string(), subject: z.string().nullable(), received_at: z.iso.datetime() })),
});

export const ErasureRequest = z
  .strictObject({
    ...guest_fields,
    reservation_ids: z.array(z.string().max(100)).max(MAX_MATCHES),
    confirm: z.literal('erase'),
  })
  .refine(hasEither, either);
export type ErasureRequest = z.infer<typeof ErasureRequest>;

export const ErasureId = z.strictObject({ id: z.string().max(100) });

/** The receipt: what was erased, without personal data. */
export const Erasure = z.object({
  id: z.string(),
  status: z.enum(['running', 'done']),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  total: z.int(),
  counts: Counts,
  erased: z.array(z.string()),
  kept: Kept,
  /** Whether forwarded mail and logs that belong to no reservation were searched as well. */
  whole: z.boolean(),
});
export type Erasure = z.infer<typeof Erasure>;

export const ErasureList = z.object({ data: z.array(Erasure) });
