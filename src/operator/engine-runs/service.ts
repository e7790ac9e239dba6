/** The durable work of the installation, over all teams: for its operators (accounts/operators.ts). */
import { config } from '@/config';
import { listDeadLetters } from '@/events/outbox';
import { durableProblem, runControl } from '@/infra/durable-runs';
import { logger } from '@/infra/logger';
import { AppError } from '@/shared/errors';
import type { RunDetail, RunEntry, RunListQuery, RunOverview } from './schemas';
import { longFunctionId, serializeRun, serializeRunDetail, shortFunctionId } from './serializer';

const COUNTED = 100;

/** The engine, when it is this process's. Throws resource_missing. */
function embedded() {
  const control = runControl();
  if (!control) {
    throw new AppError('resource_missing', {
      message: 'An Inngest server does the work; its own page shows the runs.',
    });
  }
  return control;
}

export async function overview(): Promise<RunOverview> {
  const control = runControl();
  const problem = durableProblem() ?? (await deadLetterProblem());
  if (!control) return { engine: 'server', problem, server_url: browserUrl(), functions: [], failed: 0 };
  const functions = control.functions().map((item) => shortFunctionId(item.id));
  const failed = await control.listRuns({ status: 'failed', limit: COUNTED });
  return { engine: 'embedded', problem, server_url: null, functions: functions.sort(), failed: failed.length };
}

async function deadLetterProblem(): Promise<string | null> {
  const dead = await listDeadLetters();
  if (dead.length === 0) return null;
  const [{ id, relay_error } = { id: '', relay_error: null }] = dead;
  return `The relay gave up ${dead.length === 1 ? 'an event' : `${dead.length} events`}: ${id} (${relay_error}). See \`threshold-admin dead-letter list\`.`;
}

/** The address of a container is none that a browser can open. */
function browserUrl(): string | null {
  const { base_url, dashboard_url, dev } = config().inngest ?? {};
  if (dashboard_url) return dashboard_url;
  if (!base_url) return dev ? 'http://localhost:8288' : 'https://app.inngest.com';
  const { hostname } = new URL(base_url);
  return hostname.includes('.') || hostname === 'localhost' ? base_url : null;
}

/** What failed, what goes on, what waits, and last what has ended; each newest first. */
export async function listRuns(query: RunListQuery): Promise<{ data: RunEntry[]; has_more: boolean }> {
  const { limit, status, starting_after, ending_before } = query;
  if (starting_after && ending_before) throw new AppError('conflicting_cursors');
  // One more than asked for tells whether there are more; it is the one farthest from where the page begins.
  const runs = await embedded().listRuns({
    limit: limit + 1,
    ...(status && { status }),
    ...(query.function && { function_id: longFunctionId(query.function) }),
    ...(starting_after && { before: starting_after }),
    ...(ending_before && { after: ending_before }),
  });
  const shown = ending_before ? runs.slice(-limit) : runs.slice(0, limit);
  return { data: shown.map(serializeRun), has_more: runs.length > limit };
}

/** Throws resource_missing. */
export async function retrieveRun(id: string): Promise<RunDetail> {
  const run = await embedded().retrieveRun(id);
  if (!run) throw new AppError('resource_missing', { message: `There is no run ${id}.` });
  return serializeRunDetail(run);
}

/** Sets a failed run going again; what was done stays done. False when it is not failed any more. */
export async function retryRun(id: string, operator: string): Promise<boolean> {
  const changed = await embedded().retryRun(id);
  logger().info({ run_id: id, operator, changed }, 'an operator retried a run');
  return changed;
}

/** Ends an unfinished run for good. False when it has ended. */
export async function cancelRun(id: string, operator: string): Promise<boolean> {
  const changed = await embedded().cancelRun(id);
  logger().info({ run_id: id, operator, changed }, 'an operator cancelled a run');
  return changed;
}
