/**
 * Delivers the due events of one endpoint with as many parallel attempts as its health allows,
 * until nothing is due. This includes attempts that become due during the run. The durable function
 * deliver-to-endpoint starts one run at a time for each endpoint. An unresponsive endpoint
 * therefore delays only its own deliveries.
 */

import { hasSeveralTeamsWithRecentEvents, recordTeamWithRecentEvent } from '@/events/active-teams';
import { batchCalls } from '@/infra/db/batch-calls';
import { recordWebhookAttemptMetric } from '@/infra/metrics';
import { createLeaseToken } from '@/infra/process/processes';
import { clock } from '@/shared/clock';
import { MAX_PARALLEL_ATTEMPTS_PER_ENDPOINT } from '../endpoint-health.rules';
import { ATTEMPT_TIMEOUT_MS, performDeliveryAttempt } from './attempt';
import * as queue from './queue.repository';
import { saveFinishedDeliveryAttempt } from './results';

/**
 * The duration of a lease, which is longer than any attempt. In a running process, a lease expires
 * only if the result cannot be stored.
 */
const LEASE_MS = ATTEMPT_TIMEOUT_MS * 3;
/**
 * While requests are in flight, a run claims more attempts after this time, or as soon as half of
 * the claimed attempts have ended.
 */
const REFILL_MS = 20;
/**
 * The interval at which a run that waits for responses checks for deliveries queued by other
 * processes.
 */
const LOOK_MS = 1_000;

/** The limits of a run. `linger_ms` is how long it waits for more events after its last attempt. */
const LIMITS = { attempts: 2_000, ms: 20_000, linger_ms: 200 };

/** A run that has begun this many attempts counts as having a backlog. */
const BACKLOG = 64;
/**
 * While several teams are active, all runs of a team with a backlog together begin this many
 * attempts and then pause.
 */
const PIECE = { attempts: 8, pause_ms: 50 };

export interface WebhookDeliveryRunReport {
  succeeded: number;
  failed: number;
  /** Whether the run reached its limit, so that more deliveries may be due. */
  more: boolean;
}

const noteBegun = batchCalls(async (endpoint_ids: string[]) => {
  await queue.clearStartTimesOfRequestedDeliveryRuns(endpoint_ids);
  return endpoint_ids;
});

const claim = batchCalls(async (asked: queue.DeliveryClaimRequest[]) => {
  const now = clock().now();
  const until = new Date(now.getTime() + LEASE_MS);
  const claimed = await queue.claimDueDeliveries(
    asked,
    now,
    until,
    createLeaseToken(),
    MAX_PARALLEL_ATTEMPTS_PER_ENDPOINT,
  );
  return asked.map(({ endpoint_id }) => claimed.filter((delivery) => delivery.endpoint_id === endpoint_id));
});

const live = new Map<string, EndpointRun>();
let stopping = false;

/**
 * Delivers the due events of an endpoint. If a run for the endpoint is in progress in this process,
 * only wakes that run.
 */
export async function deliverDueEventsToEndpoint(
  endpoint_id: string,
  limits = LIMITS,
): Promise<WebhookDeliveryRunReport> {
  if (wakeEndpointDeliveryRun(endpoint_id) || stopping) return { succeeded: 0, failed: 0, more: false };
  const run = new EndpointRun(endpoint_id);
  live.set(endpoint_id, run);
  try {
    return await run.deliver(limits);
  } finally {
    live.delete(endpoint_id);
  }
}

/**
 * Wakes this process's run for the endpoint, so that it checks for due events. Returns false when
 * there is no run.
 */
export function wakeEndpointDeliveryRun(endpoint_id: string): boolean {
  return live.get(endpoint_id)?.poke() ?? false;
}

/** The maximum time for waiting until attempts have ended and their results are stored. */
const DRAIN_MS = ATTEMPT_TIMEOUT_MS + 3_000;

/**
 * Begins no more attempts and waits until results are stored, for at most `drain_ms`. Attempts
 * without a stored result are repeated after this process has ended and its leases are released.
 */
export async function stopDeliveryAttemptsOfProcess(drain_ms = DRAIN_MS): Promise<void> {
  stopping = true;
  for (const run of live.values()) run.poke();
  const until = performance.now() + drain_ms;
  while (live.size > 0 && performance.now() < until) await pause(20);
  // `stopping` remains true while runs remain, so that these runs begin no more attempts.
  stopping = live.size > 0;
}

