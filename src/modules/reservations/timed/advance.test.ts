/**
 * Tests a stay on a test clock, from automatic sending to expiry in one advance. The process's own
 * time does not change.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty, updateProperty } from '@/modules/properties/service';
import {
  advanceTestClock,
  createTestClock,
  deleteTestClock,
  endTestClockAdvance,
  retrieveTestClock,
} from '@/modules/test-clocks/service';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { createReservations } from '../import/create-many';
import { appendReservationTrailEntries, loadReservation } from '../save-transition';
import { cancelReservation, createReservation } from '../service';
import { advanceTestClockInSteps } from './advance';
import { findDueScheduledActions, performDueScheduledActions } from './due-work';

const REAL = '2026-06-01T10:00:00.000Z';
const START = '2030-06-01T10:00:00.000Z';
let scope: Scope;
let time: FakeClock;
let clock_id: string;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  time = installFakeClock(REAL);
  scope = await insertTeam('test');
  clock_id = (await createTestClock(scope, { frozen_time: START })).id;
});
afterEach(() => setClock(null));

const insertProperty = (test_clock_id: string | null = clock_id) =>
  createProperty(
    scope,
    PropertyCreate.parse({
      name: 'Casa Azul',
      timezone: 'Europe/Madrid',
      auto_send_packet: true,
      auto_send_offset_hours: 48,
      auto_reminders: true,
      test_clock_id,
    }),
  );

/** Check-in is 15:00 in Madrid, 13:00 UTC. */
const stay = (property_id: string) => ({
  property_id,
  guest_name: 'Ana',
  guest_email: 'ana@example.com',
  checkin_date: '2030-06-15',
  checkout_date: '2030-06-18',
  source: 'direct' as const,
});
const insertStay = async (property_id: string) => (await createReservation(scope, stay(property_id))).row.id;

/**
 * Advances the clock and does all due work. Returns the number of calls of
 * `advanceTestClockInSteps`.
 */
async function advance(to: string): Promise<number> {
  await advanceTestClock(scope, clock_id, to);
  for (let parts = 1; ; parts += 1) {
    if (!(await advanceTestClockInSteps(clock_id)).arrived) continue;
    await endTestClockAdvance(clock_id);
    return parts;
  }
}

const row = (id: string) => systemDb().reservation.findUniqueOrThrow({ where: { id } });
const trail = async (id: string) =>
  (await systemDb().trailEntry.findMany({ where: { reservation_id: id }, orderBy: { seq: 'asc' } })).map(
    ({ type, created_at }) => [type, created_at.toISOString()],
  );
const WHOLE_STAY = [
  ['reservation.created', START],
  ['reservation.sent', '2030-06-13T13:00:00.000Z'],
  ['reservation.reminder_sent', '2030-06-14T13:00:00.000Z'],
  ['reservation.reminder_sent', '2030-06-15T11:00:00.000Z'],
  ['reservation.late_alert_sent', '2030-06-15T13:00:00.000Z'],
  ['reservation.expired', '2030-06-18T22:00:00.000Z'],
];

describe('advancing a clock', () => {
  it('does all work that falls due, each at its own time and in order', async () => {
    const id = await insertStay((await insertProperty()).id);
    await advance('2030-07-01T00:00:00Z');
    expect(await trail(id)).toEqual(WHOLE_STAY);
    expect(await row(id)).toMatchObject({
      status: 'expired',
      sent_at: new Date('2030-06-13T13:00:00Z'),
      auto_sent_at: new Date('2030-06-13T13:00:00Z'),
      expired_at: new Date('2030-06-18T22:00:00Z'),
      created_at: new Date(REAL),
      updated_at: new Date(REAL),
    });
    expect(await retrieveTestClock(scope, clock_id)).toMatchObject({
      frozen_time: new Date('2030-07-01T00:00:00Z'),
      target_time: null,
    });
  });

  it('in many short steps has the same effects', async () => {
    const id = await insertStay((await insertProperty()).id);
    for (let hours = 11; hours <= 18 * 24; hours += 11) {
      await advance(new Date(Date.parse(START) + hours * 3_600_000).toISOString());
    }
    expect(await trail(id)).toEqual(WHOLE_STAY);
  });

  it('past more due moments than one part can process does each once', async () => {
    const { id } = await insertProperty();
    await inTransaction(scope, () =>
      createReservations(
        scope,
        Array.from({ length: 25 }, () => stay(id)),
      ),
    );
    expect(await advance('2030-07-01T00:00:00Z')).toBeGreaterThan(2);
    const entries = await systemDb().trailEntry.groupBy({ by: ['type'], _count: true });
    expect(Object.fromEntries(entries.map(({ type, _count }) => [type, _count]))).toEqual({
      'reservation.created': 25,
      'reservation.sent': 25,
      'reservation.reminder_sent': 50,
      'reservation.late_alert_sent': 25,
      'reservation.expired': 25,
    });
  }, 60_000);

  it('resumes where it stopped after a crash', async () => {
    const id = await insertStay((await insertProperty()).id);
    await advanceTestClock(scope, clock_id, '2030-07-01T00:00:00Z');
    // Simulates a crash after the clock was advanced and before the due work was done.
    await systemDb().testClock.updateMany({ data: { frozen_time: new Date('2030-06-13T13:00:00Z') } });
    expect(await advanceTestClockInSteps(clock_id)).toMatchObject({ arrived: true });
    expect(await trail(id)).toEqual(WHOLE_STAY);
  });

  it('ends only its own target, not the target of a newer advance', async () => {
    await insertStay((await insertProperty()).id);
    await advance('2030-06-05T00:00:00Z');
    await advanceTestClock(scope, clock_id, '2030-06-14T00:00:00Z');
    await endTestClockAdvance(clock_id);
    expect(await systemDb().testClock.findUniqueOrThrow({ where: { id: clock_id } })).toMatchObject({
      frozen_time: new Date('2030-06-05T00:00:00Z'),
      target_time: new Date('2030-06-14T00:00:00Z'),
    });
  });

  it('changes nothing at a property with another clock or without one', async () => {
    const other = await createTestClock(scope, { frozen_time: START });
    const ids = [
      await insertStay((await insertProperty(null)).id),
      await insertStay((await insertProperty(other.id)).id),
    ];
    await advance('2030-07-01T00:00:00Z');
    for (const id of ids) expect((await row(id)).status).toBe('draft');
  });
});

