/**
 * Which endpoints need a run and when: those with work that nobody has in hand. What was asked for is noted on the row of
 * the endpoint, so that many events, and many processes, ask once; a run clears the note as it begins.
 */
import { CLOCK_SKEW_MS, clock } from '@/shared/clock';
import { pokeRun } from './delivery';
import * as queue from './queue.repository';

/** A run to ask for. */
export interface EndpointWork {
  endpoint_id: string;
  team_id: string;
  url: string;
  /** Of the endpoint: a run that was cancelled when it was disabled is not the one that is asked for now. */
  version: number;
  /** Null: now. */
  at: Date | null;
}

/** Within this, times are rounded up to tenths of a second, beyond it to seconds: many retries, few runs. */
const FINE_MS = 10_000;

/** The moment to wake for something due at `due_at`: never before it. Pure. */
export function wakeTime(due_at: Date, now: Date): Date {
  const grain = due_at.getTime() - now.getTime() < FINE_MS ? 100 : 1_000;
  return new Date(Math.ceil(due_at.getTime() / grain) * grain);
}

/** Endpoints that may bear the note of a request that was never made. */
const uncertain = new Set<string>();

async function forgetUncertain(): Promise<void> {
  if (uncertain.size === 0) return;
  const ids = [...uncertain];
  await queue.forgetAsked(ids);
  for (const id of ids) uncertain.delete(id);
}

/** Asks for the runs that are needed, of all endpoints or of those given. Each is named once; runs of this process are told themselves. */
export async function askForRuns(
  ask: (work: EndpointWork[]) => Promise<void>,
  endpoint_ids: readonly string[] | null = null,
): Promise<void> {
  await forgetUncertain();
  const now = clock().now();
  const waiting = await queue.findUnasked(now, endpoint_ids);
  // One that runs here looks again, and asks for its next time when it ends.
  const wanted = waiting
    .filter(({ id }) => !pokeRun(id))
    .map((endpoint) => ({ ...endpoint, at: endpoint.next_at <= now ? null : wakeTime(endpoint.next_at, now) }));
  if (wanted.length === 0) return;
  // Noted before: a run that begins at once must find the note, to clear it.
  const notes = wanted.map(({ id, wake_at, at }) => ({ id, was: wake_at, wake_at: at ?? now }));
  const noted = await queue.noteAsked(notes).catch((error: unknown) => {
    // It may have committed although its answer was lost: a note without a request, which nobody would repeat soon.
    for (const { id } of notes) uncertain.add(id);
    throw error;
  });
  const asked = wanted.filter(({ id }) => noted.has(id));
  if (asked.length === 0) return;
  try {
    await ask(asked.map(({ id, team_id, url, version, at }) => ({ endpoint_id: id, team_id, url, version, at })));
  } catch (error) {
    for (const { id } of asked) uncertain.add(id);
    await forgetUncertain();
    throw error;
  }
}

/** Runs that were asked for are lost: endpoints are asked for again. */
export const forgetAskedDeliveries = () => queue.forgetAsked(null);

/** Puts right what a clock left behind that was ahead. */
export const pullBackDeliveries = () => queue.pullBackFuture(clock().now(), CLOCK_SKEW_MS);
