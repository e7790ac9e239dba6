/** Certificate: the proof of a guest's signature (specification, "Certificate"). */
import { z } from 'zod';
import {
  defineListEnvelope,
  endingBeforeCursorField,
  idField,
  listLimitField,
  objectTypeField,
  startingAfterCursorField,
  timestampField,
  urlPathIdField,
} from '@/shared/schemas';

/**
 * The result of verifying a certificate's evidence.
 * - `verified`: the seal is valid and every stored fact matches it.
 * - `altered`: the seal is valid but stored facts differ from it. The response contains the sealed
 * values.
 * - `unverified`: no file has a valid seal. The response contains the stored values, which prove
 * nothing.
 * - `pending`: the file is not sealed yet. The response contains the stored values.
 * - `redacted`: the sealed file was removed. The response contains the stored values.
 */
export const EVIDENCE_VERIFICATION_STATUSES = ['verified', 'altered', 'unverified', 'pending', 'redacted'] as const;
export type EvidenceVerificationStatus = (typeof EVIDENCE_VERIFICATION_STATUSES)[number];

const LogInclusion = z
  .object({
    leaf_index: z.int().meta({ description: 'The entry’s index in the log, from 0.' }),
    tree_size: z.int().meta({ description: 'How many entries the tree has that the proof is for.' }),
    root_hash: z.string().meta({ description: 'The root of that tree, base64.' }),
    hashes: z
      .array(z.string())
      .meta({ description: 'The proof’s hashes, from the leaf’s sibling up to the root, base64.' }),
    checkpoint: z
      .string()
      .meta({ description: 'The signed checkpoint (c2sp.org/tlog-checkpoint) of the tree that the proof is for.' }),
  })
  .meta({
    id: 'LogInclusion',
    description:
      'The proof that the SHA-256 of the sealed PDF is a leaf of the public log (RFC 9162), for the tree at the time of entry. Beta.',
  });

const AuditTrail = z
  .object({
    content_hash: z.string().meta({ description: 'SHA-256 of the RFC 8785 form of `snapshot`.' }),
    snapshot: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'What the guest agreed to. Null after redaction.' }),
    entries: z
      .array(
        z
          .object({
            seq: z.int().meta({ description: 'Counts from 1, without gaps.' }),
            type: z.string().meta({ description: 'What happened.' }),
            created_at: timestampField('When it happened.'),
            actor: z
              .string()
              .nullable()
              .meta({ description: 'The actor: an API key, a member, the guest or the service.' }),
            ip: z.string().nullable().meta({ description: 'The actor’s IP address.' }),
            user_agent: z.string().nullable().meta({ description: 'The actor’s user agent.' }),
            data: z.record(z.string(), z.unknown()).meta({ description: 'Details, depending on the type.' }),
            prev_hash: z
              .string()
              .nullable()
              .meta({ description: 'The `hash` of the previous entry. Null for the first entry.' }),
            hash: z.string().meta({ description: 'The hash of the entry and `prev_hash`.' }),
          })
          .meta({ id: 'AuditTrailEntry', description: 'One entry of the trail.' }),
      )
      .meta({ description: 'The entries, oldest first.' }),
    log_inclusion: LogInclusion.nullable().meta({
      description:
        'The proof of inclusion in the public log. Null until the PDF is sealed and entered in the log. Beta.',
    }),
  })
  .meta({ id: 'AuditTrail', description: 'The hash-chained audit trail and the signed snapshot.' });

const fields = {
  id: idField('signature', 'The certificate’s id.'),
  object: objectTypeField('certificate'),
  reservation_id: idField('reservation', 'The signed reservation.'),
  signed_at: timestampField('When the guest signed.'),
  content_hash: z.string().nullable().meta({ description: 'SHA-256 of the packet snapshot the guest signed.' }),
  verify_token: z
    .string()
    .nullable()
    .meta({ description: 'The secret part of the certificate’s public URLs. Null until it is sealed.' }),
  pdf_available: z.boolean().meta({ description: 'Whether the sealed PDF can be downloaded.' }),
  redacted: z.boolean().meta({ description: 'Whether the guest’s personal data was removed.' }),
  legal_hold: z.boolean().meta({
    description: 'Whether the certificate is under legal hold, so that nothing of it can be deleted or redacted.',
  }),
  verify_url: z.url().nullable().meta({ description: 'The public page that verifies the certificate.' }),
};

/** A certificate without its trail, as in list responses. */
export const Certificate = z.object(fields).meta({ id: 'Certificate', description: 'The proof of one signature.' });
export type Certificate = z.infer<typeof Certificate>;

const Evidence = z
  .object({
    status: z.enum(EVIDENCE_VERIFICATION_STATUSES).meta({
      description:
        '`verified`: the seal is valid and every stored value matches the sealed one. `altered`: stored values differ from the sealed ones. The sealed values are returned. `unverified`: there is no valid seal, and no returned value is proven. `pending`: not sealed yet. `redacted`: the sealed PDF was removed.',
    }),
    altered: z.array(z.string()).meta({
      description: 'The stored fields that differ from the sealed ones, as `table.column`. Empty when none differ.',
    }),
    sealed_entries: z.int().nullable().meta({
      description:
        'How many entries of the audit trail, counted from the first, are in the sealed PDF. Later entries are this server’s own records. Null when no sealed PDF can be read.',
    }),
  })
  .meta({
    id: 'CertificateEvidence',
    description: 'The result of checking the certificate against its sealed PDF. Beta.',
  });

export const CertificateWithTrail = z
  .object({ ...fields, evidence: Evidence, audit_trail: AuditTrail })
  .meta({ id: 'CertificateWithTrail', description: 'A certificate with its audit trail.' });

export const CertificateId = z.strictObject({ id: urlPathIdField('signature', 'The certificate’s id.') });
export const CertificateListQuery = z.strictObject({
  limit: listLimitField,
  starting_after: startingAfterCursorField,
  ending_before: endingBeforeCursorField,
  reservation: idField('reservation', 'Only the certificate of this reservation. Beta.').optional(),
});
export type CertificateListQuery = z.infer<typeof CertificateListQuery>;
export const CertificateList = defineListEnvelope(Certificate, 'CertificateList');
export const DisputePack: z.ZodType<object> = z
  .object({})
  .meta({ id: 'DisputePack', description: 'Empty: the answer is a redirect.' });
export const CertificateDownload = z
  .object({})
  .meta({ id: 'CertificateDownload', description: 'Empty: the answer is a redirect.' });
