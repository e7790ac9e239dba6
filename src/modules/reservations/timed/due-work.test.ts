import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { setClock } from '@/shared/clock';
import type { Mode, Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readOutboundMails } from '@/testing/mail';
import { clearDatabase, insertTeam } from '@/testing/team';
import { SCHEDULED_ACTION_KINDS, type ScheduledActionKind } from '../rules/reminders';
import { sendReservation } from '../send';
import { cancelReservation, createReservation, updateReservation } from '../service';
import { filterDueReservationsLoggingErrors, findDueScheduledActions, performDueScheduledActions } from './due-work';

const HOUR = 3_600_000;
/** Check-in is 15:00 in Madrid, 13:00 UTC. */
const CHECKIN = Date.parse('2026-06-15T13:00:00Z');
let scope: Scope;
let time: FakeClock;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  // With a provider configured, the mail is queued with its content.
  setConfig({ resend_api_key: 're_test' });
  await clearDatabase();
  time = installFakeClock('2026-06-01T10:00:00Z');
  scope = await insertTeam();
});
afterEach(() => setClock(null));

async function insertStay(settings: object = {}, stay: object = {}, owner = scope) {
  const property = await createProperty(
    owner,
    PropertyCreate.parse({
      name: 'Casa Azul',
      timezone: 'Europe/Madrid',
      auto_send_packet: true,
      auto_send_offset_hours: 48,
      auto_reminders: true,
      ...settings,
    }),
  );
  const { row } = await createReservation(owner, {
    property_id: property.id,
    guest_name: 'Ana',
    guest_email: 'ana@example.com',
    checkin_date: '2026-06-15',
    checkout_date: '2026-06-18',
    source: 'direct',
    ...stay,
  });
  return row.id;
}

const hoursBefore = (hours: number) => time.set(new Date(CHECKIN - hours * HOUR));
const row = (id: string) => systemDb().reservation.findUniqueOrThrow({ where: { id } });
const templates = async () =>
  (await systemDb().mailMessage.findMany({ orderBy: { created_at: 'asc' } })).map(({ template }) => template);
const trail = async (id: string) =>
  (await systemDb().trailEntry.findMany({ where: { reservation_id: id }, orderBy: { seq: 'asc' } })).map(
    ({ type }) => type,
  );
const events = async () => (await systemDb().event.findMany({ orderBy: { sequence: 'asc' } })).map(({ type }) => type);

/** Does all due work of one kind. */
async function sweepReservations(work: ScheduledActionKind) {
  const report = { done: 0, skipped: 0, failed: [] as string[] };
  for (const { reservation_ids } of await findDueScheduledActions([work]))
    for (const id of reservation_ids) report[await performDueScheduledActions(work, id)] += 1;
  return report;
}

/** Does all kinds of work, one after the other. */
async function sweepAll() {
  for (const work of SCHEDULED_ACTION_KINDS) await sweepReservations(work);
}

