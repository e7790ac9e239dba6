/** Queries on test clocks. */
import type { TestClock } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { listRowsByKeyset, type Page } from '@/infra/db/keyset';
import { Prisma, requireTransactionDb, scopedDb } from '@/infra/db/scoped-client';
import type { Mode, Scope } from '@/shared/scope';
import type { TestClockListQuery } from './schemas';

const PROPERTIES = { properties: { select: { id: true }, orderBy: { id: 'asc' } } } as const;

export type TestClockRow = TestClock & { properties: { id: string }[] };

export function findTestClock(scope: Scope, id: string): Promise<TestClockRow | null> {
  return scopedDb(scope).testClock.findFirst({ where: { id }, include: PROPERTIES });
}

export async function listTestClockRows(scope: Scope, query: TestClockListQuery): Promise<Page<TestClockRow>> {
  const page = await listRowsByKeyset<TestClock>(scopedDb(scope).testClock, 'testClock', 'test_clock', {}, query);
  const bound = await scopedDb(scope).property.findMany({
    where: { test_clock_id: { in: page.data.map(({ id }) => id) } },
    select: { id: true, test_clock_id: true },
    orderBy: { id: 'asc' },
  });
  return {
    ...page,
    data: page.data.map((row) => ({
      ...row,
      properties: bound.filter(({ test_clock_id }) => test_clock_id === row.id),
    })),
  };
}

export async function lockTestClockRowAgainstDeletion(scope: Scope, id: string): Promise<void> {
  await requireTransactionDb(scope).$queryRaw(Prisma.sql`
    SELECT 1 FROM test_clocks
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND id = ${id} FOR KEY SHARE`);
}

export const countTestClocks = (scope: Scope): Promise<number> => scopedDb(scope).testClock.count({});

export async function insertTestClock(
  scope: Scope,
  data: Pick<TestClock, 'id' | 'name' | 'frozen_time' | 'retries_time' | 'created_at' | 'updated_at'>,
): Promise<void> {
  await scopedDb(scope).testClock.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

/**
 * Starts an advance to a later time. Returns false when an advance is in progress or the time is
 * not later.
 */
export async function startTestClockAdvance(scope: Scope, id: string, target_time: Date, now: Date): Promise<boolean> {
  const { count } = await scopedDb(scope).testClock.updateMany({
    where: { id, target_time: null, frozen_time: { lt: target_time } },
    data: { target_time, updated_at: now },
  });
  return count === 1;
}

/**
 * Deletes a clock, so that its properties use real time again. Returns whether the clock existed.
 */
export async function deleteTestClockRow(scope: Scope, id: string, now: Date): Promise<boolean> {
  const db = scopedDb(scope);
  await db.property.updateMany({
    where: { test_clock_id: id },
    data: { test_clock_id: null, version: { increment: 1 }, updated_at: now },
  });
  return (await db.testClock.deleteMany({ where: { id } })).count === 1;
}

export async function findTestClockTime(scope: Scope, id: string): Promise<Date | null> {
  const row = await scopedDb(scope).testClock.findFirst({ where: { id }, select: { frozen_time: true } });
  return row?.frozen_time ?? null;
}

/**
 * Returns the test clocks' times by property id. Properties without a test clock are not included.
 */
export async function findPropertyTestClockTimes(
  scope: Scope,
  property_ids: readonly string[],
): Promise<Map<string, Date>> {
  const rows = await scopedDb(scope).$queryRaw<{ id: string; frozen_time: Date }[]>(Prisma.sql`
    SELECT p.id, c.frozen_time FROM properties p
    JOIN test_clocks c ON c.id = p.test_clock_id AND c.team_id = ${scope.team_id} AND c.mode = ${scope.mode}::"Mode"
    WHERE p.team_id = ${scope.team_id} AND p.mode = ${scope.mode}::"Mode" AND p.id IN (${Prisma.join([...property_ids])})`);
  return new Map(rows.map(({ id, frozen_time }) => [id, frozen_time]));
}

/** Returns the time of the test clock of a reservation's property, or null without a test clock. */
export async function findReservationTestClockTime(scope: Scope, reservation_id: string): Promise<Date | null> {
  const rows = await scopedDb(scope).$queryRaw<{ frozen_time: Date }[]>(Prisma.sql`
    SELECT c.frozen_time FROM reservations r
    JOIN properties p ON p.id = r.property_id AND p.team_id = ${scope.team_id} AND p.mode = ${scope.mode}::"Mode"
    JOIN test_clocks c ON c.id = p.test_clock_id AND c.team_id = ${scope.team_id} AND c.mode = ${scope.mode}::"Mode"
    WHERE r.team_id = ${scope.team_id} AND r.mode = ${scope.mode}::"Mode" AND r.id = ${reservation_id}`);
  return rows[0]?.frozen_time ?? null;
}

/** Returns the earliest time of all the team's clocks, or null without a clock. */
export async function findEarliestTestClockTime(scope: Scope): Promise<Date | null> {
  const { _min } = await scopedDb(scope).testClock.aggregate({ _min: { frozen_time: true } });
  return _min.frozen_time;
}

// --- Queries over all teams, for advancing clocks ---

export interface AdvancingTestClock {
  id: string;
  team_id: string;
  mode: Mode;
  frozen_time: Date;
  target_time: Date;
  property_ids: string[];
}

/** Returns the clocks that are being advanced. With `id`, returns only that clock. */
export async function loadAdvancingTestClocks(id?: string): Promise<AdvancingTestClock[]> {
  const where = { target_time: { not: null }, ...(id && { id }) };
  const rows = await systemDb().testClock.findMany({ where, include: PROPERTIES });
  return rows.map(({ properties, ...row }) => ({
    ...row,
    target_time: row.target_time as Date,
    property_ids: properties.map((property) => property.id),
  }));
}

/** Sets a clock to a later time, but not beyond its target. */
export async function setTestClockTime(id: string, to: Date): Promise<void> {
  await systemDb().testClock.updateMany({
    where: { id, frozen_time: { lt: to }, target_time: { gte: to } },
    data: { frozen_time: to },
  });
}

/**
 * Ends the advance of a clock that has reached its target. Does nothing if the clock has a newer
 * target.
 */
export async function finishTestClockAdvance(id: string, now: Date): Promise<void> {
  const { testClock } = systemDb();
  await testClock.updateMany({
    where: { id, frozen_time: { equals: testClock.fields.target_time } },
    data: { target_time: null, updated_at: now },
  });
}
