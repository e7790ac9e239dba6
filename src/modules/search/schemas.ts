/** What the palette finds of a team's own things. */
import { z } from 'zod';
import { RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import { SEARCHED_KINDS } from './ids.rules';

export const SearchQuery = z.strictObject({ text: z.string().trim().max(200) });

/** Each list has what is meant exactly first. */
export const SearchResult = z.object({
  reservations: z.array(
    z.object({
      id: z.string(),
      guest_name: z.string(),
      property_name: z.string(),
      checkin_date: z.iso.date(),
      checkout_date: z.iso.date(),
      status: z.enum(RESERVATION_STATUSES),
      booking_code: z.string().nullable(),
    }),
  ),
  certificates: z.array(
    z.object({
      id: z.string(),
      signer_name: z.string(),
      property_name: z.string().nullable(),
      signed_at: z.iso.datetime(),
    }),
  ),
  properties: z.array(z.object({ id: z.string(), name: z.string(), place: z.string().nullable() })),
  ids: z.array(
    z.object({
      kind: z.enum(SEARCHED_KINDS),
      id: z.string(),
      /** What it is called; for a packet, the property it is of. */
      label: z.string().nullable(),
      parent_id: z.string().nullable(),
    }),
  ),
  /** Nothing was found for what was typed: this is for something near to it. */
  near: z.boolean(),
});
export type SearchResult = z.infer<typeof SearchResult>;
