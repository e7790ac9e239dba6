/** Reading certificates (specification, "Certificates"). Sealing is in seal/sealing.ts. */
import type { Page } from '@/infra/db/keyset';
import { pdfAccess } from '@/modules/links/certificate-access.rules';
import { shortLinkQuery } from '@/modules/links/short-links';
import { verifyUrl } from '@/modules/links/urls';
import { proveInLog } from '@/modules/public-log/service';
import { chainedEntry, listTrail } from '@/modules/trail/service';
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import * as repository from './repository';
import type { CertificateListQuery } from './schemas';
import { type SignatureHead, serializeCertificate } from './serializer';

export function listCertificates(scope: Scope, query: CertificateListQuery): Promise<Page<SignatureHead>> {
  return repository.listHeads(scope, query);
}

/** Throws resource_missing. */
export async function retrieveHead(scope: Scope, id: string): Promise<SignatureHead> {
  const row = await repository.findHead(scope, id);
  if (!row) throw new AppError('resource_missing', { message: `There is no ${scope.mode}-mode certificate ${id}.` });
  return row;
}

/** The certificate with its audit trail: snapshot, hash and hash-chained entries. */
export async function withTrail(scope: Scope, row: SignatureHead) {
  const snapshot = row.redacted_at ? null : await repository.findSnapshot(scope, row.snapshot_id);
  const trail = await listTrail(scope, row.reservation_id);
  return {
    ...serializeCertificate(row),
    audit_trail: {
      content_hash: row.content_hash,
      snapshot: snapshot ? (JSON.parse(snapshot.canonical) as Record<string, unknown>) : null,
      entries: trail.map(chainedEntry),
      log_inclusion: row.pdf_sha256 ? await proveInLog(scope, row.pdf_sha256) : null,
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
    message: 'The PDF is being sealed. Wait for `pdf_available` or `certificate.created`.',
  });
}
