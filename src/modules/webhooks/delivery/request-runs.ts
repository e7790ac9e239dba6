/**
 * Requests runs for endpoints with due work that no process has leased. The time of a requested run
 * is stored in the endpoint's `wake_at`, so that many events and processes request only one run. A
 * run clears `wake_at` when it begins.
 */
import { clock, MAX_CLOCK_SKEW_MS } from '@/shared/clock';
import { wakeEndpointDeliveryRun } from './delivery';
import * as queue from './queue.repository';

export interface DeliveryRunRequest {
  endpoint_id: string;
  team_id: string;
  url: string;
  /**
   * The endpoint's version. Disabling an endpoint increments its version, which cancels runs that
   * were requested with an earlier version.
   */
  version: number;
  /** When the run should begin. Null means now. */
  at: Date | null;
}

/**
 * Times within this interval are rounded up to 0.1 s, and later times to 1 s, so that retries at
 * nearly the same time share a run.
 */
const FINE_MS = 10_000;

/** Returns when to run for work that is due at `due_at`: at that time, rounded up. Pure. */
export function computeDeliveryRunStartTime(due_at: Date, now: Date): Date {
  const grain = due_at.getTime() - now.getTime() < FINE_MS ? 100 : 1_000;
  return new Date(Math.ceil(due_at.getTime() / grain) * grain);
}

/** Endpoints whose `wake_at` is stored although the run may not have been requested. */
const uncertain = new Set<string>();

async function clearUncertain(): Promise<void> {
  if (uncertain.size === 0) return;
  const ids = [...uncertain];
  await queue.clearStartTimesOfRequestedDeliveryRuns(ids);
  for (const id of ids) uncertain.delete(id);
}

/**
 * Requests runs for the endpoints with due work, or only for those in `endpoint_ids`. If this
 * process already has a run for an endpoint, wakes that run instead.
 */
export async function requestDeliveryRuns(
  ask: (work: DeliveryRunRequest[]) => Promise<void>,
  endpoint_ids: readonly string[] | null = null,
): Promise<void> {
  await clearUncertain();
  const now = clock().now();
  const waiting = await queue.findEndpointsWithoutDeliveryRun(now, endpoint_ids);
  // Endpoints whose run was woken need no request. That run checks for due work, and requests the
  // next run when it ends.
  const wanted = waiting
    .filter(({ id }) => !wakeEndpointDeliveryRun(id))
    .map((endpoint) => ({
      ...endpoint,
      at: endpoint.next_at <= now ? null : computeDeliveryRunStartTime(endpoint.next_at, now),
    }));
  if (wanted.length === 0) return;
  // The time is stored before the request, because a run that begins at once must be able to clear
  // it.
  const notes = wanted.map(({ id, wake_at, at }) => ({ id, was: wake_at, wake_at: at ?? now }));
  const noted = await queue.storeStartTimesOfRequestedDeliveryRuns(notes).catch((error: unknown) => {
    // The statement may have been committed although its response was lost. In that case the time
    // is stored but no run is requested.
    for (const { id } of notes) uncertain.add(id);
    throw error;
  });
  const asked = wanted.filter(({ id }) => noted.has(id));
  if (asked.length === 0) return;
  try {
    await ask(asked.map(({ id, team_id, url, version, at }) => ({ endpoint_id: id, team_id, url, version, at })));
  } catch (error) {
    for (const { id } of asked) uncertain.add(id);
    await clearUncertain();
    throw error;
  }
}

/** Clears the stored times of all requested runs, because the durable engine has lost the runs. */
export const clearStartTimesOfAllRequestedDeliveryRuns = () => queue.clearStartTimesOfRequestedDeliveryRuns(null);

/** Reschedules attempts that were created in the future because the clock was wrong. */
export const rescheduleDeliveriesDatedByFastClock = () =>
  queue.rescheduleAttemptsDatedByFastClock(clock().now(), MAX_CLOCK_SKEW_MS);

/** Reschedules retries after a test clock was advanced. Returns the number of retries. */
export const bringForwardTestClockRetries = (test_clock_id: string): Promise<number> =>
  queue.bringForwardRetriesOfTestClock(test_clock_id, clock().now());