describe('auto-send', () => {
  it('sends once, at its offset before check-in in the property’s time zone, with trail and event', async () => {
    const id = await insertStay();
    hoursBefore(48.01);
    expect(await sweepReservations('auto_send')).toEqual({ done: 0, skipped: 0, failed: [] });
    hoursBefore(48);
    expect(await sweepReservations('auto_send')).toEqual({ done: 1, skipped: 0, failed: [] });
    expect(await sweepReservations('auto_send')).toEqual({ done: 0, skipped: 0, failed: [] });
    expect(await row(id)).toMatchObject({ status: 'sent', auto_sent_at: time.now(), sent_at: time.now() });
    expect(await templates()).toEqual(['packet']);
    expect(await trail(id)).toEqual(['reservation.created', 'reservation.sent']);
    expect((await events()).slice(-1)).toEqual(['reservation.sent']);
  });

  it('sends one mail when it runs several times at once', async () => {
    await insertStay();
    hoursBefore(10);
    await Promise.all([sweepReservations('auto_send'), sweepReservations('auto_send'), sweepReservations('auto_send')]);
    expect(await templates()).toEqual(['packet']);
  });

  it('that is days late sends before check-in and never after it', async () => {
    const late = await insertStay();
    const [too_late] = [await insertStay({}, { checkin_date: '2026-06-12', checkout_date: '2026-06-20' })];
    hoursBefore(1);
    await sweepReservations('auto_send');
    expect((await row(late)).status).toBe('sent');
    expect((await row(too_late)).status).toBe('draft');
  });

  it.each([
    ['a property with auto-send disabled', { auto_send_packet: false }, {}],
    ['a stay far in the future', {}, { checkin_date: '2026-08-01', checkout_date: '2026-08-02' }],
  ])('does not send for %s', async (_name, settings, stay) => {
    const id = await insertStay(settings, stay);
    hoursBefore(10);
    await sweepAll();
    expect((await row(id)).status).toBe('draft');
  });

  it('does not send for bookings without an address or cancelled bookings', async () => {
    const [addressless, cancelled] = [await insertStay(), await insertStay()];
    await systemDb().reservation.update({ where: { id: addressless }, data: { guest_email: null } });
    await cancelReservation(scope, cancelled);
    hoursBefore(10);
    expect(await sweepReservations('auto_send')).toEqual({ done: 0, skipped: 0, failed: [] });
    expect(await templates()).toEqual([]);
  });

  it('skips a reservation without an active packet and sends the others', async () => {
    const [packetless, ordinary] = [await insertStay(), await insertStay()];
    const { property_id } = await row(packetless);
    await systemDb().packet.updateMany({
      where: { property_id },
      data: { status: 'archived', archived_at: new Date(), is_default: false },
    });
    hoursBefore(10);
    expect(await sweepReservations('auto_send')).toEqual({ done: 1, skipped: 1, failed: [] });
    expect((await row(ordinary)).status).toBe('sent');
  });

  it('also runs in test mode, where mails are only captured', async () => {
    const id = await insertStay({}, {}, { ...scope, mode: 'test' as Mode });
    hoursBefore(10);
    await sweepReservations('auto_send');
    expect((await row(id)).status).toBe('sent');
    expect(await systemDb().mailMessage.findMany({ select: { status: true, preview_until: true } })).toMatchObject([
      { status: 'captured', preview_until: expect.any(Date) },
    ]);
  });
});

describe('reminders', () => {
  it('are sent a day and two hours before check-in, once each, to guests who have not signed', async () => {
    const id = await insertStay({ auto_send_packet: false });
    await sendReservation(scope, id);
    hoursBefore(24.01);
    await sweepAll();
    expect(await templates()).toEqual(['packet']);
    hoursBefore(24);
    await sweepAll();
    await sweepAll();
    expect(await templates()).toEqual(['packet', 'reminder_24h']);
    hoursBefore(2);
    await Promise.all([sweepAll(), sweepAll()]);
    expect(await templates()).toEqual(['packet', 'reminder_24h', 'reminder_2h']);
    expect(await trail(id)).toEqual([
      'reservation.created',
      'reservation.sent',
      'reservation.reminder_sent',
      'reservation.reminder_sent',
    ]);
    const [, reminder] = await readOutboundMails();
    const [packet] = await readOutboundMails({ template: 'packet' });
    const link = /\/sign\/[\w-]+/.exec(packet?.text ?? '')?.[0];
    expect(link).toBeTruthy();
    expect(reminder?.text).toContain(link);
  });

  it('after days of downtime are sent once, and only the one that is still useful', async () => {
    const [soon, over] = [
      await insertStay(),
      await insertStay({}, { checkin_date: '2026-06-12', checkout_date: '2026-06-13' }),
    ];
    await sendReservation(scope, soon);
    await sendReservation(scope, over);
    hoursBefore(1);
    await sweepAll();
    expect((await templates()).filter((template) => template.startsWith('reminder'))).toEqual(['reminder_2h']);
    expect((await row(over)).status).toBe('expired');
  });

  it('are not sent to guests who signed or were just mailed, or when the host disabled them', async () => {
    const [signed, fresh, unwanted] = [
      await insertStay(),
      await insertStay(),
      await insertStay({ auto_reminders: false }),
    ];
    await sendReservation(scope, signed);
    await sendReservation(scope, unwanted);
    await systemDb().reservation.update({ where: { id: signed }, data: { status: 'signed', signed_at: time.now() } });
    hoursBefore(20);
    await sendReservation(scope, fresh);
    await sweepReservations('reminder_24h');
    expect((await templates()).filter((template) => template !== 'packet')).toEqual([]);
  });

  it('are rescheduled when the check-in moves', async () => {
    const id = await insertStay();
    hoursBefore(24);
    await systemDb().reservation.update({ where: { id }, data: { reminder_24h_sent_at: time.now() } });
    await updateReservation(scope, id, { checkin_date: '2026-06-17', checkout_date: '2026-06-19' }, null);
    await sendReservation(scope, id);
    time.set(new Date(CHECKIN + 24 * HOUR));
    await sweepReservations('reminder_24h');
    expect((await row(id)).reminder_24h_sent_at).toEqual(time.now());
  });
});

