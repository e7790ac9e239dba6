/**
 * Tests double bookings with the database: who is notified, which packets are held back, and the
 * host's decisions.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty, updateProperty } from '@/modules/properties/service';
import { parseCalendarDay } from '@/shared/calendar-day';
import { setClock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import { createSystemScope, type Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readOutboundMails } from '@/testing/mail';
import { clearDatabase, insertTeam } from '@/testing/team';
import { HostReservationListQuery } from '../host.schemas';
import { confirmBothBookingsAreReal, listReservationsForHost, retrieveReservationForHost } from '../host.service';
import { insertReservations } from '../import/create-many';
import type { ScheduledActionKind } from '../rules/reminders';
import { sendReservation } from '../send';
import { cancelReservation, createReservation, updateReservation } from '../service';
import { findDueScheduledActions, performDueScheduledActions } from '../timed/due-work';
import { detectDoubleBookings } from './detect';

let scope: Scope;
let time: FakeClock;
let property_id: string;
let sources: Record<'a' | 'b' | 'c', string>;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  setConfig({ resend_api_key: 're_test' });
  await clearDatabase();
  time = installFakeClock('2026-06-13T15:00:00Z');
  scope = await insertTeam();
  property_id = await insertHouse();
  sources = {
    a: await insertCalendar('channel_a_ical'),
    b: await insertCalendar('channel_b_ical'),
    c: await insertCalendar('channel_c_ical'),
  };
});
afterEach(() => setClock(null));

/** Inserts a property whose auto-send window includes the current time. */
async function insertHouse(settings: object = {}, owner = scope): Promise<string> {
  const given = { name: 'Casa Azul', auto_send_packet: true, auto_send_offset_hours: 72, ...settings };
  return (await createProperty(owner, PropertyCreate.parse(given))).id;
}

async function insertCalendar(kind: string, house = property_id, owner = scope): Promise<string> {
  const id = newId('sync_source');
  const at = new Date();
  const { team_id, mode } = owner;
  await systemDb().syncSource.create({
    data: { id, team_id, mode, property_id: house, kind, feed_url: 'sealed', created_at: at, updated_at: at },
  });
  return id;
}

const NIGHTS = { checkin_date: '2026-06-15', checkout_date: '2026-06-18' };

/** Inserts a booking as a calendar run creates it, plus an email address as if read from a mail. */
async function booking(channel: 'a' | 'b' | 'c', more: object = {}): Promise<string> {
  const row = {
    property_id,
    guest_name: `Guest of ${channel}`,
    guest_email: `${channel}@example.com`,
    source: `channel_${channel}` as const,
    status: 'synced' as const,
    initial_status: 'synced' as const,
    external_source: `channel_${channel}_ical`,
    external_id: newId('event'),
    external_uid: null,
    sync_source_id: sources[channel],
    ...NIGHTS,
    ...more,
  };
  const [made] = await inTransaction(scope, () =>
    insertReservations(scope, [
      { ...row, checkin_date: parseCalendarDay(row.checkin_date), checkout_date: parseCalendarDay(row.checkout_date) },
    ]),
  );
  return made?.id ?? '';
}

const closure = (channel: 'c', more: object = {}) =>
  booking(channel, { guest_name: 'Guest', guest_email: null, external_id: 'u1@c', external_uid: 'u1@c', ...more });

const byHand = (more: object = {}) =>
  createReservation(scope, {
    property_id,
    guest_name: 'By hand',
    guest_email: 'hand@example.com',
    source: 'direct',
    ...NIGHTS,
    ...more,
  }).then(({ row }) => row.id);

async function sweep(work: ScheduledActionKind) {
  const done: string[] = [];
  for (const { reservation_ids } of await findDueScheduledActions([work]))
    for (const id of reservation_ids) if ((await performDueScheduledActions(work, id)) === 'done') done.push(id);
  return done.sort();
}
const mails = () => readOutboundMails({ template: 'same_nights' });
const marked = () => systemDb().reservation.count({ where: { nights_changed: true } });
const waiting = async () =>
  (await listReservationsForHost(scope, HostReservationListQuery.parse({ attention: 'same_nights' }))).data
    .map(({ id }) => id)
    .sort();

