/**
 * The relay distributes committed events. For each event it queues a delivery for every subscribed
 * endpoint, sends the event to durable functions that listen to it, and then marks it as relayed.
 * Each step may safely be repeated, so a crash in between only causes a repetition: deliveries are
 * unique by endpoint, event and attempt, and functions get the event's id as idempotency key. Teams
 * take turns, so that a team's latency depends on its own traffic.
 */
import { logger } from '@/infra/logger';
import type { Mode } from '@/shared/scope';
import { hasSeveralTeamsWithRecentEvents, recordTeamWithRecentEvent } from './active-teams';
import type { EventType, WebhookDeliveryBody } from './catalogue';
import {
  DEAD_LETTER_FAILURE_COUNT,
  incrementRelayFailureCount,
  markEventsRelayed,
  type PendingEvent,
  queueWebhookDeliveries,
  readEventBatchWithEqualTeamShares,
  readWebhookEventDataById,
} from './outbox';
import { setEventRelayListener } from './process-listeners';
import { createSelfRetryingTask } from './retried-task';

/**
 * Events per batch, and therefore the maximum number of events ahead of another team's new event.
 */
const BATCH = 100;
/**
 * Limits while several teams are active: the number of events per team in a batch, and the pause
 * after the batch. A commit ends the pause early.
 */
const PIECE = { events: 10, pause_ms: 50 };
/** A failed batch is retried in this many parts. */
const PARTS = 4;
/**
 * When this many batches of a single event have failed in a row, the relay assumes an outage and
 * not faulty events.
 */
const ALONE_IN_A_ROW = 2;
/**
 * The longest time for which a failed event is skipped. The first time is shorter, and the time
 * doubles with each failure.
 */
const LONGEST_ASIDE_MS = 30_000;
/** Minimum time between two log entries about failures of single events. */
const REMIND_MS = 60_000;

/** Event types that durable functions listen to. */
const LISTENED: ReadonlySet<EventType> = new Set<EventType>(['reservation.signed']);

/** An event in the form that durable functions receive. */
export interface DomainEvent {
  event_id: string;
  team_id: string;
  mode: Mode;
  object_id: string;
  /**
   * The event's `data` without the resource (events/catalogue.ts). The resource stays in the
   * database, because an Inngest server stores what it receives and must not get a guest's data.
   */
  data: Omit<WebhookDeliveryBody['data'], 'object'>;
}

/** An event for Inngest, which ignores a second event with the same `id`. */
export interface PublishedEvent {
  id: string;
  name: EventType;
  data: DomainEvent;
}

export type EventPublisher = (events: PublishedEvent[]) => Promise<void>;

/**
 * Thrown when events could not be sent to durable functions. All other work of the batch was done.
 */
class PublishFailed extends Error {
  constructor(
    readonly events: readonly PendingEvent[],
    cause: unknown,
  ) {
    super('The durable functions could not be given their events.', { cause });
  }
}

/** Relays one batch, in which the teams take turns. Returns the number of events. */
export async function relayEventBatch(publish: EventPublisher): Promise<number> {
  const { events } = await readEventBatchWithEqualTeamShares({
    limit: BATCH,
    quantum: BATCH,
    after_team: '',
    skip: [],
    but_types: [],
  });
  await relayEvents(events, publish).catch((error: Error) => {
    throw error instanceof PublishFailed ? error.cause : error;
  });
  return events.length;
}

async function relayEvents(events: readonly PendingEvent[], publish: EventPublisher): Promise<void> {
  if (events.length === 0) return;
  for (const { team_id } of events) recordTeamWithRecentEvent(team_id);
  await queueWebhookDeliveries(events);
  const listened = events.filter((event) => LISTENED.has(event.type));
  const failed = await publishListened(listened, publish).then(
    () => null,
    (error: unknown) => new PublishFailed(listened, error),
  );
  const done = failed ? events.filter((event) => !LISTENED.has(event.type)) : events;
  await markEventsRelayed(done.map(({ id }) => id));
  if (failed) throw failed;
}

async function publishListened(events: readonly PendingEvent[], publish: EventPublisher): Promise<void> {
  if (events.length === 0) return;
  const data = await readWebhookEventDataById(events.map(({ id }) => id));
  await publish(
    events.flatMap(({ id, team_id, mode, type, object_id }) => {
      const { object, ...own } = data.get(id) ?? {};
      return object ? [{ id, name: type, data: { event_id: id, team_id, mode, object_id, data: own } }] : [];
    }),
  );
}

/** An event that failed in a batch of its own. It is skipped until its next attempt. */
interface SkippedEvent {
  error: unknown;
  /** Whether sending the event to functions failed. If false, queueing its deliveries failed. */
  publishing: boolean;
  /**
   * Whether other events have succeeded since this event failed. Until then the cause may be an
   * outage.
   */
  confirmed: boolean;
  tries: number;
  until: number;
}

/**
 * Relays the outbox batch by batch. A failed batch is retried in smaller parts, down to single
 * events. An event that fails alone is skipped for a while, and the failure counts once other
 * events have succeeded. If no event succeeds, the database or the Inngest server is the cause, and
 * the pass ends.
 */
