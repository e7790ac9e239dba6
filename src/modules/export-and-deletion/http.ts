/** The export's download: `/api/export.zip`, for the owner whose link it is, in a session of theirs. */
import { archiveDownload, plainRefusal } from '@/infra/archive-download';
import { downloadSession } from '@/modules/accounts/session';
import { whileMember } from '@/modules/accounts/while-member';
import { clock } from '@/shared/clock';
import { exportArchive, isExportLink } from './export.service';

export async function downloadExport(request: Request): Promise<Response> {
  const { scope, user, query } = await downloadSession(request);
  if (!scope || !user) return plainRefusal(401, 'Sign in first.');
  if (user.role !== 'owner') return plainRefusal(403, 'Only the account owner can do this.');
  if (!isExportLink(scope.team_id, user.id, query))
    return plainRefusal(403, 'This link has expired, or it is not yours. Make another in the settings.');
  return archiveDownload(scope.team_id, {
    filename: `export-${clock().now().toISOString().slice(0, 10)}.zip`,
    busy: 'An export of this team is being downloaded already.',
    parts: () => whileMember({ team_id: scope.team_id, user_id: user.id, role: 'owner' }, exportArchive(scope)),
  });
}