describe('a double booking', () => {
  it('is mailed to the owner once, and neither packet is sent automatically', async () => {
    const ids = [await booking('a'), await booking('b')].sort();
    expect(await detectDoubleBookings()).toEqual({ looked: 2, told: 1 });
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ to: 'owner@example.com', subject: 'Double booking: Casa Azul' });
    expect(mail?.text).toContain('Guest of a (Airbnb), Jun 15, 2026 to Jun 18, 2026');
    expect(mail?.text).toContain('Guest of b (Vrbo)');
    expect(await waiting()).toEqual(ids);
    expect(await sweep('auto_send')).toEqual([]);
    expect(await marked()).toBe(0);
    // Every poll writes this column. Only changes of the nights must lead to a comparison.
    await systemDb().reservation.updateMany({ data: { feed_misses: 1 } });
    expect(await detectDoubleBookings()).toEqual({ looked: 0, told: 0 });
    await systemDb().reservation.updateMany({ data: { nights_changed: true } });
    expect(await detectDoubleBookings()).toEqual({ looked: 2, told: 0 });
    expect(await mails()).toHaveLength(1);
  });

  it('is held back before the first check, even by two simultaneous sweeps', async () => {
    await booking('a');
    await booking('b');
    expect(await Promise.all([sweep('auto_send'), sweep('auto_send')])).toEqual([[], []]);
  });

  it('includes a booking created by hand, but not two created by hand', async () => {
    const ids = [await byHand(), await byHand({ guest_name: 'Second guest' })].sort();
    await detectDoubleBookings();
    expect(await mails()).toEqual([]);
    expect(await sweep('auto_send')).toEqual(ids);
    const id = await booking('a');
    await detectDoubleBookings();
    expect(await sweep('auto_send')).toEqual([]);
    expect(
      (await retrieveReservationForHost(scope, id)).same_nights.map(({ reservation_id }) => reservation_id).sort(),
    ).toEqual(ids);
    expect(await mails()).toHaveLength(1);
  });

  it('can be sent explicitly, by hand or by a partner through the API', async () => {
    const id = await byHand();
    await booking('a');
    await detectDoubleBookings();
    const partner: Scope = { ...scope, actor: { kind: 'key', id: 'key_1', name: 'CI' } as never };
    expect((await sendReservation(partner, id)).row.status).toBe('sent');
  });

  it('is sent once the host confirms both, without another mail', async () => {
    const [a, b] = [await booking('a'), await booking('b')];
    await detectDoubleBookings();
    expect(await retrieveReservationForHost(scope, a)).toMatchObject({
      held_back: true,
      same_nights: [{ as: 'conflict', reservation_id: b, guest_name: 'Guest of b', both_real: false }],
    });
    await confirmBothBookingsAreReal(scope, b, a);
    expect(await retrieveReservationForHost(scope, a)).toMatchObject({
      held_back: false,
      same_nights: [{ both_real: true }],
    });
    expect(await waiting()).toEqual([]);
    expect(await sweep('auto_send')).toEqual([a, b].sort());
    // A third booking is a new conflict.
    const third = await byHand();
    await detectDoubleBookings();
    expect(await sweep('auto_send')).toEqual([]);
    expect(await waiting()).toEqual([a, b, third].sort());
    expect(await mails()).toHaveLength(2);
    expect(await systemDb().auditLog.findMany({ where: { action: 'reservation.both_real' } })).toMatchObject([
      { object_id: b, data: { other: a } },
    ]);
  });

  it('can be confirmed before it is detected, and then is not mailed', async () => {
    const [a, b] = [await booking('a'), await booking('b')];
    await confirmBothBookingsAreReal(scope, a, b);
    await detectDoubleBookings();
    expect(await mails()).toEqual([]);
    expect(await sweep('auto_send')).toHaveLength(2);
  });

  it('ends when one booking is cancelled, and is mailed again when the booking reappears', async () => {
    const [a, b] = [await booking('a'), await booking('b')];
    await detectDoubleBookings();
    await cancelReservation(scope, b);
    expect(await waiting()).toEqual([]);
    expect(await sweep('auto_send')).toEqual([a]);
    await detectDoubleBookings();
    expect(await systemDb().sameNights.count()).toBe(0);
    await booking('b');
    await detectDoubleBookings();
    expect(await mails()).toHaveLength(2);
  });

  it('ends when one booking moves to adjoining nights, not while they share a night', async () => {
    const [a, b] = [await booking('a'), await byHand()];
    await detectDoubleBookings();
    await updateReservation(scope, b, { checkin_date: '2026-06-17', checkout_date: '2026-06-20' }, null);
    await detectDoubleBookings();
    expect([await waiting(), (await mails()).length]).toEqual([[a, b].sort(), 1]);
    await updateReservation(scope, b, { checkin_date: '2026-06-18' }, null);
    await detectDoubleBookings();
    expect([await waiting(), await systemDb().sameNights.count()]).toEqual([[], 0]);
    expect((await retrieveReservationForHost(scope, a)).held_back).toBe(false);
  });

  it('cannot be confirmed for bookings without common nights or of another team', async () => {
    const [a, b] = [
      await booking('a'),
      await booking('b', { checkin_date: '2026-06-18', checkout_date: '2026-06-20' }),
    ];
    await expect(confirmBothBookingsAreReal(scope, a, b)).rejects.toMatchObject({ code: 'concurrent_edit' });
    const other = await insertTeam('live', 'other@example.com');
    await expect(confirmBothBookingsAreReal(other, a, b)).rejects.toMatchObject({ code: 'resource_missing' });
  });

  it('does not exist between two properties', async () => {
    await booking('a');
    await booking('b', { property_id: await insertHouse() });
    await detectDoubleBookings();
    expect(await mails()).toEqual([]);
  });

  it('is mailed in one mail for each property, even with many pairs and concurrent checks', async () => {
    const days = (n: number) => ({ checkin_date: `2026-07-${10 + n}`, checkout_date: `2026-07-${11 + n}` });
    for (let n = 0; n < 12; n += 1) await Promise.all([booking('a', days(n)), booking('b', days(n))]);
    const told = await Promise.all([detectDoubleBookings(), detectDoubleBookings(), detectDoubleBookings()]);
    expect(told.reduce((sum, one) => sum + one.told, 0)).toBe(12);
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail?.text).toContain('2 more');
    expect(await systemDb().sameNights.count()).toBe(12);
    expect(await marked()).toBe(0);
  });

  it('in the past is ignored', async () => {
    await booking('a', { checkin_date: '2026-06-01', checkout_date: '2026-06-04' });
    await booking('b', { checkin_date: '2026-06-01', checkout_date: '2026-06-04' });
    expect(await detectDoubleBookings()).toEqual({ looked: 2, told: 0 });
  });
});

