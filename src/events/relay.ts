/**
 * The relay: hands committed events on. For each event it queues a delivery for every endpoint that wants it, gives
 * the event to the durable functions that listen, and only then marks it as relayed. Each step may be repeated without
 * harm, so a crash between any two costs nothing but the repetition: deliveries are unique by endpoint, event and
 * attempt, and functions get the event's id as the idempotency key.
 *
 * Teams take turns: how long a team's event waits depends on its own traffic.
 */
import { logger } from '@/infra/logger';
import type { Mode } from '@/shared/scope';
import { noteActive, severalActive } from './active-teams';
import type { EventBody, EventType } from './catalogue';
import { onNudge } from './nudge';
import {
  countRelayFailure,
  DEAD_AFTER,
  markRelayed,
  type PendingEvent,
  queueDeliveries,
  readEventData,
  readFairBatch,
} from './outbox';
import { retriedTask } from './retried-task';

/** Events of a batch: a team whose events come in meanwhile waits for one of them. */
const BATCH = 100;
/** While several teams are active, a batch takes this many events of each, and a pause follows that a commit ends. */
const PIECE = { events: 10, pause_ms: 50 };
/** A batch that failed is tried again in so many parts. */
const PARTS = 4;
/** Two events that fail alone, with none that passed in between, are no fault of theirs. */
const ALONE_IN_A_ROW = 2;
/** How long an event that failed alone is left out doubles up to here. */
const LONGEST_ASIDE_MS = 30_000;
/** Failures of single events are logged this often. */
const REMIND_MS = 60_000;

/** The event types that a durable function listens to. */
const LISTENED: ReadonlySet<EventType> = new Set<EventType>(['reservation.signed']);

/** An event as a durable function gets it. */
export interface DomainEvent {
  event_id: string;
  team_id: string;
  mode: Mode;
  object_id: string;
  /** What the event's `data` adds to the resource (events/catalogue.ts). The resource itself stays in the database: whoever runs the functions keeps what it is given, and a guest's data is not theirs. */
  data: Omit<EventBody['data'], 'object'>;
}

/** What is handed to Inngest; `id` makes a repeat harmless. */
export interface PublishedEvent {
  id: string;
  name: EventType;
  data: DomainEvent;
}

export type Publish = (events: PublishedEvent[]) => Promise<void>;

/** Durable functions could not be given their events. All else of the batch is done. */
class PublishFailed extends Error {
  constructor(
    readonly events: readonly PendingEvent[],
    cause: unknown,
  ) {
    super('The durable functions could not be given their events.', { cause });
  }
}

/** Relays one batch, taken from all teams in turn, and returns how many events it held. */
export async function relayBatch(publish: Publish): Promise<number> {
  const { events } = await readFairBatch({ limit: BATCH, quantum: BATCH, after_team: '', skip: [], but_types: [] });
  await relayEvents(events, publish).catch((error: Error) => {
    throw error instanceof PublishFailed ? error.cause : error;
  });
  return events.length;
}

async function relayEvents(events: readonly PendingEvent[], publish: Publish): Promise<void> {
  if (events.length === 0) return;
  for (const { team_id } of events) noteActive(team_id);
  await queueDeliveries(events);
  const listened = events.filter((event) => LISTENED.has(event.type));
  const failed = await publishListened(listened, publish).then(
    () => null,
    (error: unknown) => new PublishFailed(listened, error),
  );
  const done = failed ? events.filter((event) => !LISTENED.has(event.type)) : events;
  await markRelayed(done.map(({ id }) => id));
  if (failed) throw failed;
}

async function publishListened(events: readonly PendingEvent[], publish: Publish): Promise<void> {
  if (events.length === 0) return;
  const data = await readEventData(events.map(({ id }) => id));
  await publish(
    events.flatMap(({ id, team_id, mode, type, object_id }) => {
      const { object, ...own } = data.get(id) ?? {};
      return object ? [{ id, name: type, data: { event_id: id, team_id, mode, object_id, data: own } }] : [];
    }),
  );
}

/** An event that failed alone. It is left out until its next try. */
interface Aside {
  error: unknown;
  /** Functions could not be given it; else its deliveries could not be queued. */
  publishing: boolean;
  /** Others have passed since it failed. Until then the fault may be elsewhere. */
  confirmed: boolean;
  tries: number;
  until: number;
}

/**
 * Relays the outbox batch by batch. A batch that fails is tried again in smaller parts, down to single events: one that
 * fails alone is left out for a while, and once others have passed the failure counts against it. Where nothing passes,
 * the database or the Inngest server is at fault, and the pass ends.
 */
class OutboxRelay {
  #limit = BATCH;
  /** Ends the pause. */
  hurry: () => void = () => {};
  readonly #aside = new Map<string, Aside>();
  #logged_at = Number.NEGATIVE_INFINITY;

  constructor(
    readonly publish: Publish,
    readonly relayed: () => void,
    readonly first_wait_ms: number,
  ) {}

  /** Relays all that waits. Rejects when the database or the Inngest server does not answer. */
  async pass(): Promise<void> {
    let after_team = '';
    let unpublished: unknown = null;
    for (;;) {
      const batch = await this.#read(after_team, unpublished ? [...LISTENED] : []);
      try {
        await relayEvents(batch.events, this.publish);
        await this.#passed(batch.events);
        if (!batch.more && !batch.next_team) break;
        after_team = batch.next_team ?? '';
        this.relayed();
        if (batch.events.length > 0 && severalActive()) await this.#pause();
      } catch (error) {
        const outage = this.#failed(batch.events, error);
        if (outage && !(error instanceof PublishFailed)) throw outage;
        unpublished ??= outage;
        this.relayed();
      }
    }
    this.relayed();
    if (unpublished) throw unpublished;
  }

