/** Handles `/api/month.csv` for signed-in owners and managers. */
import { createPlainTextError, streamFromGenerator } from '@/infra/archive-download';
import { readDownloadSession } from '@/modules/accounts/session';
import { streamWhileMember } from '@/modules/accounts/while-member';
import { EXPORT_ROLES } from '@/shared/roles';
import { streamMonthCsv } from './month-csv';
import { MonthQuery } from './schemas';

export async function downloadMonth(request: Request): Promise<Response> {
  const { scope, user, query } = await readDownloadSession(request);
  if (!scope || !user) return createPlainTextError(401, 'Sign in first.');
  if (!EXPORT_ROLES.includes(user.role)) return createPlainTextError(403, 'Only owners and managers can export.');
  const wanted = MonthQuery.safeParse(query);
  if (!wanted.success) return createPlainTextError(400, 'The month is not usable.');
  const { kind, month } = wanted.data;
  const reader = { team_id: scope.team_id, user_id: user.id, roles: EXPORT_ROLES };
  return new Response(streamFromGenerator(streamWhileMember(reader, streamMonthCsv(scope, wanted.data))), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${kind}-${month}.csv"`,
      'Cache-Control': 'no-store',
    },
  });
}
