import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { markReservationSigned } from '@/modules/reservations/host.service';
import { sendReservation } from '@/modules/reservations/send';
import { cancelReservation, createReservation } from '@/modules/reservations/service';
import { setClock } from '@/shared/clock';
import { createSystemScope, type Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertSyncSource, insertTeam } from '@/testing/team';
import { getOnboardingProgress, getRecentActivity, getStaySigningRate } from './service';

let scope: Scope;
let time: FakeClock;
beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  time = installFakeClock('2026-06-20T10:00:00Z');
  scope = await insertTeam();
});
afterEach(() => setClock(null));

const insertProperty = (owner: Scope) => createProperty(owner, PropertyCreate.parse({ name: 'Casa Azul' }));

async function insertStay(owner: Scope, property_id: string): Promise<string> {
  const { row } = await createReservation(owner, {
    property_id,
    guest_name: 'Ana',
    guest_email: 'ana@example.com',
    checkin_date: '2026-07-15',
    checkout_date: '2026-07-18',
    source: 'direct',
  });
  return row.id;
}

describe('recent activity', () => {
  it('is counted by day of the time zone, over 30 days that end today', async () => {
    const { id } = await insertProperty(scope);
    // 23:30 UTC on June 1 is already June 2 in Madrid.
    time.set(new Date('2026-06-01T23:30:00Z'));
    const early = await insertStay(scope, id);
    time.set(new Date('2026-06-10T12:00:00Z'));
    await insertStay(scope, id);
    await sendReservation(scope, early);
    time.set(new Date('2026-06-20T21:00:00Z'));
    await markReservationSigned(scope, early);
    const { days } = await getRecentActivity(scope, 'Europe/Madrid');
    expect(days).toHaveLength(30);
    expect([days[0]?.day, days.at(-1)?.day]).toEqual(['2026-05-22', '2026-06-20']);
    expect(days.filter((day) => day.created + day.sent + day.signed > 0)).toEqual([
      { day: '2026-06-02', created: 1, sent: 0, signed: 0 },
      { day: '2026-06-10', created: 1, sent: 1, signed: 0 },
      { day: '2026-06-20', created: 0, sent: 0, signed: 1 },
    ]);
    const utc = await getRecentActivity(scope, 'Nowhere/Land');
    expect(utc.days.find(({ day }) => day === '2026-06-01')?.created).toBe(1);
  });

  it('excludes older events, the other mode and other teams', async () => {
    const other = await insertTeam('live', 'other@example.com');
    for (const owner of [other, createSystemScope(scope.team_id, 'test', 'test')]) {
      await insertStay(owner, (await insertProperty(owner)).id);
    }
    time.set(new Date('2026-05-01T10:00:00Z'));
    await insertStay(scope, (await insertProperty(scope)).id);
    time.set(new Date('2026-06-20T10:00:00Z'));
    const { days } = await getRecentActivity(scope, 'UTC');
    expect(days.every((day) => day.created === 0)).toBe(true);
  });
});

describe('the first steps', () => {
  const none = {
    property: false,
    property_id: null,
    packet: false,
    calendar: false,
    test_reservation_id: null,
    test_signature: false,
  };

  it('are all open for a new team, whatever other teams have', async () => {
    await insertProperty(await insertTeam('live', 'other@example.com'));
    expect(await getOnboardingProgress(scope)).toEqual(none);
  });

  it('are checked off automatically, and a signature counts only in test mode', async () => {
    const { id } = await insertProperty(scope);
    expect(await getOnboardingProgress(scope)).toEqual({ ...none, property: true, property_id: id });
    await systemDb().packet.updateMany({ data: { rules: [{ id: 'rule_1', text: 'No smoking.', category: null }] } });
    await markReservationSigned(scope, await insertStay(scope, id));
    expect(await getOnboardingProgress(scope)).toMatchObject({ packet: true, test_signature: false });
    await insertSyncSource(scope);
    expect(await getOnboardingProgress(scope)).toMatchObject({ calendar: true, property_id: id });
  });

  it('in test mode count only as practice', async () => {
    const test = createSystemScope(scope.team_id, 'test', 'test');
    const stay = await insertStay(test, (await insertProperty(test)).id);
    await systemDb().packet.updateMany({ data: { rules: [{ id: 'rule_1', text: 'No smoking.', category: null }] } });
    await insertSyncSource(test);
    expect(await getOnboardingProgress(test)).toEqual({ ...none, test_reservation_id: stay });
    await markReservationSigned(test, stay);
    expect(await getOnboardingProgress(scope)).toEqual({ ...none, test_signature: true });
  });
});

describe('the share of guests who sign', () => {
  it('counts arrivals of the last 90 days, without cancelled stays and other properties', async () => {
    time.set(new Date('2026-07-10T10:00:00Z'));
    const { id } = await insertProperty(scope);
    const [signed] = [await insertStay(scope, id), await insertStay(scope, id)];
    await markReservationSigned(scope, signed);
    await cancelReservation(scope, await insertStay(scope, id));
    await insertStay(scope, (await insertProperty(scope)).id);
    expect(await getStaySigningRate(scope, id)).toEqual({ days: 90, stays: 0, signed: 0 });
    time.set(new Date('2026-07-16T10:00:00Z'));
    expect(await getStaySigningRate(scope, id)).toEqual({ days: 90, stays: 2, signed: 1 });
    expect(await getStaySigningRate(await insertTeam('live', 'other@example.com'), id)).toMatchObject({ stays: 0 });
    time.set(new Date('2026-12-16T10:00:00Z'));
    expect(await getStaySigningRate(scope, id)).toMatchObject({ stays: 0 });
  });
});
