/**
 * The delivery worker of a process. A session claims due attempts, makes them side by side and writes their results in
 * batches, until nothing is due; sessions are started by the durable function webhook-delivery. The queue is the
 * database (queue.repository.ts): a session that dies with its process loses nothing but the attempts in its hands,
 * which are made again when their leases run out.
 */
import { nudgeRelay } from '@/events/nudge';
import { logger } from '@/infra/logger';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import { ATTEMPT_TIMEOUT_MS, attempt } from './attempt';
import { IN_FLIGHT } from './endpoint-health.rules';
import { type ClaimedDelivery, claimDue, endLeases, queueState } from './queue.repository';
import { writeResults } from './results';
import type { Finished } from './results.rules';

/** Attempts in flight that answer in good time; slow ones do not count, being few per endpoint. */
const MAX_FAST = 64;
/** All of them together: sockets are not endless. */
const MAX_IN_FLIGHT = 512;
/** An attempt that takes longer is slow: the session no longer waits for it, and its endpoint gets fewer at once. */
const SLOW_MS = 1_000;
const SLOW_MEMORY_MS = 60_000;
/** Longer than any attempt, so that a lease that runs out means a dead process. */
const LEASE_MS = ATTEMPT_TIMEOUT_MS * 3;
/** A session stays this long after its last attempt, so that a steady stream is one session and not one a delivery. */
const LINGER_MS = 200;

const DEFAULT_LIMITS = { attempts: 2_000, ms: 20_000, linger_ms: LINGER_MS };

export interface SessionReport {
  /** Attempts made. */
  attempts: number;
  /** The session ended at its limit: there may be more to do. */
  more: boolean;
  /** Another session of this process was at it already and looks once more. */
  joined: boolean;
}

export class DeliveryWorker {
  readonly #in_flight = new Set<{ started: number }>();
  readonly #slow_until = new Map<string, number>();
  #finished: Finished[] = [];
  #session = false;
  #sessions = 0;
  #again = false;
  #stopping = false;
  #writing: Promise<void> | null = null;
  #waiting: (() => void)[] = [];

  /** How many sessions have begun. */
  get sessions(): number {
    return this.#sessions;
  }

  /** Makes a running session look for due attempts again; false when none runs. */
  poke(): boolean {
    if (!this.#session || this.#stopping) return false;
    this.#again = true;
    this.#signal();
    return true;
  }

  /** Works until nothing is due, or one of the limits is reached. */
  async run(limits = DEFAULT_LIMITS): Promise<SessionReport> {
    if (this.#stopping) return { attempts: 0, more: false, joined: false };
    if (this.poke()) return { attempts: 0, more: false, joined: true };
    this.#session = true;
    this.#sessions += 1;
    this.#again = true;
    const deadline = performance.now() + limits.ms;
    let attempts = 0;
    try {
      let idle_since = performance.now();
      for (;;) {
        const spent = attempts >= limits.attempts || performance.now() > deadline || this.#stopping;
        const changed = this.#signalled();
        const room = this.#room();
        if (this.#again && !spent && room > 0) {
          this.#again = false;
          const claimed = await this.#claim(room);
          attempts += claimed.length;
          // A claim that found something may have been cut short by the slots or an endpoint's allowance.
          if (claimed.length > 0) this.#again = true;
          if (claimed.length >= room || claimed.length === 0) this.#flush();
          if (claimed.length > 0) {
            for (const delivery of claimed) this.#make(delivery);
            idle_since = performance.now();
            continue;
          }
        }
        this.#flush();
        const busy = this.#fast() > 0 || this.#writing !== null || this.#finished.length > 0;
        if (busy) idle_since = performance.now();
        else if (spent || performance.now() - idle_since >= limits.linger_ms) break;
        await Promise.race([changed, pause(busy ? SLOW_MS : limits.linger_ms)]);
      }
    } finally {
      this.#session = false;
    }
    return { attempts, more: this.#again && !this.#stopping, joined: false };
  }

  /** Takes no more work, and waits for what is in flight to be written. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#signal();
    while (this.#in_flight.size > 0 || this.#finished.length > 0 || this.#writing) {
      this.#flush();
      await Promise.race([this.#signalled(), pause(100)]);
    }
  }

  /** Resolves with the next signal: an attempt ended, a batch was written, somebody poked. */
  #signalled(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #signal(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #fast(): number {
    const slow_before = performance.now() - SLOW_MS;
    let fast = 0;
    for (const one of this.#in_flight) if (one.started > slow_before) fast += 1;
    return fast;
  }

  #room(): number {
    return Math.min(MAX_FAST - this.#fast(), MAX_IN_FLIGHT - this.#in_flight.size);
  }

  #claim(room: number): Promise<ClaimedDelivery[]> {
    const now = clock().now();
    const elapsed = performance.now();
    for (const [id, until] of this.#slow_until) if (until < elapsed) this.#slow_until.delete(id);
    return claimDue(now, new Date(now.getTime() + LEASE_MS), newId('request'), room, {
      ...IN_FLIGHT,
      slow_endpoints: [...this.#slow_until.keys()],
    });
  }

  #make(delivery: ClaimedDelivery): void {
    const one = { started: performance.now() };
    this.#in_flight.add(one);
    void attempt(delivery).then((outcome) => {
      if (outcome.duration_ms >= SLOW_MS)
        this.#slow_until.set(delivery.endpoint_id, performance.now() + SLOW_MEMORY_MS);
      this.#in_flight.delete(one);
      this.#finished.push({ delivery, outcome, random: Math.random() });
      this.#signal();
      // The session may have gone on without this one.
      if (!this.#session) this.#flush();
    });
  }

  /** Writes what has finished; what finishes during a write goes with the next one. */
  #flush(): void {
    if (this.#writing || this.#finished.length === 0) return;
    const batch = this.#finished;
    this.#finished = [];
    this.#writing = writeResults(batch)
      .catch((error) => logger().error({ err: error, attempts: batch.length }, 'webhook results could not be stored'))
      .then(() => {
        this.#writing = null;
        // A place at the endpoint is free, and retries have a time: whoever waits for them must know.
        this.#again = true;
        if (!this.#session || batch.some(({ outcome }) => !outcome.accepted)) nudgeRelay();
        this.#signal();
        if (!this.#session) this.#flush();
      });
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

let shared: DeliveryWorker | undefined;

/** The process's worker. */
export function deliveryWorker(): DeliveryWorker {
  shared ??= new DeliveryWorker();
  return shared;
}

/** Stops and forgets the process's worker. */
export async function stopDeliveryWorker(): Promise<void> {
  const worker = shared;
  shared = undefined;
  await worker?.stop();
}

/** Whether anything could be delivered now, and when the next attempt falls due. */
export const deliveryState = queueState;
/** Frees what a dead predecessor held; only for a process that is alone on its database. */
export const freeHeldDeliveries = endLeases;
