/** The download of several certificates: `/api/certificates.zip`, for who is signed in, with the filters of the page or the ids. */
import { archiveDownload, plainRefusal } from '@/infra/archive-download';
import { downloadSession } from '@/modules/accounts/session';
import { whileMember } from '@/modules/accounts/while-member';
import { clock } from '@/shared/clock';
import { CertificateBatch } from '../host.schemas';
import { certificateArchive } from './batch';

export async function downloadCertificates(request: Request): Promise<Response> {
  const { scope, user, query } = await downloadSession(request);
  if (!scope || !user) return plainRefusal(401, 'Sign in first.');
  const batch = CertificateBatch.safeParse(query);
  if (!batch.success) return plainRefusal(400, 'The filters are not usable.');
  return archiveDownload(`certificates/${scope.team_id}/${user.id}`, {
    filename: `certificates-${clock().now().toISOString().slice(0, 10)}.zip`,
    busy: 'You are downloading certificates already. Wait until that is done.',
    parts: () =>
      whileMember({ team_id: scope.team_id, user_id: user.id, role: 'member' }, certificateArchive(scope, batch.data)),
  });
}