describe('a property with parallel stays', () => {
  it('reports nothing and holds nothing back, until parallel stays are disabled', async () => {
    await updateProperty(scope, property_id, { parallel_stays: true }, null);
    const ids = [await booking('a'), await booking('b')].sort();
    await detectDoubleBookings();
    expect(await mails()).toEqual([]);
    expect(await retrieveReservationForHost(scope, ids[0] as string)).toMatchObject({
      held_back: false,
      same_nights: [],
    });
    await updateProperty(scope, property_id, { parallel_stays: false }, null);
    expect(await detectDoubleBookings()).toEqual({ looked: 2, told: 1 });
    expect(await waiting()).toEqual(ids);
    await updateProperty(scope, property_id, { parallel_stays: true }, null);
    expect(await waiting()).toEqual([]);
    expect(await sweep('auto_send')).toEqual(ids);
  });
});

describe('a block that mirrors another channel’s booking', () => {
  it('is the same stay: no warning, nothing held back, and no late alert for the block', async () => {
    const [guest, block] = [await booking('a'), await closure('c')];
    expect(await detectDoubleBookings()).toEqual({ looked: 2, told: 0 });
    expect(await retrieveReservationForHost(scope, guest)).toMatchObject({
      held_back: false,
      same_nights: [{ as: 'repeated_by', reservation_id: block }],
    });
    expect(await retrieveReservationForHost(scope, block)).toMatchObject({
      same_nights: [{ as: 'repeats', reservation_id: guest }],
    });
    expect(await waiting()).toEqual([]);
    expect(await sweep('auto_send')).toEqual([guest]);
    time.set(new Date('2026-06-15T16:00:00Z'));
    expect(await sweep('late_alert')).toEqual([guest]);
    expect((await readOutboundMails({ template: 'late_alert' })).map(({ reservation_id }) => reservation_id)).toEqual([
      guest,
    ]);
  });

  it('becomes a booking once it has an address, and both are held back', async () => {
    const [, block] = [await booking('a'), await closure('c')];
    await detectDoubleBookings();
    await updateReservation(scope, block, { guest_email: 'second@example.com' }, null);
    expect(await sweep('auto_send')).toEqual([]);
    expect(await detectDoubleBookings()).toEqual({ looked: 1, told: 1 });
  });
});

it('double bookings are not detected between modes', async () => {
  await booking('a');
  const test = createSystemScope(scope.team_id, 'test', 'test');
  const house = await insertHouse({}, test);
  await insertCalendar('channel_a_ical', house, test);
  await createReservation(test, {
    property_id: house,
    guest_name: 'Test',
    guest_email: 't@example.com',
    source: 'direct',
    ...NIGHTS,
  });
  await detectDoubleBookings();
  expect(await mails()).toEqual([]);
});
