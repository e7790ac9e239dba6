/** Inputs and outputs of the dashboard for certificates, beyond the public resource. */
import { z } from 'zod';
import { TrailActor } from '@/modules/reservations/rules/timeline';
import { defineListEnvelope } from '@/shared/schemas';
import { Certificate, CertificateListQuery, CertificateWithTrail } from './schemas';

const date_time = z.iso.datetime();

export const certificateFilterFields = {
  /**
   * Beginnings of words in the signer's name, the address or the booking code. Every word must
   * match.
   */
  search: z.string().trim().max(200).optional(),
  property: z.string().max(100).optional(),
  'signed_at.gte': date_time.optional(),
  'signed_at.lt': date_time.optional(),
};
export type CertificateFilters = z.infer<z.ZodObject<typeof certificateFilterFields>>;

export const HostCertificateListQuery = CertificateListQuery.extend(certificateFilterFields);
export type HostCertificateListQuery = z.infer<typeof HostCertificateListQuery>;

/** Selects certificates by `ids`, or by the filters when `ids` is absent. */
export const CertificateBatchSelection = z.strictObject({
  ...certificateFilterFields,
  ids: z
    .string()
    .max(10_000)
    .transform((ids) => ids.split(',').filter(Boolean))
    .optional(),
});
export type CertificateBatchSelection = z.infer<typeof CertificateBatchSelection>;

export const HostCertificateList = defineListEnvelope(
  Certificate.extend({
    signer_name: z.string(),
    /**
     * The property's name. Null after the property was deleted, which does not delete its
     * certificates.
     */
    property_name: z.string().nullable(),
    /** The property's time zone at the time of signing. */
    property_timezone: z.string().nullable(),
    /** The channel's booking code. Null without one, or when the reservation was deleted. */
    booking_code: z.string().nullable(),
  }),
  'HostCertificateList',
);

export const HostCertificate = CertificateWithTrail.extend({
  signer_name: z.string(),
  signer_email: z.string().nullable(),
  signed_ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  otp_confirmed: z.boolean(),
  consent_version: z.string(),
  locale: z.string(),
  sealed_at: date_time.nullable(),
  seal_error: z.string().nullable(),
  pdf_sha256: z.string().nullable(),
  redacted_at: date_time.nullable(),
  /** The actor of each entry of the audit trail. The key is the entry's `seq`. */
  trail_actors: z.record(z.string(), TrailActor.nullable()),
  has_photo: z.boolean(),
  has_drawing: z.boolean(),
  property: z.object({ id: z.string(), name: z.string(), timezone: z.string().nullable() }).nullable(),
  /** The download's name: `2026-11-21 Grace Hopper, Casa Azul.pdf`. */
  file_name: z.string(),
  reservation_exists: z.boolean(),
  /** The guest's own copy. Null after a redaction. */
  copy: z.object({ url: z.string(), revoked_at: date_time.nullable() }).nullable(),
});
export type HostCertificate = z.infer<typeof HostCertificate>;

/** The guest's photo as a data URL. Null when there is none. */
export const CertificatePhoto = z.object({ data_url: z.string().nullable() });

export const CertificateVerification = z.object({
  content: z.enum(['intact', 'mismatch', 'redacted']),
  chain: z.union([
    z.object({ ok: z.literal(true), entries: z.int(), head_hash: z.string().nullable() }),
    z.object({
      ok: z.literal(false),
      broken_seq: z.int(),
      reason: z.enum(['sequence', 'prev_hash', 'hash', 'anchor']),
    }),
  ]),
  seal: z.union([
    z.object({ state: z.enum(['pending', 'removed', 'invalid']) }),
    z.object({
      state: z.literal('sealed'),
      timestamp: z
        .object({ authority: z.string(), time: z.string(), problem: z.string().nullable(), known: z.boolean() })
        .nullable(),
    }),
  ]),
  /** `index` is the file's position in the public log. */
  log: z.object({ state: z.enum(['included', 'missing', 'none']), index: z.int().nullable() }),
  /** The stored columns that differ from the sealed file. */
  differences: z.array(z.string()),
  pdf_sha256: z.string().nullable(),
});

/** The link to the pack's download, which works for 15 minutes. */
export const DisputePackLink = z.object({ url: z.string() });

export const LegalHoldInput = z.strictObject({ id: z.string(), legal_hold: z.boolean() });
export const GuestCertificateCopyRevocationInput = z.strictObject({ id: z.string(), revoked: z.boolean() });
export const CertificateRedactionInput = z.strictObject({ id: z.string(), confirm: z.literal('redact') });
