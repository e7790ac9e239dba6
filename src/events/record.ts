/**
 * The outbox. An event is written in the transaction of the change it tells of; the relay picks it up after commit.
 */
import { afterCommit, Prisma, type ScopedDb } from '@/infra/db/scoped-client';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import type { EventBody, EventData, EventType } from './catalogue';
import { nudgeRelay } from './nudge';

/**
 * Records an event in the open transaction `tx` and returns its id. Call it last: it takes the row lock of the team's
 * counter, and holding that lock to the commit is what makes `sequence` the order of commits.
 */
export async function recordEvent(
  scope: Scope,
  tx: ScopedDb,
  event: {
    type: EventType;
    object_id: string;
    data: EventData;
    /** The relay leaves it alone: a test event, whose one delivery the caller queues itself. */
    relayed?: boolean;
  },
): Promise<string> {
  const [counter] = await tx.$queryRaw<{ value: bigint }[]>(Prisma.sql`
    INSERT INTO event_counters (team_id, mode, value) VALUES (${scope.team_id}, ${scope.mode}::"Mode", 1)
    ON CONFLICT (team_id, mode) DO UPDATE SET value = event_counters.value + 1
    RETURNING value`);
  if (!counter) throw new Error('The event counter gave no value.');
  const now = clock().now();
  const body: EventBody = {
    id: newId('event'),
    object: 'event',
    type: event.type,
    created_at: now.toISOString(),
    livemode: scope.mode === 'live',
    sequence: Number(counter.value),
    data: event.data,
  };
  await tx.event.create({
    data: {
      id: body.id,
      team_id: scope.team_id,
      mode: scope.mode,
      type: event.type,
      object_id: event.object_id,
      sequence: counter.value,
      body: JSON.stringify(body),
      relayed_at: event.relayed ? now : null,
      created_at: now,
    },
  });
  afterCommit(tx, nudgeRelay);
  return body.id;
}
