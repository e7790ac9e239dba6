/** Reads certificates (specification, "Certificates"). seal/sealing.ts creates them. */

import { decidePdfAccess } from '@/modules/links/certificate-access.rules';
import { buildExpiringLinkUrlParameters } from '@/modules/links/expiring-links';
import { buildCertificateVerifyUrl } from '@/modules/links/urls';
import { AppError, createResourceMissingError } from '@/shared/errors';
import { createRefusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import * as repository from './repository';
import type { CertificateListQuery } from './schemas';
import { type SignatureWithoutLargeColumns, serializeCertificate } from './serializer';
import type { EvidenceReadResult } from './verify/sealed-evidence';

export const listCertificates = (scope: Scope, query: CertificateListQuery) =>
  repository.listSignaturesWithoutLargeColumns(scope, query);

/** Returns the certificate without its trail. Throws resource_missing. */
export async function retrieveCertificateWithoutTrail(scope: Scope, id: string): Promise<SignatureWithoutLargeColumns> {
  const row = await repository.findSignatureWithoutLargeColumns(scope, id);
  if (!row) throw createResourceMissingError(scope, 'certificate', id);
  return row;
}

/**
 * Returns the certificate and its trail for the API. Includes the sealed values, and the names of
 * stored fields that differ from them.
 */
export function serializeCertificateEvidence({ head, status, altered, snapshot, trail, checks }: EvidenceReadResult) {
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
 * Returns a link to the sealed PDF that works for 15 minutes without a key. It contains the
 * verification token. Throws certificate_redacted, and throws resource_missing when the certificate
 * does not exist or is still being sealed.
 */
export async function createCertificateDownloadUrl(scope: Scope, id: string): Promise<string> {
  const row = await retrieveCertificateWithoutTrail(scope, id);
  if (decidePdfAccess('team', row) === 'redacted') throw new AppError('certificate_redacted');
  assertCertificateSealed(row);
  return `${buildCertificateVerifyUrl(row.id)}/certificate.pdf?${new URLSearchParams(buildExpiringLinkUrlParameters('certificate-pdf', row.id))}`;
}

/** Throws resource_missing while the certificate is still being sealed. */
export function assertCertificateSealed({ sealed_at }: Pick<SignatureWithoutLargeColumns, 'sealed_at'>): void {
  if (sealed_at) return;
  throw new AppError('resource_missing', { message: createRefusal('pdf_is_being_sealed') });
}
