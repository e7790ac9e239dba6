/**
 * The delivery worker of a process. A session claims due attempts, makes them side by side and writes their results in
 * batches, until nothing is due; sessions are started by the durable function webhook-delivery. The queue is the
 * database (queue.repository.ts): a session that dies with its process loses nothing but the attempts in its hands,
 * which are made again when their leases run out.
 */
import { nudgeRelay } from '@/events/nudge';
import { logger } from '@/infra/logger';
import { countAttempt } from '@/infra/metrics';
import { holderToken } from '@/infra/processes';
import { clock } from '@/shared/clock';
import { IN_FLIGHT } from '../endpoint-health.rules';
import { ATTEMPT_TIMEOUT_MS, attempt } from './attempt';
import { type ClaimedDelivery, claimDue, endLeases, queueState, releaseDue } from './queue.repository';
import { writeResults } from './results';
import type { Finished } from './results.rules';

/** Attempts that are claimed and not slow. Slow ones do not count here, being few per endpoint. */
const MAX_FAST = 512;
/** Of an endpoint's claimed attempts so many are under way at once; the others wait for their turn in its lane. */
const AT_ONCE = 32;
/** All of them together: sockets are not endless. */
const MAX_IN_FLIGHT = 1_024;
/** An attempt that takes longer is slow: the session no longer waits for it, and its endpoint gets fewer at once. */
const SLOW_MS = 1_000;
const SLOW_MEMORY_MS = 10_000;
/** Longer than any attempt, so that a lease that runs out means a dead process. */
const LEASE_MS = ATTEMPT_TIMEOUT_MS * 3;
/** A session stays this long after its last attempt, so that a steady stream is one session and not one a delivery. */
const LINGER_MS = 200;
/** Claims and results are gathered this long while others are in flight: each costs a statement, whatever it holds. */
const GATHER_MS = 10;
/** A claim for places that became free waits this long, unless half of them are. */
const REFILL_MS = 50;
/** So many results are written without waiting for more. */
const FULL_BATCH = 128;

const DEFAULT_LIMITS = { attempts: 2_000, ms: 20_000, linger_ms: LINGER_MS };

export interface SessionReport {
  /** Attempts made. */
  attempts: number;
  /** The session ended at its limit: there may be more to do. */
  more: boolean;
  /** Another session of this process was at it already and looks once more. */
  joined: boolean;
}

/** What this process has claimed for one endpoint. */
interface Lane {
  waiting: ClaimedDelivery[];
  in_flight: number;
}

