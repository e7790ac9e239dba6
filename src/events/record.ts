/**
 * Writes the outbox. An event is inserted in the transaction of the change that it reports. The
 * relay reads it after the commit.
 */
import { Prisma, queryRowsInOpenScopeTransaction } from '@/infra/db/scoped-client';
import { runAfterCommit } from '@/infra/db/transaction';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import type { DomainEventData, EventType, WebhookDeliveryBody } from './catalogue';
import { notifyEventRelay } from './process-listeners';

export interface NewEvent {
  type: EventType;
  object_id: string;
  data: DomainEventData;
  /** False for test events, whose single delivery the caller queues. The relay skips them. */
  relayed?: boolean;
}

/**
 * Returns the JSON of an event in two parts, between which the database inserts the sequence
 * number. One statement then counts and inserts. The lock on the team's counter, for which all the
 * team's writers wait, is therefore released one round trip earlier.
 */
function halvesOf(scope: Scope, id: string, event: NewEvent, now: Date): { before: string; after: string } {
  const before = JSON.stringify({
    id,
    object: 'event',
    type: event.type,
    created_at: now.toISOString(),
    livemode: scope.mode === 'live',
  } satisfies Omit<WebhookDeliveryBody, 'sequence' | 'data'>);
  return { before: `${before.slice(0, -1)},"sequence":`, after: `,"data":${JSON.stringify(event.data)}}` };
}

/**
 * Records an event in the current transaction and returns its id. Throws outside a transaction.
 * Call it last in the transaction, because it locks the team's counter until the commit. Because of
 * this lock, `sequence` increases in the order of the commits.
 */
export async function recordEvent(scope: Scope, event: NewEvent): Promise<string> {
  const now = clock().now();
  const id = newId('event');
  const { before, after } = halvesOf(scope, id, event, now);
  const inserted = await queryRowsInOpenScopeTransaction(
    scope,
    Prisma.sql`
    WITH counter AS (
      INSERT INTO event_counters (team_id, mode, value) VALUES (${scope.team_id}, ${scope.mode}::"Mode", 1)
      ON CONFLICT (team_id, mode) DO UPDATE SET value = event_counters.value + 1
      RETURNING value
    )
    INSERT INTO events (id, team_id, mode, type, object_id, sequence, body, request_id, relayed_at, created_at)
    SELECT ${id}::text, ${scope.team_id}::text, ${scope.mode}::"Mode", ${event.type}::text, ${event.object_id}::text, value,
           ${before}::text || value || ${after}::text, ${scope.request_id ?? null}::text,
           ${event.relayed ? now.toISOString() : null}::timestamptz, ${now.toISOString()}::timestamptz
    FROM counter RETURNING id`,
  );
  if (inserted.length !== 1) throw new Error('The event was not recorded.');
  runAfterCommit(notifyEventRelay);
  return id;
}

/** Records many events in order, in one statement. */
export async function recordEvents(scope: Scope, events: readonly Omit<NewEvent, 'relayed'>[]): Promise<void> {
  if (events.length === 0) return;
  const now = clock().now();
  const rows = events.map((event, index) => {
    const id = newId('event');
    const { before, after } = halvesOf(scope, id, event, now);
    return Prisma.sql`(${id}, ${event.type}, ${event.object_id}, ${before}, ${after}, ${index + 1}::bigint)`;
  });
  const inserted = await queryRowsInOpenScopeTransaction(
    scope,
    Prisma.sql`
    WITH counter AS (
      INSERT INTO event_counters (team_id, mode, value) VALUES (${scope.team_id}, ${scope.mode}::"Mode", ${events.length})
      ON CONFLICT (team_id, mode) DO UPDATE SET value = event_counters.value + ${events.length}
      RETURNING value - ${events.length} AS last
    )
    INSERT INTO events (id, team_id, mode, type, object_id, sequence, body, request_id, created_at)
    SELECT e.id, ${scope.team_id}::text, ${scope.mode}::"Mode", e.type, e.object_id, last + e.nth,
           e.before || (last + e.nth) || e.after, ${scope.request_id ?? null}::text, ${now.toISOString()}::timestamptz
    FROM counter, (VALUES ${Prisma.join(rows)}) AS e (id, type, object_id, before, after, nth)
    RETURNING id`,
  );
  if (inserted.length !== events.length) throw new Error('The events were not recorded.');
  runAfterCommit(notifyEventRelay);
}