describe('the time at a property with a clock', () => {
  it('is used by every rule and recorded in every change', async () => {
    const id = await insertStay((await insertProperty()).id);
    expect((await loadReservation(scope, id)).now.toISOString()).toBe(START);
    await cancelReservation(scope, id);
    expect(await row(id)).toMatchObject({ cancelled_at: new Date(START) });
  });

  it('stands still, so the sweep does nothing there even when work is due in real time', async () => {
    const id = await insertStay((await insertProperty()).id);
    time.set('2035-01-01T00:00:00Z');
    expect(await findDueScheduledActions()).toEqual([]);
    for (const work of ['auto_send', 'expire'] as const)
      expect(await performDueScheduledActions(work, id)).toBe('skipped');
    expect((await row(id)).status).toBe('draft');
  });

  it('is recorded in its trail entries, whoever writes them', async () => {
    const id = await insertStay((await insertProperty()).id);
    await inTransaction(scope, () =>
      appendReservationTrailEntries(scope, id, [{ type: 'mail.delivered' }], time.now()),
    );
    expect((await trail(id)).at(-1)).toEqual(['mail.delivered', START]);
  });

  it('triggers nothing by itself, even when work is due', async () => {
    clock_id = (await createTestClock(scope, { frozen_time: '2030-06-14T00:00:00Z' })).id;
    const id = await insertStay((await insertProperty()).id);
    time.set('2030-06-14T00:00:00Z');
    expect(await findDueScheduledActions()).toEqual([]);
    await advance('2030-06-14T00:00:01Z');
    expect(await row(id)).toMatchObject({ status: 'sent', sent_at: time.now() });
  });

  it('is real time again once the clock is deleted', async () => {
    const id = await insertStay((await insertProperty()).id);
    await deleteTestClock(scope, clock_id, null);
    expect((await loadReservation(scope, id)).now.toISOString()).toBe(REAL);
    time.set('2030-06-14T00:00:00Z');
    expect(await findDueScheduledActions(['auto_send'])).toMatchObject([{ reservation_ids: [id] }]);
  });

  it('is the clock’s time as soon as the property is bound to it', async () => {
    const property = await insertProperty(null);
    const id = await insertStay(property.id);
    await updateProperty(scope, property.id, { test_clock_id: clock_id }, null);
    await advance('2030-06-14T00:00:00Z');
    expect(await row(id)).toMatchObject({ status: 'sent', sent_at: new Date('2030-06-13T13:00:00Z') });
  });
});

describe('a clock', () => {
  it('advances only forward, by at most two years, and by one advance at a time', async () => {
    const answer = (to: string) =>
      advanceTestClock(scope, clock_id, to).then(
        () => 'begun',
        (error) => error.code,
      );
    expect(await answer(START)).toBe('invalid_field');
    expect(await answer('2030-05-01T00:00:00Z')).toBe('invalid_field');
    expect(await answer('2032-07-01T00:00:00Z')).toBe('invalid_field');
    expect(await answer('2030-06-02T00:00:00Z')).toBe('begun');
    expect(await answer('2030-06-03T00:00:00Z')).toBe('test_clock_advancing');
  });

  it('exists only in test mode, and at most ten times', async () => {
    await expect(createTestClock({ ...scope, mode: 'live' }, {})).rejects.toMatchObject({ code: 'test_mode_only' });
    for (let made = 1; made < 10; made += 1) await createTestClock(scope, {});
    await expect(createTestClock(scope, {})).rejects.toMatchObject({ code: 'test_clock_limit_reached' });
  });

  it('cannot be bound to a property of another team or of live mode', async () => {
    const other = await createTestClock(await insertTeam('test', 'other@example.com'), {});
    await expect(insertProperty(other.id)).rejects.toMatchObject({ code: 'resource_missing', param: 'test_clock_id' });
    const input = PropertyCreate.parse({ name: 'Live', test_clock_id: clock_id });
    await expect(createProperty({ ...scope, mode: 'live' }, input)).rejects.toMatchObject({ code: 'resource_missing' });
  });
});
