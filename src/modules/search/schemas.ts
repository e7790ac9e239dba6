/** The results of the command palette's search. */
import { z } from 'zod';
import { RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import { SEARCHED_RESOURCE_KINDS } from './ids.rules';

export const SearchQuery = z.strictObject({ text: z.string().trim().max(200) });

/** The results of a search. Each list has exact matches first. */
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
      kind: z.enum(SEARCHED_RESOURCE_KINDS),
      id: z.string(),
      /** The object's name. For a packet, `parent_id` is its property. */
      label: z.string().nullable(),
      parent_id: z.string().nullable(),
    }),
  ),
  /** Whether the results are for similar words, because there were no matches. */
  near: z.boolean(),
});
export type SearchResult = z.infer<typeof SearchResult>;
