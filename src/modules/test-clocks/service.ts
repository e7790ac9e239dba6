/** Manages test clocks. reservations/timed/advance.ts runs what becomes due during an advance. */
import { notifyTestClockListener } from '@/events/process-listeners';
import { lockTeam } from '@/infra/db/locks';
import { inTransaction, runAfterCommit } from '@/infra/db/transaction';
import { clock } from '@/shared/clock';
import { AppError, createResourceMissingError } from '@/shared/errors';
import { assertEtagMatches } from '@/shared/etag';
import { newId } from '@/shared/ids';
import { createRefusal, type Refusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import type { TestClockRow } from './repository';
import * as repository from './repository';
import type { TestClock, TestClockCreate } from './schemas';

export const MAX_TEST_CLOCKS = 10;
const MAX_ADVANCE_MS = 2 * 366 * 86_400_000;

/** Converts a row to a TestClock. */
export function serializeTestClock(row: TestClockRow): TestClock {
  return {
    id: row.id,
    object: 'test_clock',
    name: row.name,
    frozen_time: row.frozen_time.toISOString(),
    status: row.target_time ? 'advancing' : 'ready',
    target_time: row.target_time?.toISOString() ?? null,
    property_ids: row.properties.map(({ id }) => id),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Returns a clock. Throws resource_missing. */
export async function retrieveTestClock(scope: Scope, id: string, param?: string): Promise<TestClockRow> {
  const row = await repository.findTestClock(scope, id);
  if (!row) throw createResourceMissingError(scope, 'test clock', id, param);
  return row;
}

/**
 * Locks the clock until the transaction ends, so that it cannot be deleted. Throws resource_missing
 * (`test_clock_id`).
 */
export async function lockTestClockAgainstDeletion(scope: Scope, id: string): Promise<void> {
  await repository.lockTestClockRowAgainstDeletion(scope, id);
  await retrieveTestClock(scope, id, 'test_clock_id');
}

/** Lists clocks, newest first. Throws conflicting_cursors and invalid_cursor. */
export const listTestClocks = repository.listTestClockRows;

/** Creates a clock. Throws test_mode_only and test_clock_limit_reached. */
export async function createTestClock(scope: Scope, input: TestClockCreate): Promise<TestClockRow> {
  if (scope.mode !== 'test') throw new AppError('test_mode_only');
  return inTransaction(scope, async () => {
    await lockTeam(scope);
    if ((await repository.countTestClocks(scope)) >= MAX_TEST_CLOCKS) throw new AppError('test_clock_limit_reached');
    const now = clock().now();
    const frozen_time = input.frozen_time ? new Date(input.frozen_time) : now;
    const id = newId('test_clock');
    const times = { frozen_time, retries_time: frozen_time, created_at: now, updated_at: now };
    await repository.insertTestClock(scope, { id, name: input.name ?? null, ...times });
    return retrieveTestClock(scope, id);
  });
}

/**
 * Starts an advance, which continues after the response. Throws resource_missing, invalid_field and
 * test_clock_advancing.
 */
export async function advanceTestClock(scope: Scope, id: string, frozen_time: string): Promise<TestClockRow> {
  const target = new Date(frozen_time);
  return inTransaction(scope, async () => {
    const before = await retrieveTestClock(scope, id);
    const refused = (message: Refusal) => new AppError('invalid_field', { param: 'frozen_time', message });
    if (before.target_time) throw new AppError('test_clock_advancing');
    if (target <= before.frozen_time)
      throw refused(createRefusal('clock_goes_forward_only', { time: before.frozen_time.toISOString() }));
    if (target.getTime() - before.frozen_time.getTime() > MAX_ADVANCE_MS)
      throw refused(createRefusal('clock_two_years_at_most'));
    if (!(await repository.startTestClockAdvance(scope, id, target, clock().now())))
      throw new AppError('test_clock_advancing');
    runAfterCommit(notifyTestClockListener);
    return retrieveTestClock(scope, id);
  });
}

/**
 * Deletes a clock, so that its properties use real time again. Throws resource_missing and
 * etag_mismatch.
 */
export async function deleteTestClock(scope: Scope, id: string, if_match: string | null): Promise<void> {
  await inTransaction(scope, async () => {
    const row = await retrieveTestClock(scope, id);
    assertEtagMatches(if_match, serializeTestClock(row));
    await repository.deleteTestClockRow(scope, id, clock().now());
  });
}

export type { AdvancingTestClock } from './repository';

/** Returns the clocks of all teams that are being advanced. */
export const listAdvancingTestClocks = (): Promise<repository.AdvancingTestClock[]> =>
  repository.loadAdvancingTestClocks();

/** Returns a clock that is being advanced, or null. */
export const findAdvancingTestClock = async (id: string): Promise<repository.AdvancingTestClock | null> =>
  (await repository.loadAdvancingTestClocks(id))[0] ?? null;

/** Sets a clock to a later time, but not beyond its target. */
export const advanceTestClockTo = repository.setTestClockTime;

/** Ends the advance of a clock that has reached its target, so that its status is `ready` again. */
export const endTestClockAdvance = (id: string): Promise<void> => repository.finishTestClockAdvance(id, clock().now());
