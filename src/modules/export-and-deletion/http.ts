/** The export's download: `/api/export.zip`, for the owner whose link it is, in a session of theirs. */
import { logger } from '@/infra/logger';
import { streamOf } from '@/infra/stream';
import { sessionContext } from '@/modules/accounts/session';
import { clock } from '@/shared/clock';
import { exportArchive, isExportLink } from './export.service';

const refusal = (status: number, message: string) =>
  new Response(`${message}\n`, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });

/** Teams whose export is being read in this process: two at once would only slow each other. */
const running = new Set<string>();

export async function downloadExport(request: Request): Promise<Response> {
  const { scope, user } = await sessionContext(request.headers);
  if (!scope || !user) return refusal(401, 'Sign in first.');
  if (user.role !== 'owner') return refusal(403, 'Only the account owner can do this.');
  if (!isExportLink(scope.team_id, user.id, new URL(request.url).searchParams))
    return refusal(403, 'This link has expired, or it is not yours. Make another in the settings.');
  const { team_id } = scope;
  if (running.has(team_id)) return refusal(429, 'An export of this team is being downloaded already.');
  running.add(team_id);
  async function* archive() {
    try {
      yield* exportArchive(scope as NonNullable<typeof scope>);
    } catch (error) {
      // The answer has begun: all that can be done is to break it off, so that nobody takes it for whole.
      logger().error({ err: error, team_id }, 'an export broke off');
      throw error;
    } finally {
      running.delete(team_id);
    }
  }
  return new Response(streamOf(archive()), {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="export-${clock().now().toISOString().slice(0, 10)}.zip"`,
      'Cache-Control': 'no-store',
    },
  });
}