class EndpointRun {
  /**
   * The number of occupied slots. A failed attempt occupies its slot until the failure is stored,
   * because the next claim reads the stored failures. `#unstored` counts results that are not
   * stored yet.
   */
  #in_flight = 0;
  #unstored = 0;
  #succeeded = 0;
  #failed = 0;
  #look = true;
  #poked = true;
  #filled = 0;
  #claimed_at = 0;
  #team_id = '';
  #wake: () => void = () => {};

  constructor(readonly endpoint_id: string) {}

  poke(): true {
    this.#look = true;
    this.#poked = true;
    this.#wake();
    return true;
  }

  async deliver(limits: typeof LIMITS): Promise<WebhookDeliveryRunReport> {
    const deadline = performance.now() + limits.ms;
    let begun = 0;
    let active_at = performance.now();
    await noteBegun(this.endpoint_id);
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      const spent = stopping || begun >= limits.attempts || performance.now() > deadline;
      const in_pieces = begun >= BACKLOG && hasSeveralTeamsWithRecentEvents();
      if (!spent && this.#mayClaim(in_pieces)) {
        const claimed = await this.#claim(in_pieces ? PIECE.attempts : MAX_PARALLEL_ATTEMPTS_PER_ENDPOINT.healthy);
        begun += claimed;
        if (claimed > 0) continue;
      }
      if (this.#unstored > 0) active_at = performance.now();
      else if (spent || (!this.#look && performance.now() - active_at >= limits.linger_ms)) break;
      await Promise.race([changed, pause(this.#patience(spent, limits.linger_ms))]);
      if (performance.now() - this.#claimed_at >= LOOK_MS) this.#look = true;
    }
    const [succeeded, failed] = [this.#succeeded, this.#failed];
    return { succeeded, failed, more: this.#look && !stopping };
  }

  #patience(spent: boolean, linger_ms: number): number {
    if (this.#look && !spent) return REFILL_MS;
    return this.#unstored > 0 ? LOOK_MS : Math.max(linger_ms, 1);
  }

  /**
   * Returns whether to claim more attempts. A claim is expensive, so a run waits until several
   * slots are free. A run that was woken for new events does not wait.
   */
  #mayClaim(in_pieces: boolean): boolean {
    if (!this.#look) return false;
    if (in_pieces) return performance.now() - this.#teamClaimedAt() >= PIECE.pause_ms;
    return this.#poked || this.#in_flight <= this.#filled / 2 || performance.now() - this.#claimed_at >= REFILL_MS;
  }

  #teamClaimedAt(): number {
    const runs = [...live.values()].filter((run) => run.#team_id === this.#team_id);
    return Math.max(...runs.map((run) => run.#claimed_at));
  }

  async #claim(most: number): Promise<number> {
    this.#look = false;
    this.#poked = false;
    const claimed = await claim({ endpoint_id: this.endpoint_id, in_flight: this.#in_flight, most });
    const [first] = claimed;
    if (first) {
      this.#team_id = first.team_id;
      recordTeamWithRecentEvent(first.team_id);
    }
    for (const delivery of claimed) void this.#make(delivery);
    this.#filled = this.#in_flight;
    this.#claimed_at = performance.now();
    return claimed.length;
  }

  async #make(delivery: queue.ClaimedDelivery): Promise<void> {
    this.#in_flight += 1;
    this.#unstored += 1;
    const outcome = await performDeliveryAttempt(delivery);
    recordWebhookAttemptMetric(outcome);
    const stored = saveFinishedDeliveryAttempt({ delivery, outcome, random: Math.random() });
    if (outcome.accepted) {
      this.#succeeded += 1;
      this.#ended();
      await stored;
    } else {
      this.#failed += 1;
      await stored;
      this.#ended();
    }
    this.#unstored -= 1;
    this.#wake();
  }

  #ended(): void {
    this.#in_flight -= 1;
    this.#look = true;
    this.#wake();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

/** Releases the leases that dead processes held. */
export const releaseDeliveryLeasesOfDeadProcesses = queue.releaseAttemptLeasesOfDeadProcesses;
