/**
 * Requests runs for endpoints with due work that no process has leased. The requested time is
 * stored on the endpoint's row (`wake_at`), so that many events and processes request one run. A
 * run clears it when it begins.
 */
import { CLOCK_SKEW_MS, clock } from '@/shared/clock';
import { wakeRun } from './delivery';
import * as queue from './queue.repository';

/** A run to request. */
export interface EndpointWork {
  endpoint_id: string;
  team_id: string;
  url: string;
  /**
   * The version of the endpoint. Runs that were cancelled by disabling the endpoint have an earlier
   * one.
   */
  version: number;
  /** Null for now. */
  at: Date | null;
}

/** Wake times within this are rounded up to 0.1 s, later ones to 1 s: many retries share a run. */
const FINE_MS = 10_000;

/** When to wake for something due at `due_at`. Never before it. Pure. */
export function wakeTime(due_at: Date, now: Date): Date {
  const grain = due_at.getTime() - now.getTime() < FINE_MS ? 100 : 1_000;
  return new Date(Math.ceil(due_at.getTime() / grain) * grain);
}

/** Endpoints whose row may store a request that was never made. */
const uncertain = new Set<string>();

async function clearUncertain(): Promise<void> {
  if (uncertain.size === 0) return;
  const ids = [...uncertain];
  await queue.clearRequests(ids);
  for (const id of ids) uncertain.delete(id);
}

/**
 * Requests the runs that are needed, of all endpoints or of those given. Runs of this process are
 * woken directly.
 */
export async function requestRuns(
  ask: (work: EndpointWork[]) => Promise<void>,
  endpoint_ids: readonly string[] | null = null,
): Promise<void> {
  await clearUncertain();
  const now = clock().now();
  const waiting = await queue.findWithoutRequest(now, endpoint_ids);
  // A run of this process checks again, and requests its next time when it ends.
  const wanted = waiting
    .filter(({ id }) => !wakeRun(id))
    .map((endpoint) => ({ ...endpoint, at: endpoint.next_at <= now ? null : wakeTime(endpoint.next_at, now) }));
  if (wanted.length === 0) return;
  // Stored first: a run that begins at once must find it, to clear it.
  const notes = wanted.map(({ id, wake_at, at }) => ({ id, was: wake_at, wake_at: at ?? now }));
  const noted = await queue.storeRequests(notes).catch((error: unknown) => {
    // It may have committed although its response was lost. Then the stored run was never requested.
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

/** Brings waiting retries forward after a test clock was advanced. Returns how many. */
export const advanceRetries = (test_clock_id: string): Promise<number> =>
  queue.advanceRetries(test_clock_id, clock().now());
