/** The query behind clock-retries.ts. */
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';

/**
 * Brings the waiting retries of events about a clock's properties forward by as much as the clock was advanced since
 * they last were; how many. In one statement, so that it is done once for each stretch of time.
 */
export function bringForward(test_clock_id: string, now: Date): Promise<number> {
  // Never into the past: what would have been due is due now.
  const nearer = (column: string, by: string) =>
    Prisma.sql`least(${Prisma.raw(column)}, greatest(${Prisma.raw(`${column} - ${by}`)}, ${now.toISOString()}::timestamptz))`;
  return systemDb().$executeRaw(Prisma.sql`
    WITH clock AS (SELECT id, retries_time FROM test_clocks WHERE id = ${test_clock_id} FOR UPDATE),
    moved AS (
      UPDATE test_clocks c SET retries_time = c.frozen_time FROM clock
      WHERE c.id = clock.id AND c.frozen_time > clock.retries_time
      RETURNING c.id, c.team_id, c.mode, c.frozen_time - clock.retries_time AS by
    ),
    waiting AS (
      SELECT d.id, d.endpoint_id, d.event_id, d.attempt_number, moved.by
      FROM moved JOIN webhook_deliveries d ON d.team_id = moved.team_id AND d.mode = moved.mode
      JOIN events e ON e.id = d.event_id
      JOIN properties p ON p.test_clock_id = moved.id AND p.id IN (
        e.object_id,
        (SELECT property_id FROM reservations WHERE id = e.object_id),
        (SELECT property_id FROM signatures WHERE id = e.object_id),
        (SELECT property_id FROM packets WHERE id = e.object_id),
        (SELECT property_id FROM sync_sources WHERE id = e.object_id))
      WHERE d.status = 'pending' AND d.trigger = 'retry' AND d.lease_until IS NULL
    ),
    -- The circuit of an endpoint that fails opens for so long, too.
    circuits AS (
      UPDATE webhook_endpoints w SET circuit_open_until = ${nearer('w.circuit_open_until', 'x.by')}
      FROM (SELECT DISTINCT endpoint_id, by FROM waiting) x WHERE w.id = x.endpoint_id
    ),
    told AS (
      UPDATE webhook_deliveries d SET next_retry_at = ${nearer('d.next_retry_at', 'w.by')} FROM waiting w
      WHERE d.endpoint_id = w.endpoint_id AND d.event_id = w.event_id AND d.attempt_number = w.attempt_number - 1
    )
    UPDATE webhook_deliveries d SET due_at = ${nearer('d.due_at', 'w.by')} FROM waiting w WHERE d.id = w.id`);
}