describe('the late alert', () => {
  it('is mailed to the owner once when check-in passes without a signature', async () => {
    const id = await insertStay();
    await sendReservation(scope, id);
    hoursBefore(0.01);
    await sweepReservations('late_alert');
    expect(await templates()).toEqual(['packet']);
    hoursBefore(0);
    await sweepReservations('late_alert');
    await sweepReservations('late_alert');
    expect(await templates()).toEqual(['packet', 'late_alert']);
    const [alert] = await readOutboundMails({ template: 'late_alert' });
    expect(alert).toMatchObject({ to: 'owner@example.com', reservation_id: id });
  });

  it('covers a booking that auto-send could not reach, with a matching text', async () => {
    const id = await insertStay();
    await systemDb().reservation.update({ where: { id }, data: { guest_email: null } });
    hoursBefore(0);
    await sweepReservations('late_alert');
    const [alert] = await readOutboundMails();
    expect(alert?.text).toContain('Nothing was sent');
  });

  it('is dropped a day after check-in, so that downtime causes no flood of old alerts', async () => {
    for (let index = 0; index < 3; index++) await sendReservation(scope, await insertStay());
    hoursBefore(-25);
    await sweepReservations('late_alert');
    expect((await templates()).filter((template) => template === 'late_alert')).toEqual([]);
  });
});

describe('expiry', () => {
  it('happens once after the check-out day in the property’s time zone, however late the sweep', async () => {
    const id = await insertStay();
    const unsent = await insertStay();
    await sendReservation(scope, id);
    time.set('2026-06-18T21:59:59Z');
    await sweepReservations('expire');
    expect((await row(id)).status).toBe('sent');
    time.set('2026-06-18T22:00:00Z');
    expect(await sweepReservations('expire')).toMatchObject({ done: 1 });
    expect(await sweepReservations('expire')).toMatchObject({ done: 0 });
    expect(await row(id)).toMatchObject({ status: 'expired', expired_at: time.now() });
    expect(await trail(id)).toEqual(['reservation.created', 'reservation.sent', 'reservation.expired']);
    expect((await row(unsent)).status).toBe('draft');
  });

  it('and other work is batched by team, at most 50 at a time', async () => {
    const id = await insertStay();
    const other = await insertTeam('live', 'other@example.com');
    const theirs = await insertStay({}, {}, other);
    const source = await row(id);
    await systemDb().reservation.createMany({
      data: Array.from({ length: 70 }, (_, index) => ({
        ...source,
        metadata: {},
        id: `res_many${String(index).padStart(8, '0')}`,
        signing_token_hash: null,
      })),
    });
    hoursBefore(10);
    const due = await findDueScheduledActions(['auto_send']);
    expect(due.filter(({ team_id }) => team_id === other.team_id)).toEqual([
      { team_id: other.team_id, work: 'auto_send', reservation_ids: [theirs] },
    ]);
    const own = due.filter(({ team_id }) => team_id === scope.team_id);
    expect(own.map(({ reservation_ids }) => reservation_ids.length)).toEqual([50, 21]);
    expect(new Set(own.flatMap(({ reservation_ids }) => reservation_ids)).size).toBe(71);
  });

  it('after months of downtime is found completely, page by page', async () => {
    const id = await insertStay();
    await sendReservation(scope, id);
    const source = await row(id);
    await systemDb().reservation.createMany({
      data: Array.from({ length: 450 }, (_, index) => ({
        ...source,
        metadata: {},
        id: `res_many${String(index).padStart(8, '0')}`,
        signing_token_hash: null,
      })),
    });
    await systemDb().trailEntry.deleteMany();
    time.set('2026-12-01T00:00:00Z');
    const due = (await findDueScheduledActions(['expire'])).flatMap(({ reservation_ids }) => reservation_ids);
    expect([due.length, new Set(due).size]).toEqual([451, 451]);
  });
});

it('a reservation that cannot be evaluated does not block the others', () => {
  const candidates = [{ id: 'res_a' }, { id: 'res_broken' }, { id: 'res_b' }];
  const judge = ({ id }: { id: string }) => {
    if (id === 'res_broken') throw new RangeError('No such zone.');
    return true;
  };
  expect(filterDueReservationsLoggingErrors(candidates, judge).map(({ id }) => id)).toEqual(['res_a', 'res_b']);
});
