/**
 * The relay: hands committed events on. For each event it queues a delivery for every endpoint that wants it, gives
 * the event to the durable functions that listen, and only then marks it as relayed. Each step may be repeated without
 * harm, so a crash between any two costs nothing but the repetition: deliveries are unique by endpoint, event and
 * attempt, and functions get the event's id as the idempotency key.
 */
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { logger } from '@/infra/logger';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Mode } from '@/shared/scope';
import type { EventBody, EventType } from './catalogue';
import { onNudge } from './nudge';

/** Events per round: one query each for reading, queueing and marking. */
const BATCH = 500;
const BATCH_OF_OTHERS = 100;

/** Clocks of several machines differ: an endpoint that seems this much younger than an event may well be older. */
const CLOCK_SKEW_MS = 5_000;

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

interface PendingEvent {
  id: string;
  team_id: string;
  mode: Mode;
  type: EventType;
  object_id: string;
  /** Unix milliseconds. */
  created_ms: number;
}

/** Relays one batch, oldest first, and returns how many events it held. */
export async function relayBatch(publish: Publish): Promise<number> {
  const events = await readUnrelayed();
  if (events.length === 0) return 0;
  await queueDeliveries(events);
  await publishListened(events, publish);
  await systemDb().$executeRaw(Prisma.sql`
    UPDATE events SET relayed_at = ${clock().now().toISOString()}::timestamptz
    WHERE id IN (SELECT jsonb_array_elements_text(${JSON.stringify(events.map(({ id }) => id))}::jsonb)) AND relayed_at IS NULL`);
  return events.length;
}

/** The oldest batch; where teams have more than that waiting, the oldest of the others come along, and need not wait for it all. */
async function readUnrelayed(): Promise<PendingEvent[]> {
  const oldest = await readOldest(BATCH, []);
  if (oldest.length < BATCH) return oldest;
  return oldest.concat(await readOldest(BATCH_OF_OTHERS, [...new Set(oldest.map((event) => event.team_id))]));
}

/** As one value of JSON: taking hundreds of rows apart value by value costs more than the query. */
async function readOldest(limit: number, but_of: string[]): Promise<PendingEvent[]> {
  const [result] = await systemDb().$queryRaw<{ rows: string | null }[]>(Prisma.sql`
    SELECT json_agg(x)::text AS rows FROM (
      SELECT id, team_id, mode, type, object_id, (extract(epoch FROM created_at) * 1000)::bigint AS created_ms
      FROM events WHERE relayed_at IS NULL AND team_id <> ALL (${but_of}) ORDER BY id LIMIT ${limit}::int
    ) x`);
  return result?.rows ? (JSON.parse(result.rows) as PendingEvent[]) : [];
}

/** A row for every endpoint that is enabled now, wants the type, and existed when the event occurred. */
async function queueDeliveries(events: PendingEvent[]): Promise<void> {
  const endpoints = await systemDb().webhookEndpoint.findMany({
    where: { status: 'enabled', team_id: { in: [...new Set(events.map((event) => event.team_id))] } },
    select: { id: true, team_id: true, mode: true, events: true, created_at: true },
  });
  if (endpoints.length === 0) return;
  const now = clock().now();
  const rows = events.flatMap((event) =>
    endpoints
      .filter(
        (endpoint) =>
          endpoint.team_id === event.team_id &&
          endpoint.mode === event.mode &&
          endpoint.created_at.getTime() <= event.created_ms + CLOCK_SKEW_MS &&
          (endpoint.events.includes('*') || endpoint.events.includes(event.type)),
      )
      .map((endpoint) => ({
        id: newId('webhook_delivery'),
        team_id: event.team_id,
        mode: event.mode,
        event_id: event.id,
        endpoint_id: endpoint.id,
        event_type: event.type,
      })),
  );
  if (rows.length === 0) return;
  await systemDb().$executeRaw(Prisma.sql`
    INSERT INTO webhook_deliveries
      (id, team_id, mode, event_id, endpoint_id, event_type, attempt_number, delivery_began_at, due_at, created_at)
    SELECT r.id, r.team_id, r.mode::"Mode", r.event_id, r.endpoint_id, r.event_type, 1, t.now, t.now, t.now
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS r(id text, team_id text, mode text, event_id text, endpoint_id text, event_type text)
    JOIN webhook_endpoints e ON e.id = r.endpoint_id
    CROSS JOIN (SELECT ${now.toISOString()}::timestamptz AS now) t
    -- One that is deleted at this moment is left out, or all would have to be queued again.
    FOR KEY SHARE OF e
    ON CONFLICT (endpoint_id, event_id, attempt_number) DO NOTHING`);
}

async function publishListened(events: PendingEvent[], publish: Publish): Promise<void> {
  const listened = events.filter((event) => LISTENED.has(event.type));
  if (listened.length === 0) return;
  const bodies = await systemDb().event.findMany({
    where: { id: { in: listened.map((event) => event.id) } },
    select: { id: true, body: true },
  });
  const data = new Map(bodies.map(({ id, body }) => [id, (JSON.parse(body) as EventBody).data]));
  await publish(
    listened.flatMap(({ id, team_id, mode, type, object_id }) => {
      const { object, ...own } = data.get(id) ?? {};
      return object ? [{ id, name: type, data: { event_id: id, team_id, mode, object_id, data: own } }] : [];
    }),
  );
}

export interface Relay {
  /** Relays everything that waits, then wakes the workers. A call during a pass makes that pass look once more. */
  run(): Promise<void>;
  /** Stops listening to nudges and waits for the pass under way. */
  stop(): Promise<void>;
}

/** While whoever is to be told is away: the wait before the next try doubles up to here. */
const LONGEST_WAIT_MS = 10_000;
/** An outage is said once, and then so often. */
const REMIND_MS = 60_000;

/**
 * Relays after every commit of this process (events/nudge.ts). Several nudges during one pass become one more pass.
 * `wake` is called after each pass: it wakes whoever has due work. A pass that failed is tried again by a timer, and
 * commits meanwhile wait for it.
 */
export function startRelay(publish: Publish, wake: () => Promise<void>, first_wait_ms = 1_000): Relay {
  let passing: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  let failures = 0;
  let said_at = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  async function pass(): Promise<void> {
    do {
      again = false;
      while ((await relayBatch(publish)) >= BATCH);
      await wake();
    } while (again && !stopped);
  }

  function run(): Promise<void> {
    again = true;
    passing ??= pass()
      .then(succeeded, failed)
      .finally(() => {
        passing = null;
      });
    return passing;
  }

  function succeeded(): void {
    clearTimeout(timer);
    timer = undefined;
    if (failures > 0) logger().info({ failures }, 'the relay works again');
    failures = 0;
    said_at = Number.NEGATIVE_INFINITY;
  }

  function failed(error: unknown): never {
    failures += 1;
    if (performance.now() - said_at >= REMIND_MS) {
      said_at = performance.now();
      logger().error({ err: error, failures }, 'the relay failed; it is tried again until it works');
    }
    clearTimeout(timer);
    if (!stopped) {
      const wait_ms = Math.min(first_wait_ms * 2 ** Math.min(failures - 1, 10), LONGEST_WAIT_MS);
      timer = setTimeout(() => void run().catch(() => {}), wait_ms).unref();
    }
    throw error;
  }

  onNudge(() => {
    // While it fails, its timer tries again; a pass under way looks once more.
    if (!timer || passing) run().catch(() => {});
  });
  return {
    run,
    async stop() {
      stopped = true;
      onNudge(null);
      clearTimeout(timer);
      await passing?.catch(() => {});
    },
  };
}
