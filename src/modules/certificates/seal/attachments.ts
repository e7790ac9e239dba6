/**
 * The two files inside every certificate, which allow verification without this installation
 * (docs/verify-content-hash.md): `snapshot.json`, the canonical text whose SHA-256 is the content
 * hash, and `audit-trail.json`.
 */
import { randomBytes } from 'node:crypto';
import { AFRelationship, type PDFDocument } from 'pdf-lib';
import { z } from 'zod';
import { agreementSnapshotSchema, toCanonicalSnapshotText } from '@/modules/snapshot/snapshot';
import { chainedTrailEntrySchema } from '@/modules/trail/chain';
import { toCanonicalJson } from '@/shared/canonical-json';
import type { CertificateRenderInput } from '../types';
import { getGuestFileHashes } from './guest-files.rules';

export const SNAPSHOT_ATTACHMENT_NAME = 'snapshot.json';
export const AUDIT_TRAIL_ATTACHMENT_NAME = 'audit-trail.json';

/** The content of `audit-trail.json`: the API's `audit_trail` and facts about the certificate. */
export const auditTrailFileSchema = z.object({
  object: z.literal('certificate_audit_trail'),
  certificate_id: z.string(),
  /** Random, so that nobody can guess the file's content from its hash in the public log. */
  salt: z.string(),
  livemode: z.boolean(),
  signer: z.object({
    typed_name: z.string(),
    signed_at: z.string(),
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
    email_confirmed: z.boolean(),
    drawn_signature_sha256: z.string().nullable(),
    photo_sha256: z.string().nullable(),
    /** The files that could not be read at the time of sealing. Absent when all were readable. */
    damaged: z.array(z.enum(['photo', 'drawn_signature'])).optional(),
  }),
  verify_url: z.string(),
  content_hash: z.string(),
  snapshot: agreementSnapshotSchema,
  entries: z.array(chainedTrailEntrySchema),
});
export type AuditTrailFile = z.infer<typeof auditTrailFileSchema>;

/**
 * Attaches `snapshot.json` and `audit-trail.json` to the certificate as associated data (PDF/A-3,
 * section 6.8).
 */
export async function attachEvidenceFiles(pdf: PDFDocument, input: CertificateRenderInput): Promise<void> {
  const { typed_name, signed_at, ip, user_agent, email_confirmed, damaged = [] } = input.signer;
  const audit: AuditTrailFile = {
    object: 'certificate_audit_trail',
    certificate_id: input.certificate_id,
    salt: randomBytes(16).toString('hex'),
    livemode: input.livemode,
    signer: {
      typed_name,
      signed_at,
      ip,
      user_agent,
      email_confirmed: email_confirmed ?? false,
      ...getGuestFileHashes(input),
      ...(damaged.length > 0 && { damaged: [...damaged] }),
    },
    verify_url: input.verify_url,
    content_hash: input.content_hash,
    snapshot: input.snapshot,
    entries: [...input.trail],
  };
  const sealed_at = new Date(input.sealed_at);
  const attach = (name: string, text: string, description: string) =>
    pdf.attach(new TextEncoder().encode(text), name, {
      mimeType: 'application/json',
      description,
      creationDate: sealed_at,
      modificationDate: sealed_at,
      afRelationship: AFRelationship.Data,
    });
  await attach(
    SNAPSHOT_ATTACHMENT_NAME,
    toCanonicalSnapshotText(input.snapshot),
    'What was acknowledged (RFC 8785). Its SHA-256 is the content hash.',
  );
  await attach(
    AUDIT_TRAIL_ATTACHMENT_NAME,
    toCanonicalJson(audit),
    'The snapshot, its content hash and the hash-chained audit trail.',
  );
}