export class DeliveryWorker {
  readonly #in_flight = new Set<{ started: number }>();
  readonly #lanes = new Map<string, Lane>();
  readonly #slow_until = new Map<string, number>();
  #finished: Finished[] = [];
  /** When the oldest of them finished; performance.now(), as all times here. */
  #finished_at = 0;
  #claimed_at = 0;
  /** Fast attempts in flight after the last claim. */
  #filled = 0;
  #session = false;
  #sessions = 0;
  #again = false;
  /** Somebody says that there is new work, which is not to wait for places to become free. */
  #poked = false;
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
    this.#poked = true;
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
      let active_at = performance.now();
      for (;;) {
        const changed = this.#signalled();
        const spent = attempts >= limits.attempts || performance.now() > deadline || this.#stopping;
        if (!spent && this.#mayClaim()) {
          const claimed = await this.#claim();
          attempts += claimed;
          if (claimed > 0) continue;
        }
        if (this.#mayFlush()) this.#flush();
        const busy = this.#fast() > 0 || this.#writing !== null || this.#finished.length > 0;
        if (busy || (this.#again && !spent)) active_at = performance.now();
        else if (spent || performance.now() - active_at >= limits.linger_ms) break;
        const gathering = this.#finished.length > 0 || (this.#again && !spent);
        await Promise.race([changed, pause(gathering ? GATHER_MS : busy ? SLOW_MS : limits.linger_ms)]);
      }
    } finally {
      this.#session = false;
    }
    // The wake-up that began this may have stood for several: whoever plans the next one has to look again.
    if (attempts > 0 && !this.#stopping) nudgeRelay();
    return { attempts, more: this.#again && !this.#stopping, joined: false };
  }

  /** Whether to look for due attempts now: there may be some, there is room, and it is worth a statement. */
  #mayClaim(): boolean {
    const fast = this.#fast();
    if (!this.#again || fast >= MAX_FAST || this.#in_flight.size >= MAX_IN_FLIGHT) return false;
    if (fast === 0) return true;
    return fast <= this.#filled / 2 || performance.now() - this.#claimed_at >= (this.#poked ? GATHER_MS : REFILL_MS);
  }

  /** Whether to write what has finished now, or to gather more first. */
  #mayFlush(): boolean {
    if (this.#finished.length >= FULL_BATCH || this.#fast() === 0) return true;
    return performance.now() - this.#finished_at >= GATHER_MS;
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
    for (const lane of this.#lanes.values()) fast += lane.waiting.length;
    return fast;
  }

  /** Claims what there is room for and makes the attempts; the number of them. */
  async #claim(): Promise<number> {
    this.#again = false;
    this.#poked = false;
    const now = clock().now();
    const elapsed = performance.now();
    for (const [id, until] of this.#slow_until) if (until < elapsed) this.#slow_until.delete(id);
    const room = Math.min(MAX_FAST - this.#fast(), MAX_IN_FLIGHT - this.#in_flight.size);
    const claimed = await claimDue(now, new Date(now.getTime() + LEASE_MS), holderToken(), room, {
      ...IN_FLIGHT,
      slow_endpoints: [...this.#slow_until.keys()],
    });
    for (const delivery of claimed) this.#queue(delivery);
    this.#claimed_at = performance.now();
    this.#filled = this.#fast();
    // It was cut short by the room: there may be more as soon as there is room again.
    if (claimed.length >= room) this.#again = true;
    return claimed.length;
  }

  #queue(delivery: ClaimedDelivery): void {
    let lane = this.#lanes.get(delivery.endpoint_id);
    if (!lane) {
      lane = { waiting: [], in_flight: 0 };
      this.#lanes.set(delivery.endpoint_id, lane);
    }
    lane.waiting.push(delivery);
    this.#advance(lane);
  }

  #advance(lane: Lane): void {
    while (lane.in_flight < AT_ONCE && lane.waiting.length > 0) this.#make(lane.waiting.shift()!, lane);
  }

  #make(delivery: ClaimedDelivery, lane: Lane): void {
    const one = { started: performance.now() };
    this.#in_flight.add(one);
    lane.in_flight += 1;
    void attempt(delivery).then((outcome) => {
      countAttempt(outcome);
      this.#in_flight.delete(one);
      lane.in_flight -= 1;
      this.#rememberPace(delivery.endpoint_id, outcome.duration_ms);
      if (this.#finished.length === 0) this.#finished_at = performance.now();
      this.#finished.push({ delivery, outcome, random: Math.random() });
      // Those that wait behind a failure go back to the queue, where the endpoint's health decides.
      if (outcome.accepted && outcome.duration_ms < SLOW_MS && !this.#stopping) this.#advance(lane);
      else this.#release(lane);
      if (lane.in_flight === 0 && lane.waiting.length === 0) this.#lanes.delete(delivery.endpoint_id);
      this.#signal();
      // The session may have gone on without this one.
      if (!this.#session) this.#flush();
    });
  }

  #release(lane: Lane): void {
    const waiting = lane.waiting.splice(0);
    if (waiting.length === 0) return;
    releaseDue(waiting)
      .then(() => {
        this.#again = true;
        this.#signal();
        // The session may have looked for the last time while these were still leased.
        if (!this.#session) nudgeRelay();
      })
      .catch((error) => logger().error({ err: error }, 'leases could not be given back; they will run out'));
  }

  /** One quick answer clears an endpoint: what was slow may have been this process. */
  #rememberPace(endpoint_id: string, duration_ms: number): void {
    if (duration_ms < SLOW_MS) this.#slow_until.delete(endpoint_id);
    else this.#slow_until.set(endpoint_id, performance.now() + SLOW_MEMORY_MS);
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
/** Frees what dead processes held. */
export const freeHeldDeliveries = endLeases;
