/** The sealed PDF for who is signed in: `/api/certificate.pdf`, with the certificate's id in its query. */
import { contentDisposition, plainRefusal } from '@/infra/archive-download';
import { downloadSession } from '@/modules/accounts/session';
import { fileNameOf } from '../batch/file-name.rules';
import { readPdfFor } from '../entitlement';
import * as repository from '../repository';
import { CertificateId } from '../schemas';

export async function downloadCertificate(request: Request): Promise<Response> {
  const { scope, user, query } = await downloadSession(request);
  if (!scope || !user) return plainRefusal(401, 'Sign in first.');
  const certificate = CertificateId.safeParse(query);
  const head = certificate.success && (await repository.findHead(scope, certificate.data.id));
  const pdf = head && (await readPdfFor('team', scope, head.id));
  if (!head || !pdf) return plainRefusal(404, 'There is no such file, or it was removed by a redaction.');
  return new Response(Buffer.from(pdf), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': contentDisposition(
        'inline',
        fileNameOf(head, await repository.findProperty(scope, head.property_id)),
      ),
      'Cache-Control': 'private, no-store',
      'X-Robots-Tag': 'noindex, nofollow',
    },
  });
}