class OutboxRelay {
  #limit = BATCH;
  /** Whether a commit happened since the batch was read. If so, the next pause is omitted. */
  #hurried = false;
  #endPause: () => void = () => {};
  readonly #aside = new Map<string, SkippedEvent>();
  #logged_at = Number.NEGATIVE_INFINITY;

  constructor(
    readonly publish: EventPublisher,
    readonly relayed: () => void,
    readonly first_wait_ms: number,
  ) {}

  /**
   * Relays all pending events. Rejects when the database or the Inngest server does not respond.
   */
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
        if (batch.events.length > 0 && hasSeveralTeamsWithRecentEvents()) await this.#pause();
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

  /**
   * Returns the milliseconds until the first skipped event is retried, or null when no event is
   * skipped.
   */
  nextTry(): number | null {
    const times = [...this.#aside.values()].map(({ until }) => until);
    return times.length > 0 ? Math.max(0, Math.min(...times) - performance.now()) : null;
  }

  /** Makes the next pass skip no events. */
  retryAll(): void {
    for (const aside of this.#aside.values()) aside.until = 0;
  }

  /** Ends the current pause, or omits the next one. */
  hurry(): void {
    this.#hurried = true;
    this.#endPause();
  }

  async #pause(): Promise<void> {
    if (this.#hurried) return;
    await new Promise<void>((resolve) => {
      this.#endPause = resolve;
      setTimeout(resolve, PIECE.pause_ms);
    });
  }

  async #read(after_team: string, but_types: readonly EventType[]) {
    this.#hurried = false;
    const now = performance.now();
    const skip = [...this.#aside].flatMap(([id, { until }]) => (until > now ? [id] : []));
    try {
      const quantum = hasSeveralTeamsWithRecentEvents() ? PIECE.events : BATCH;
      const batch = await readEventBatchWithEqualTeamShares({
        limit: this.#limit,
        quantum,
        after_team,
        skip,
        but_types,
      });
      const found = new Set(batch.events.map(({ id }) => id));
      // A skipped event that is due, but was not read, has been relayed by another process or
      // deleted.
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

  /**
   * Handles a failed batch. Returns the error when an outage is the cause. Returns null when the
   * batch is to be retried in smaller parts, or its only event is skipped.
   */
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

  /** Logs at most once a minute, because attempts may be frequent. */
  #log(event_id: string, error: unknown): void {
    if (performance.now() - this.#logged_at < REMIND_MS) return;
    this.#logged_at = performance.now();
    logger().error({ event_id, err: error }, 'an event could not be relayed; it will be retried');
  }

  async #count(id: string, { error }: SkippedEvent): Promise<void> {
    const text = error instanceof Error ? error.message : String(error);
    if ((await incrementRelayFailureCount(id, text)) < DEAD_LETTER_FAILURE_COUNT) return;
    this.#aside.delete(id);
    logger().error({ event_id: id, err: error }, 'an event failed repeatedly and is now a dead letter');
  }
}

export interface EventRelay {
  /**
   * Relays all pending events, then wakes the workers. A call during a pass causes another pass.
   */
  run(): Promise<void>;
  /** Stops listening and waits for the current pass. */
  stop(): Promise<void>;
}

/** A worker that the relay wakes. */
export interface RelayTriggeredWorker {
  name: string;
  run(): Promise<void>;
}

/**
 * Relays after every commit of this process (events/process-listeners.ts). Several notifications
 * during a pass cause one more pass. Each worker in `wakes` runs after every batch. A failed worker
 * is retried until it succeeds, independently of the relay and of other workers.
 */
export function startEventRelay(
  publish: EventPublisher,
  wakes: readonly RelayTriggeredWorker[],
  first_wait_ms = 1_000,
): EventRelay {
  let timer: NodeJS.Timeout | undefined;
  const wakers = wakes.map(({ name, run }) => createSelfRetryingTask(name, run, first_wait_ms));
  const notifyWakers = () => {
    for (const waker of wakers) waker.notify();
  };
  const outbox = new OutboxRelay(publish, notifyWakers, first_wait_ms);
  const relay = createSelfRetryingTask(
    'the relay',
    async () => {
      clearTimeout(timer);
      await outbox.pass().finally(() => {
        const wait_ms = outbox.nextTry();
        if (wait_ms !== null) timer = setTimeout(() => void relay.notify(), wait_ms).unref();
      });
    },
    first_wait_ms,
  );

  setEventRelayListener(() => {
    outbox.hurry();
    if (!relay.notify()) notifyWakers();
  });
  return {
    async run() {
      outbox.retryAll();
      const [passed] = await Promise.allSettled([relay.run()]);
      const outcomes = [passed, ...(await Promise.allSettled(wakers.map((waker) => waker.run())))];
      for (const outcome of outcomes) if (outcome?.status === 'rejected') throw outcome.reason;
    },
    async stop() {
      setEventRelayListener(null);
      clearTimeout(timer);
      await Promise.all([relay.stop(), ...wakers.map((waker) => waker.stop())]);
      clearTimeout(timer);
    },
  };
}
