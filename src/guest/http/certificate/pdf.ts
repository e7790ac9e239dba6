/** Serves a sealed PDF, or a page that explains why there is none. */

import { buildContentDisposition } from '@/infra/archive-download';
import { buildCertificateFileName } from '@/modules/certificates/batch/file-name.rules';
import { readSealedPdfIfPermitted } from '@/modules/certificates/entitlement';
import { findPropertyOfCertificate, type SignatureWithTenantScope } from '@/modules/certificates/verify/verification';
import { decidePdfAccess, type PdfRequester } from '@/modules/links/certificate-access.rules';
import { createUnusableGuestLinkResponse } from '../respond';

/**
 * Returns the PDF. Responds with 410 when the certificate was redacted or the guest's access was
 * revoked, with 404 while the PDF is being sealed, and with 409 when the file is not the sealed
 * one.
 */
export async function createPdfResponse(
  reader: PdfRequester,
  holder: SignatureWithTenantScope,
  page: Parameters<typeof createUnusableGuestLinkResponse>[1],
): Promise<Response> {
  const { scope, head } = holder;
  const access = decidePdfAccess(reader, head);
  if (access === 'redacted') return createUnusableGuestLinkResponse('copy_redacted', page);
  if (access === 'revoked') return createUnusableGuestLinkResponse('copy_revoked', page);
  const pdf = await readSealedPdfIfPermitted(reader, scope, head.id);
  if (!pdf) return createUnusableGuestLinkResponse(access === 'granted' ? 'copy_altered' : 'unknown', page);
  return new Response(Buffer.from(pdf), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': buildContentDisposition(
        'inline',
        buildCertificateFileName(head, await findPropertyOfCertificate(holder)),
      ),
      'Cache-Control': 'private, no-store',
      'X-Robots-Tag': 'noindex, nofollow',
    },
  });
}
