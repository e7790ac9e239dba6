/** The audit log as a file: `/api/audit-log.csv`, for a signed-in owner, with the filters of the page. */
import { streamOf } from '@/infra/stream';
import { downloadSession } from '@/modules/accounts/session';
import { whileMember } from '@/modules/accounts/while-member';
import { AuditFilters } from '@/modules/audit-log/schemas';
import { auditCsv } from '@/modules/audit-log/service';
import { clock } from '@/shared/clock';

const refusal = (status: number, message: string) =>
  new Response(message, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });

export async function downloadAuditLog(request: Request): Promise<Response> {
  const { scope, user, query } = await downloadSession(request);
  if (!scope || !user) return refusal(401, 'Sign in first.');
  if (user.role !== 'owner') return refusal(403, 'Only the account owner can do this.');
  const filters = AuditFilters.safeParse(query);
  if (!filters.success) return refusal(400, 'The filters are not usable.');
  const day = clock().now().toISOString().slice(0, 10);
  const reader = { team_id: scope.team_id, user_id: user.id, role: 'owner' } as const;
  return new Response(streamOf(whileMember(reader, auditCsv(scope, filters.data))), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="audit-log-${day}.csv"`,
      'Cache-Control': 'no-store',
    },
  });
}
