/** Inputs and outputs of properties that only the dashboard has. */
import { z } from 'zod';
import { Property, PropertyListQuery } from './schemas';

export const HostPropertyListQuery = PropertyListQuery.extend({
  /** Text in the name, the city or the address. */
  search: z.string().trim().max(120).optional(),
});
export type HostPropertyListQuery = z.infer<typeof HostPropertyListQuery>;

/**
 * The copy's id and mode. The full property is not returned, because it would replace the original
 * in the dashboard's cache.
 */
export const IdAndModeOfPropertyCopy = z.object({ copy_id: z.string(), mode: z.enum(['live', 'test']) });

/** A picture of at most 1 MiB, in base64. */
export const LogoUpload = z.strictObject({
  id: z.string(),
  picture: z.base64('must be a picture').max(1_400_000, 'must be a picture of at most 1 MB'),
});

/**
 * The DNS records that the custom domain must have, and their state. Null without a custom domain.
 */
export const RequiredDomainDnsRecords = z
  .object({
    domain: z.string(),
    cname_target: z.string(),
    txt_name: z.string(),
    txt_value: z.string(),
    state: z.enum(['unverified', 'verified', 'failing', 'lapsed']),
    confirmed_at: z.iso.datetime().nullable(),
    failing_since: z.iso.datetime().nullable(),
    lapsed_at: z.iso.datetime().nullable(),
  })
  .nullable();

const RecordState = z.enum(['found', 'different', 'missing', 'unanswered']);
export const DomainCheckResult = z.object({
  property: Property,
  verdict: z.object({
    verified: z.boolean(),
    cname: RecordState,
    txt: RecordState,
    /** The records whose values are not the expected ones, for the host to compare. */
    found: z.object({ cname: z.array(z.string()), txt: z.array(z.string()) }),
  }),
});