  /** Milliseconds until the first of the events that are left out is tried again; null when there is none. */
  nextTry(): number | null {
    const times = [...this.#aside.values()].map(({ until }) => until);
    return times.length > 0 ? Math.max(0, Math.min(...times) - performance.now()) : null;
  }

  /** The next pass leaves out none. */
  retryAll(): void {
    for (const aside of this.#aside.values()) aside.until = 0;
  }

  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.hurry = resolve;
      setTimeout(resolve, PIECE.pause_ms);
    });
  }

  async #read(after_team: string, but_types: readonly EventType[]) {
    const now = performance.now();
    const skip = [...this.#aside].flatMap(([id, { until }]) => (until > now ? [id] : []));
    try {
      const quantum = severalActive() ? PIECE.events : BATCH;
      const batch = await readFairBatch({ limit: this.#limit, quantum, after_team, skip, but_types });
      const found = new Set(batch.events.map(({ id }) => id));
      // One that is due and does not come was relayed by another process, or deleted.
      if (after_team === '' && !batch.more && !batch.next_team && but_types.length === 0)
        for (const [id, { until }] of this.#aside) if (until <= now && !found.has(id)) this.#aside.delete(id);
      return batch;
    } catch (error) {
      this.#shrink(this.#limit);
      throw error;
    }
  }

  #shrink(tried: number): void {
    this.#limit = Math.max(1, Math.ceil(Math.min(tried, this.#limit) / PARTS));
  }

  async #passed(events: readonly PendingEvent[]): Promise<void> {
    this.#limit = Math.min(BATCH, this.#limit * 2);
    for (const { id } of events) this.#aside.delete(id);
    const published = events.some((event) => LISTENED.has(event.type));
    for (const [id, aside] of this.#aside) {
      if (aside.confirmed || !(published || (!aside.publishing && events.length > 0))) continue;
      aside.confirmed = true;
      await this.#count(id, aside);
    }
  }

  /** Returns the error when it is no fault of the events, else null. */
  #failed(events: readonly PendingEvent[], failure: unknown): unknown {
    const publishing = failure instanceof PublishFailed;
    const [tried, error] = publishing ? [failure.events, failure.cause] : [events, failure];
    this.#shrink(tried.length);
    const [only] = tried;
    if (tried.length !== 1 || !only) return null;
    this.#limit = 1;
    const tries = (this.#aside.get(only.id)?.tries ?? 0) + 1;
    const wait_ms = Math.min(this.first_wait_ms * 2 ** (tries - 1), LONGEST_ASIDE_MS);
    const until = performance.now() + wait_ms;
    this.#aside.set(only.id, { error, publishing, confirmed: false, tries, until });
    const in_a_row = [...this.#aside].filter(([, one]) => !one.confirmed && one.publishing === publishing);
    if (in_a_row.length >= ALONE_IN_A_ROW) {
      for (const [id] of in_a_row) this.#aside.delete(id);
      return error;
    }
    this.#log(only.id, error);
    return null;
  }

  /** Once a minute: it may be tried often. */
  #log(event_id: string, error: unknown): void {
    if (performance.now() - this.#logged_at < REMIND_MS) return;
    this.#logged_at = performance.now();
    logger().error({ event_id, err: error }, 'an event could not be relayed; it is tried again');
  }

  async #count(id: string, { error }: Aside): Promise<void> {
    const text = error instanceof Error ? error.message : String(error);
    if ((await countRelayFailure(id, text)) < DEAD_AFTER) return;
    this.#aside.delete(id);
    logger().error({ event_id: id, err: error }, 'an event that keeps failing was given up: a dead letter');
  }
}

export interface Relay {
  /** Relays everything that waits, then wakes the workers. A call during a pass makes that pass look once more. */
  run(): Promise<void>;
  /** Stops listening to nudges and waits for the pass under way. */
  stop(): Promise<void>;
}

/** Something that asks for the runs of one kind of work. */
export interface Wake {
  name: string;
  run(): Promise<void>;
}

/**
 * Relays after every commit of this process (events/nudge.ts). Several nudges during one pass become one more pass. Each
 * of `wakes` runs after every batch and repeats itself while it fails, whatever becomes of the relay and of the others.
 */
export function startRelay(publish: Publish, wakes: readonly Wake[], first_wait_ms = 1_000): Relay {
  let timer: NodeJS.Timeout | undefined;
  const wakers = wakes.map(({ name, run }) => retriedTask(name, run, first_wait_ms));
  const nudgeWakers = () => {
    for (const waker of wakers) waker.nudge();
  };
  const outbox = new OutboxRelay(publish, nudgeWakers, first_wait_ms);
  const relay = retriedTask(
    'the relay',
    async () => {
      clearTimeout(timer);
      await outbox.pass().finally(() => {
        const wait_ms = outbox.nextTry();
        if (wait_ms !== null) timer = setTimeout(() => void relay.nudge(), wait_ms).unref();
      });
    },
    first_wait_ms,
  );

  onNudge(() => {
    outbox.hurry();
    if (!relay.nudge()) nudgeWakers();
  });
  return {
    async run() {
      outbox.retryAll();
      const [passed] = await Promise.allSettled([relay.run()]);
      const outcomes = [passed, ...(await Promise.allSettled(wakers.map((waker) => waker.run())))];
      for (const outcome of outcomes) if (outcome?.status === 'rejected') throw outcome.reason;
    },
    async stop() {
      onNudge(null);
      clearTimeout(timer);
      await Promise.all([relay.stop(), ...wakers.map((waker) => waker.stop())]);
      clearTimeout(timer);
    },
  };
}
