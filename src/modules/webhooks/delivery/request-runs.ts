/**
 * Requests runs for endpoints with due work that no process has leased. The requested time is
 * stored on the endpoint's row (`wake_at`), so that many events and processes request one run. A
 * run clears it when it begins.
 */
import { CLOCK_SKEW_MS, clock } from '@/shared/clock';
import { wakeEndpointRun } from './delivery';
import * as queue from './queue.repository';

/** A run to request for an endpoint. */
export interface EndpointWork {
  endpoint_id: string;
  team_id: string;
  url: string;
  /**
   * The version of the endpoint. Disabling an endpoint cancels runs that were requested with an
   * earlier version.
   */
  version: number;
  /** When to run. Null for now. */
  at: Date | null;
}

/**
 * Wake times within this are rounded up to 0.1 s, later ones to 1 s, so that many retries share a
 * run.
 */
const FINE_MS = 10_000;

/** Returns when to wake for work that is due at `due_at`. Never returns an earlier time. Pure. */
export function getWakeTime(due_at: Date, now: Date): Date {
  const grain = due_at.getTime() - now.getTime() < FINE_MS ? 100 : 1_000;
  return new Date(Math.ceil(due_at.getTime() / grain) * grain);
}

/** Endpoints whose row may contain a request for a run that was never made. */
const uncertain = new Set<string>();

async function clearUncertain(): Promise<void> {
  if (uncertain.size === 0) return;
  const ids = [...uncertain];
  await queue.clearRequests(ids);
  for (const id of ids) uncertain.delete(id);
}

/**
 * Requests the needed runs of all endpoints, or of the given ones. Wakes this process's runs
 * directly.
 */
export async function requestRunsForEndpoints(
  ask: (work: EndpointWork[]) => Promise<void>,
  endpoint_ids: readonly string[] | null = null,
): Promise<void> {
  await clearUncertain();
  const now = clock().now();
  const waiting = await queue.findEndpointsWithoutRun(now, endpoint_ids);
  // A run of this process checks again, and requests its next run when it ends.
  const wanted = waiting
    .filter(({ id }) => !wakeEndpointRun(id))
    .map((endpoint) => ({ ...endpoint, at: endpoint.next_at <= now ? null : getWakeTime(endpoint.next_at, now) }));
  if (wanted.length === 0) return;
  // Requests are stored first, because a run that begins immediately must find its request to clear
  // it.
  const notes = wanted.map(({ id, wake_at, at }) => ({ id, was: wake_at, wake_at: at ?? now }));
  const noted = await queue.storeRequests(notes).catch((error: unknown) => {
    // The statement may have committed although its response was lost. The request may
    // then be stored although the engine was never asked to run it.
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

/** Clears all stored requests, because the engine has lost its runs. */
export const clearAllRequests = () => queue.clearRequests(null);

/** Reschedules attempts dated in the future because the clock was wrong. */
export const rescheduleFutureDatedDeliveries = () => queue.rescheduleFutureDated(clock().now(), CLOCK_SKEW_MS);

/** Advances waiting retries after a test clock was advanced. Returns the number of retries. */
export const advanceRetries = (test_clock_id: string): Promise<number> =>
  queue.advanceRetries(test_clock_id, clock().now());
