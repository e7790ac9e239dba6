/**
 * The durable work of the installation, over all teams, for its operators (accounts/operators.ts).
 */
import { config } from '@/config';
import { listDeadLetters } from '@/events/outbox';
import { getDurableRunController, getDurableRunsStoppedReason } from '@/infra/durable-runs';
import { logger } from '@/infra/logger';
import { AppError } from '@/shared/errors';
import type { DurableRunDetail, DurableRunListItem, DurableRunListQuery, DurableRunOverview } from './schemas';
import {
  addFunctionIdPrefix,
  removeFunctionIdPrefix,
  serializeDurableRun,
  serializeDurableRunDetail,
} from './serializer';

const COUNTED = 100;

/** Returns the embedded engine. Throws resource_missing when this process has none. */
function embedded() {
  const control = getDurableRunController();
  if (!control) {
    throw new AppError('resource_missing', {
      message: 'An Inngest server does the work. Its own dashboard shows the runs.',
    });
  }
  return control;
}

export async function getDurableRunOverview(): Promise<DurableRunOverview> {
  const control = getDurableRunController();
  const problem = getDurableRunsStoppedReason() ?? (await deadLetterProblem());
  if (!control) return { engine: 'server', problem, server_url: browserUrl(), functions: [], failed: 0 };
  const functions = control.functions().map((item) => removeFunctionIdPrefix(item.id));
  const failed = await control.listRuns({ status: 'failed', limit: COUNTED });
  return { engine: 'embedded', problem, server_url: null, functions: functions.sort(), failed: failed.length };
}

async function deadLetterProblem(): Promise<string | null> {
  const dead = await listDeadLetters();
  if (dead.length === 0) return null;
  const [{ id, relay_error } = { id: '', relay_error: null }] = dead;
  return `The relay gave up ${dead.length === 1 ? 'an event' : `${dead.length} events`}: ${id} (${relay_error}). See \`threshold-admin dead-letter list\`.`;
}

/**
 * Returns the server's URL for a browser, or null for the address of a container, which a browser
 * cannot open.
 */
function browserUrl(): string | null {
  const { base_url, dashboard_url, dev } = config().inngest ?? {};
  if (dashboard_url) return dashboard_url;
  if (!base_url) return dev ? 'http://localhost:8288' : 'https://app.inngest.com';
  const { hostname } = new URL(base_url);
  return hostname.includes('.') || hostname === 'localhost' ? base_url : null;
}

/**
 * Lists failed, running and queued runs first, and finished runs last. Each group is sorted newest
 * first.
 */
export async function listDurableRuns(
  query: DurableRunListQuery,
): Promise<{ data: DurableRunListItem[]; has_more: boolean }> {
  const { limit, status, starting_after, ending_before } = query;
  if (starting_after && ending_before) throw new AppError('conflicting_cursors');
  // Requests one more run than the page shows, to detect whether there are more.
  const runs = await embedded().listRuns({
    limit: limit + 1,
    ...(status && { status }),
    ...(query.function && { function_id: addFunctionIdPrefix(query.function) }),
    ...(starting_after && { before: starting_after }),
    ...(ending_before && { after: ending_before }),
  });
  const shown = ending_before ? runs.slice(-limit) : runs.slice(0, limit);
  return { data: shown.map(serializeDurableRun), has_more: runs.length > limit };
}

/** Returns a run with its steps. Throws resource_missing. */
export async function retrieveDurableRun(id: string): Promise<DurableRunDetail> {
  const run = await embedded().retrieveRun(id);
  if (!run) throw new AppError('resource_missing', { message: `There is no run ${id}.` });
  return serializeDurableRunDetail(run);
}

/**
 * Restarts a failed run and keeps its completed steps. Returns false when it is no longer failed.
 */
export async function retryDurableRun(id: string, operator: string): Promise<boolean> {
  const changed = await embedded().retryRun(id);
  logger().info({ run_id: id, operator, changed }, 'an operator retried a run');
  return changed;
}

/** Cancels an unfinished run permanently. Returns false when it has ended. */
export async function cancelDurableRun(id: string, operator: string): Promise<boolean> {
  const changed = await embedded().cancelRun(id);
  logger().info({ run_id: id, operator, changed }, 'an operator cancelled a run');
  return changed;
}
