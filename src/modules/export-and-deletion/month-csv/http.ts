/** Handles `/api/month.csv` for signed-in owners and managers. */
import { createPlainTextErrorResponse, streamFromGenerator } from '@/infra/archive-download';
import { readScopeUserAndQueryOfDownload } from '@/modules/accounts/session';
import { yieldArchivePartsWhileReaderIsMember } from '@/modules/accounts/while-member';
import { ROLES_ALLOWED_TO_EXPORT } from '@/shared/roles';
import { streamMonthCsv } from './month-csv';
import { MonthCsvExportQuery } from './schemas';

export async function downloadMonthCsv(request: Request): Promise<Response> {
  const { scope, user, query } = await readScopeUserAndQueryOfDownload(request);
  if (!scope || !user) return createPlainTextErrorResponse(401, 'Sign in first.');
  if (!ROLES_ALLOWED_TO_EXPORT.includes(user.role))
    return createPlainTextErrorResponse(403, 'Only owners and managers can export.');
  const wanted = MonthCsvExportQuery.safeParse(query);
  if (!wanted.success) return createPlainTextErrorResponse(400, 'The month is not usable.');
  const { kind, month } = wanted.data;
  const reader = { team_id: scope.team_id, user_id: user.id, roles: ROLES_ALLOWED_TO_EXPORT };
  return new Response(
    streamFromGenerator(yieldArchivePartsWhileReaderIsMember(reader, streamMonthCsv(scope, wanted.data))),
    {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="${kind}-${month}.csv"`,
        'Cache-Control': 'no-store',
      },
    },
  );
}
