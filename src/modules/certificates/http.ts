/** Downloads: a sealed PDF, an archive of several PDFs, and a dispute pack. */
import { getRoleScopes } from '@/api/trpc/role-scopes';
import {
  buildContentDisposition,
  createPlainTextErrorResponse,
  createZipDownloadResponse,
} from '@/infra/archive-download';
import { isStorageError } from '@/infra/storage/object-store';
import { readScopeUserAndQueryOfDownload } from '@/modules/accounts/session';
import { yieldArchivePartsWhileReaderIsMember } from '@/modules/accounts/while-member';
import { isScopeGranted } from '@/modules/api-keys/scopes';
import { clock } from '@/shared/clock';
import { ROLES_ALLOWED_TO_EXPORT } from '@/shared/roles';
import { streamCertificateArchive } from './batch/batch';
import { buildCertificateFileName, buildDisputePackFileName } from './batch/file-name.rules';
import { parseDisputePackLink, streamDisputePack } from './dispute-pack/pack';
import { readSealedPdfIfPermitted } from './entitlement';
import { CertificateBatchSelection } from './host.schemas';
import * as repository from './repository';
import { CertificateId } from './schemas';
import { readSealedEvidence } from './verify/sealed-evidence';
import { findSignatureInAnyTeam } from './verify/verification';

/**
 * Handles `/api/certificate.pdf` for a signed-in member. The query contains the certificate's id.
 */
export async function downloadCertificate(request: Request): Promise<Response> {
  const { scope, user, query } = await readScopeUserAndQueryOfDownload(request);
  if (!scope || !user) return createPlainTextErrorResponse(401, 'Sign in first.');
  if (!isScopeGranted(getRoleScopes(user.role, scope.mode), 'certificates:read'))
    return createPlainTextErrorResponse(403, 'Your role does not show you certificates.');
  const certificate = CertificateId.safeParse(query);
  const head = certificate.success && (await repository.findSignatureWithoutLargeColumns(scope, certificate.data.id));
  const pdf = head && (await readSealedPdfIfPermitted('team', scope, head.id));
  if (!head || !pdf)
    return createPlainTextErrorResponse(404, 'There is no such file, or it was removed by a redaction.');
  return new Response(Buffer.from(pdf), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': buildContentDisposition(
        'inline',
        buildCertificateFileName(head, await repository.findProperty(scope, head.property_id)),
      ),
      'Cache-Control': 'private, no-store',
      'X-Robots-Tag': 'noindex, nofollow',
    },
  });
}

/** Handles `/api/certificates.zip` for a signed-in member. The query contains filters or ids. */
export async function downloadCertificateArchive(request: Request): Promise<Response> {
  const { scope, user, query } = await readScopeUserAndQueryOfDownload(request);
  if (!scope || !user) return createPlainTextErrorResponse(401, 'Sign in first.');
  if (!ROLES_ALLOWED_TO_EXPORT.includes(user.role))
    return createPlainTextErrorResponse(403, 'Only owners and managers can do this.');
  const batch = CertificateBatchSelection.safeParse(query);
  if (!batch.success) return createPlainTextErrorResponse(400, 'The filters are not valid.');
  return createZipDownloadResponse(`certificates/${scope.team_id}/${user.id}`, {
    filename: `certificates-${clock().now().toISOString().slice(0, 10)}.zip`,
    busy: 'You are downloading certificates already. Wait until that is done.',
    parts: () =>
      yieldArchivePartsWhileReaderIsMember(
        { team_id: scope.team_id, user_id: user.id, roles: ROLES_ALLOWED_TO_EXPORT },
        streamCertificateArchive(scope, batch.data),
      ),
  });
}

/** Handles `/api/dispute-pack.zip`, for anyone with the link. */
export async function downloadDisputePack(request: Request): Promise<Response> {
  const link = parseDisputePackLink(new URL(request.url).searchParams);
  if (!link) return createPlainTextErrorResponse(403, 'This link has expired, or is not one of ours. Ask for another.');
  const holder = await findSignatureInAnyTeam(link.id);
  if (!holder) return createPlainTextErrorResponse(404, 'There is no such certificate any more.');
  const reading = await readSealedEvidence(holder, 'name').catch((error: unknown) => {
    if (isStorageError(error)) return null;
    throw error;
  });
  if (!reading)
    return createPlainTextErrorResponse(503, 'The storage of files is not available. Try again in a few minutes.');
  const { head, snapshot, status } = reading;
  return createZipDownloadResponse(head.id, {
    filename: buildDisputePackFileName(status === 'unverified' ? null : snapshot, `${status} ${head.id}`),
    busy: 'This pack is being downloaded already.',
    parts: () => streamDisputePack(reading, link.photo),
  });
}
