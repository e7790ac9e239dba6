/**
 * Tests that the relay and the delivery queue read only the rows they need, even with a large
 * backlog. PostgreSQL plans the statements with statistics from before the backlog, as in a healthy
 * installation.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { markEventsRelayed, readEventBatchWithEqualTeamShares } from '@/events/outbox';
import type { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openFreshTestDatabase } from '@/testing/database';
import { commitTestEvent, insertTeam } from '@/testing/team';
import { createEndpoint } from '../service';
import { claimDueDeliveries, findEndpointsWithoutDeliveryRun, storeDeliveryAttemptResults } from './queue.repository';

const BACKLOG = 2_000;
/**
 * The maximum number of rows that a statement for `FEW` rows may read. It may read each row several
 * times, from several tables.
 */
const READ_AT_MOST = 400;
const FEW = 20;
const LIMITS = { healthy: 64, unproven: 64, failing: 64 };

interface Plan {
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

/** Returns the number of rows that a plan's scans read, including filtered rows. */
function rowsRead(plan: Plan): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': rechecked = 0 } = plan;
  // A bitmap scan has one node for the index and one for the table. Both are counted.
  const is_scan = plan['Relation Name'] !== undefined || plan['Index Name'] !== undefined;
  const own = is_scan ? (plan['Actual Rows'] + filtered + rechecked) * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), own);
}

/**
 * Runs the statements of `work` with EXPLAIN, rolls them back, and returns how many rows they read.
 */
async function readBy(work: () => Promise<unknown>): Promise<number> {
  const statements: Prisma.Sql[] = [];
  const note = (async (sql: Prisma.Sql) => {
    statements.push(sql);
    return [];
  }) as never;
  const spies = [
    vi.spyOn(systemDb(), '$queryRaw').mockImplementation(note),
    vi.spyOn(systemDb(), '$executeRaw').mockImplementation(note),
  ];
  await work().finally(() => {
    for (const spy of spies) spy.mockRestore();
  });
  expect(statements).toHaveLength(1);
  const [statement] = statements as [Prisma.Sql];
  const undone = new Error('undone');
  let read = Number.NaN;
  await systemDb()
    .$transaction(async (tx) => {
      const [explained] = await tx.$queryRawUnsafe<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${statement.text}`,
        ...statement.values,
      );
      read = rowsRead(explained?.['QUERY PLAN'][0].Plan as Plan);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return read;
}

let endpoint_id: string;
let event_ids: string[];
let delivery_ids: string[];

/** Inserts a team with one endpoint, and copies of one event in the outbox and the queue. */
async function insertBacklog(scope: Scope, count: number): Promise<string> {
  const { row } = await createEndpoint(scope, { url: 'https://example.com/hook', events: ['*'] });
  const first = await commitTestEvent(scope);
  const { sequence, ...event } = await systemDb().event.findUniqueOrThrow({ where: { id: first } });
  const ids = Array.from({ length: count }, () => newId('event'));
  await systemDb().event.createMany({
    data: ids.map((id, index) => ({ ...event, id, sequence: sequence + BigInt(index + 1) })),
  });
  const now = clock().now();
  const { team_id, mode } = scope;
  await systemDb().webhookDelivery.createMany({
    data: ids.map((event_id, index) => ({
      ...{ id: newId('webhook_delivery'), team_id, mode, event_id, endpoint_id: row.id, event_type: event.type },
      ...{
        attempt_number: 1,
        delivery_began_at: now,
        due_at: new Date(now.getTime() - count + index),
        created_at: now,
      },
    })),
  });
  return row.id;
}

beforeAll(async () => {
  // Uses a new database, because other tests have changed the statistics of the shared one.
  await openFreshTestDatabase();
  const quiet = await insertTeam('live', 'quiet@example.com');
  const busy = await insertTeam('live', 'busy@example.com');
  await insertBacklog(quiet, 200);
  await systemDb().$executeRaw`UPDATE events SET relayed_at = created_at`;
  await systemDb().$executeRaw`UPDATE webhook_deliveries SET status = 'succeeded', delivered_at = created_at`;
  await systemDb().$executeRaw`ANALYZE`;
  endpoint_id = await insertBacklog(busy, BACKLOG);
  // A third team has an event too, so that the relay's query must switch between teams.
  await commitTestEvent(await insertTeam('live', 'third@example.com'));
  const own = { where: { team_id: busy.team_id }, select: { id: true }, take: FEW };
  event_ids = (await systemDb().event.findMany(own)).map(({ id }) => id);
  delivery_ids = (await systemDb().webhookDelivery.findMany(own)).map(({ id }) => id);
});
afterAll(closeTestDatabase);

const now = () => clock().now();
const result = (id: string) => ({
  ...{ id, lease_token: 'a token', status: 'succeeded' as const, status_code: 200, duration_ms: 1 },
  ...{ error_kind: null, error_message: null, response_body_truncated: null },
  ...{ attempted_at: now().toISOString(), next_retry_at: null, delivered_at: now().toISOString() },
});
const asked = () => [{ endpoint_id, in_flight: 0, most: FEW }];

const WORK: readonly [string, () => Promise<unknown>][] = [
  [
    'reading the relay’s batch',
    () => readEventBatchWithEqualTeamShares({ limit: 100, quantum: FEW, after_team: '', skip: [], but_types: [] }),
  ],
  ['marking relayed events', () => markEventsRelayed(event_ids)],
  ['finding endpoints without a run', () => findEndpointsWithoutDeliveryRun(now(), null)],
  ['claiming an endpoint’s attempts', () => claimDueDeliveries(asked(), now(), now(), 'a token', LIMITS)],
  ['storing the results of attempts', () => storeDeliveryAttemptResults(delivery_ids.map(result))],
];

// PostgreSQL chooses plans by its statistics, which it updates some time after many rows are
// inserted.
describe.each(['earlier', 'current'])('with %s statistics', (statistics) => {
  beforeAll(async () => {
    if (statistics === 'current') await systemDb().$executeRaw`ANALYZE`;
  });

  it.each(WORK)('%s does not read the backlog', async (_name, work) => {
    expect(await readBy(work)).toBeLessThan(READ_AT_MOST);
  });
});
