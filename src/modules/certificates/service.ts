/** Reading certificates (specification, "Certificates"). Sealing is in seal/sealing.ts. */

import type { Page } from '@/infra/db/keyset';
import { pdfAccess } from '@/modules/links/certificate-access.rules';
import { shortLinkQuery } from '@/modules/links/short-links';
import { verifyUrl } from '@/modules/links/urls';
import { AppError } from '@/shared/errors';
import { refusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import * as repository from './repository';
import type { CertificateListQuery } from './schemas';
import { type SignatureHead, serializeCertificate } from './serializer';
import { type EvidenceReading, readSealedEvidence } from './verify/sealed-evidence';

export function listCertificates(scope: Scope, query: CertificateListQuery): Promise<Page<SignatureHead>> {
  return repository.listHeads(scope, query);
}

/** Throws resource_missing. */
export async function retrieveHead(scope: Scope, id: string): Promise<SignatureHead> {
  const row = await repository.findHead(scope, id);
  if (!row)
    throw new AppError('resource_missing', {
      message: refusal('no_such_in_mode', { mode: scope.mode, thing: 'certificate', id }),
    });
  return row;
}

/** The certificate with its audit trail: snapshot, hash and hash-chained entries. Throws what readSealedEvidence throws. */
export async function withTrail(scope: Scope, head: SignatureHead) {
  return serializeEvidence(await readSealedEvidence({ scope, head }));
}

/** What the API says of a certificate: the sealed values, and which of the stored ones differ. */
export function serializeEvidence({ head, status, altered, snapshot, trail, checks }: EvidenceReading) {
  return {
    ...serializeCertificate(head),
    evidence: { status, altered, sealed_entries: checks.sealed?.audit.entries.length ?? null },
    audit_trail: {
      content_hash: head.content_hash,
      snapshot: snapshot as Record<string, unknown> | null,
      entries: [...trail],
      log_inclusion: checks.log.state === 'included' ? checks.log.proof : null,
    },
  };
}

/**
 * The address of the sealed PDF, reached through the verify token; it needs no key and works for 15 minutes.
 * Throws resource_missing (also while it is being sealed) and certificate_redacted.
 */
export async function downloadUrl(scope: Scope, id: string): Promise<string> {
  const row = await retrieveHead(scope, id);
  if (pdfAccess('team', row) === 'redacted') throw new AppError('certificate_redacted');
  assertSealed(row);
  return `${verifyUrl(row.id)}/certificate.pdf?${new URLSearchParams(shortLinkQuery('certificate-pdf', row.id))}`;
}

/** Throws resource_missing while the PDF is being sealed. */
export function assertSealed({ sealed_at }: Pick<SignatureHead, 'sealed_at'>): void {
  if (sealed_at) return;
  throw new AppError('resource_missing', {
    message: refusal('pdf_is_being_sealed'),
  });
}
