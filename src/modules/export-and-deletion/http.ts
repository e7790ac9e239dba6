/** Downloads for owners: the export of a team and its audit log. */
import { createPlainTextErrorResponse, createZipDownloadResponse, streamFromGenerator } from '@/infra/archive-download';
import { readScopeUserAndQueryOfDownload } from '@/modules/accounts/session';
import { yieldArchivePartsWhileReaderIsMember } from '@/modules/accounts/while-member';
import { AuditEntryFilters } from '@/modules/audit-log/schemas';
import { streamAuditCsv } from '@/modules/audit-log/service';
import { clock } from '@/shared/clock';
import { isValidExportLink, streamExportArchive } from './export.service';

/** Handles `/api/export.zip`. Works only in the session of the owner who requested the link. */
export async function downloadTeamExport(request: Request): Promise<Response> {
  const { scope, user, query } = await readScopeUserAndQueryOfDownload(request);
  if (!scope || !user) return createPlainTextErrorResponse(401, 'Sign in first.');
  if (user.role !== 'owner') return createPlainTextErrorResponse(403, 'Only the account owner can do this.');
  if (!isValidExportLink(scope.team_id, user.id, query))
    return createPlainTextErrorResponse(
      403,
      'This link has expired, or it is not yours. Make another in the settings.',
    );
  return createZipDownloadResponse(scope.team_id, {
    filename: `export-${clock().now().toISOString().slice(0, 10)}.zip`,
    busy: 'An export of this team is being downloaded already.',
    parts: () =>
      yieldArchivePartsWhileReaderIsMember(
        { team_id: scope.team_id, user_id: user.id, roles: ['owner'] },
        streamExportArchive(scope),
      ),
  });
}

/**
 * Handles `/api/audit-log.csv` for signed-in owners. Applies the filters of the audit log's page.
 */
export async function downloadAuditLog(request: Request): Promise<Response> {
  const { scope, user, query } = await readScopeUserAndQueryOfDownload(request);
  if (!scope || !user) return createPlainTextErrorResponse(401, 'Sign in first.');
  if (user.role !== 'owner') return createPlainTextErrorResponse(403, 'Only the account owner can do this.');
  const filters = AuditEntryFilters.safeParse(query);
  if (!filters.success) return createPlainTextErrorResponse(400, 'The filters are not valid.');
  const day = clock().now().toISOString().slice(0, 10);
  const reader = { team_id: scope.team_id, user_id: user.id, roles: ['owner'] } as const;
  return new Response(
    streamFromGenerator(yieldArchivePartsWhileReaderIsMember(reader, streamAuditCsv(scope, filters.data))),
    {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="audit-log-${day}.csv"`,
        'Cache-Control': 'no-store',
      },
    },
  );
}
