/** Certificate: the proof of a guest's signature (specification, "Certificate"). */
import { z } from 'zod';
import { endingBefore, idOf, listLimit, listOf, objectName, pathId, startingAfter, timestamp } from '@/shared/schemas';
import { EVIDENCE_STATUSES } from './verify/evidence-status.rules';

const LogInclusion = z
  .object({
    leaf_index: z.int().meta({ description: 'The entry’s place in the log, from 0.' }),
    tree_size: z.int().meta({ description: 'How many entries the tree of the proof has.' }),
    root_hash: z.string().meta({ description: 'The root of that tree, base64.' }),
    hashes: z.array(z.string()).meta({ description: 'From the leaf’s neighbour up, base64.' }),
    checkpoint: z
      .string()
      .meta({ description: 'The signed checkpoint (c2sp.org/tlog-checkpoint) of the tree that the proof is for.' }),
  })
  .meta({
    id: 'LogInclusion',
    description:
      'That the SHA-256 of the sealed PDF is a leaf of the public log (RFC 9162), as the tree was when it was entered. Beta.',
  });

const AuditTrail = z
  .object({
    content_hash: z.string().meta({ description: 'SHA-256 of the RFC 8785 form of `snapshot`.' }),
    snapshot: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'What the guest agreed to; null once redacted.' }),
    entries: z
      .array(
        z
          .object({
            seq: z.int().meta({ description: 'Counts from 1, without gaps.' }),
            type: z.string().meta({ description: 'What happened.' }),
            created_at: timestamp('When it happened.'),
            actor: z.string().nullable().meta({ description: 'Who did it: a key, a member, the guest, the service.' }),
            ip: z.string().nullable().meta({ description: 'From which address.' }),
            user_agent: z.string().nullable().meta({ description: 'With which program.' }),
            data: z.record(z.string(), z.unknown()).meta({ description: 'What belongs to it.' }),
            prev_hash: z
              .string()
              .nullable()
              .meta({ description: 'The `hash` of the entry before; null for the first.' }),
            hash: z.string().meta({ description: 'Covers the entry and `prev_hash`.' }),
          })
          .meta({ id: 'AuditTrailEntry', description: 'One entry of the trail.' }),
      )
      .meta({ description: 'The entries, the oldest first.' }),
    log_inclusion: LogInclusion.nullable().meta({ description: 'Null before the PDF is sealed and entered. Beta.' }),
  })
  .meta({ id: 'AuditTrail', description: 'The hash-chained audit trail with the snapshot it is about.' });

const fields = {
  id: idOf('signature', 'The certificate’s id.'),
  object: objectName('certificate'),
  reservation_id: idOf('reservation', 'The signed reservation.'),
  signed_at: timestamp('When the guest signed.'),
  content_hash: z.string().nullable().meta({ description: 'SHA-256 of the packet snapshot the guest signed.' }),
  verify_token: z
    .string()
    .nullable()
    .meta({ description: 'The secret part of the public addresses; null until it is sealed.' }),
  pdf_available: z.boolean().meta({ description: 'Whether the sealed PDF can be downloaded.' }),
  redacted: z.boolean().meta({ description: 'Whether the guest’s personal data was removed.' }),
  legal_hold: z.boolean().meta({ description: 'Whether it is held: nothing of it can be deleted or redacted.' }),
  verify_url: z.url().nullable().meta({ description: 'The public page on which anybody checks it.' }),
};

/** A certificate in a list: without its trail. */
export const Certificate = z.object(fields).meta({ id: 'Certificate', description: 'The proof of one signature.' });
export type Certificate = z.infer<typeof Certificate>;

const Evidence = z
  .object({
    status: z.enum(EVIDENCE_STATUSES).meta({
      description:
        '`verified`: the seal holds and every stored value is the sealed one. `altered`: stored values differ from the sealed ones, which are shown. `unverified`: no seal holds, and nothing shown is proven. `pending`: not sealed yet. `redacted`: the sealed PDF was removed.',
    }),
    altered: z.array(z.string()).meta({
      description: 'The stored fields that are not what was sealed, as `table.column`; empty when all are.',
    }),
    sealed_entries: z.int().nullable().meta({
      description:
        'How many entries of the audit trail, from the first, are in the sealed PDF. Later ones are this server’s own records. Null while no sealed PDF can be read.',
    }),
  })
  .meta({
    id: 'CertificateEvidence',
    description: 'What checking the certificate against its sealed PDF found. Beta.',
  });

export const CertificateWithTrail = z
  .object({ ...fields, evidence: Evidence, audit_trail: AuditTrail })
  .meta({ id: 'CertificateWithTrail', description: 'A certificate with its audit trail.' });

export const CertificateId = z.strictObject({ id: pathId('signature', 'The certificate’s id.') });
export const CertificateListQuery = z.strictObject({
  limit: listLimit,
  starting_after: startingAfter,
  ending_before: endingBefore,
  reservation: idOf('reservation', 'Only the certificate of this reservation. Beta.').optional(),
});
export type CertificateListQuery = z.infer<typeof CertificateListQuery>;
export const CertificateList = listOf(Certificate, 'CertificateList');
export const DisputePack: z.ZodType<object> = z
  .object({})
  .meta({ id: 'DisputePack', description: 'Empty: the answer is a redirect.' });
export const CertificateDownload = z
  .object({})
  .meta({ id: 'CertificateDownload', description: 'Empty: the answer is a redirect.' });
