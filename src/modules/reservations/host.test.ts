import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appRouter } from '@/api/router';
import { systemDb } from '@/infra/db/client';
import { updateDefaultPacket } from '@/modules/packets/service';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { previewBulkAction } from './bulk/service';
import { changeReservationDates } from './change-dates/service';
import { createShareableSigningLink, releaseArrivalDetails, retrieveReservationForHost } from './host.service';
import { resendReservation, sendReservation } from './send';
import { cancelReservation, createReservation, updateReservation } from './service';

let scope: Scope;
let property_id: string;
beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  scope = await insertTeam();
  property_id = (await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul' }))).id;
  await systemDb().packet.updateMany({
    data: {
      name: 'House rules',
      arrival_details: { wifi: { network: 'loft', password: 'sardine' }, door_code: '4711#', checkin_notes: 'Ring.' },
      arrival_release: { wifi: 'after_signing', door_code: 'manual' },
    },
  });
});

const stay = (guest_email: string | null) => ({
  property_id,
  guest_name: 'Ana',
  guest_email,
  checkin_date: '2031-06-15',
  checkout_date: '2031-06-18',
  source: 'direct' as const,
});
const insertStay = async (guest_email: string | null = 'ana@example.com') =>
  (await createReservation(scope, stay(guest_email))).row.id;

describe('a team on the Free plan', () => {
  it('sends at most thirty packets in 24 hours, in live mode', async () => {
    await systemDb().team.update({ where: { id: scope.team_id }, data: { plan: 'free' } });
    const [id, other] = [await insertStay(), await insertStay('bo@example.com')];
    const mail = (number: number) => ({
      ...{ id: `mail_${number}`, team_id: scope.team_id, mode: scope.mode, template: 'packet', to: 'x@example.com' },
      ...{ from: 'a@example.com', subject: 'S', status: 'sent' as const, due_at: new Date(), created_at: new Date() },
    });
    await systemDb().mailMessage.createMany({ data: Array.from({ length: 29 }, (_, number) => mail(number)) });
    await sendReservation(scope, id);
    await expect(sendReservation(scope, other)).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    expect(await retrieveReservationForHost(scope, other)).toMatchObject({ status: 'draft' });
    await systemDb().mailMessage.updateMany({ data: { created_at: new Date(Date.now() - 86_400_001) } });
    await sendReservation(scope, other);
  });
});

describe('a packet without rules and fees', () => {
  const by_host = (): Scope => ({ ...scope, actor: { kind: 'user', id: 'user_1', name: 'Olga', role: 'owner' } });

  it('cannot be sent by a host, who sees what is missing', async () => {
    const id = await insertStay();
    await expect(sendReservation(by_host(), id)).rejects.toMatchObject({ code: 'packet_empty' });
    expect((await retrieveReservationForHost(by_host(), id)).actions.send).toMatchObject({
      allowed: false,
      code: 'packet_empty',
    });
    const { rows } = await previewBulkAction(by_host(), 'send', [id]);
    expect(rows[0]).toMatchObject({ outcome: 'refused', message: { key: 'packet_empty' } });
    await updateDefault([{ text: 'No smoking.' }]);
    expect((await sendReservation(by_host(), id)).row.status).toBe('sent');
    await updateDefault([]);
    await expect(resendReservation(by_host(), id)).rejects.toMatchObject({ code: 'packet_empty' });
    const dates = { checkin_date: '2031-06-16', checkout_date: '2031-06-18' };
    await expect(changeReservationDates(by_host(), id, dates)).rejects.toMatchObject({ code: 'packet_empty' });
  });

  it('can be sent through the API, as the specification of /v1 requires', async () => {
    const id = await insertStay();
    expect((await sendReservation(scope, id)).row.status).toBe('sent');
  });

  const updateDefault = (rules: { text: string }[]) =>
    updateDefaultPacket(scope, property_id, { rules }, { if_match: null, how: 'patch' });
});

describe('a host’s view of a reservation', () => {
  it('lists what the guest can and cannot see, without its content', async () => {
    const id = await insertStay();
    expect(await retrieveReservationForHost(scope, id)).toMatchObject({
      packet: { name: 'House rules' },
      arrival: { released: ['checkin_notes'], withheld: ['wifi', 'door_code'] },
      legal_hold: false,
      share_link_made: false,
    });
    await releaseArrivalDetails(scope, id, { reason: 'Arrives at night.', groups: ['door_code'] });
    const view = await retrieveReservationForHost(scope, id);
    expect(view.arrival).toEqual({ released: ['door_code', 'checkin_notes'], withheld: ['wifi'] });
    expect(JSON.stringify(view)).not.toMatch(/4711|sardine|Ring/);
  });

  it('states for every action whether it is allowed, and otherwise why', async () => {
    const id = await insertStay();
    await sendReservation(scope, id);
    const { actions } = await retrieveReservationForHost(scope, id);
    expect(actions.resend).toEqual({ allowed: true });
    expect(actions.send).toMatchObject({ allowed: false, code: null, message: { key: 'was_sent_already' } });
    expect(actions.update).toMatchObject({ allowed: false, code: 'reservation_not_editable' });
    await cancelReservation(scope, id);
    const after = await retrieveReservationForHost(scope, id);
    expect(after).toMatchObject({ cancel_reason: 'api', actions: { restore: { allowed: true } } });
    for (const answer of Object.values(after.actions))
      if (!answer.allowed) expect(String(answer.message)).toMatch(/\.$/);
  });

  it('is not visible to another team', async () => {
    const id = await insertStay();
    const other = await insertTeam('live', 'other@example.com');
    await expect(retrieveReservationForHost(other, id)).rejects.toMatchObject({ code: 'resource_missing' });
  });
});

describe('a reservation without an address', () => {
  it('cannot be sent, and has a link to share that stays the same', async () => {
    const id = await insertStay(null);
    const view = await retrieveReservationForHost(scope, id);
    expect(view.actions.send).toMatchObject({ allowed: false, code: 'guest_email_missing' });
    const url = await createShareableSigningLink(scope, id);
    expect(await createShareableSigningLink(scope, id)).toBe(url);
    expect((await retrieveReservationForHost(scope, id)).share_link_made).toBe(true);
  });

  it('is the only kind of reservation with a link to share', async () => {
    await expect(createShareableSigningLink(scope, await insertStay())).rejects.toMatchObject({
      code: 'reservation_not_sendable',
    });
  });
});

describe('reservations created in the dashboard', () => {
  const caller = () =>
    appRouter.createCaller({
      request_id: 'req_1',
      surface: 'dashboard',
      scope,
      user: { id: 'user_1', name: 'Olga', email: 'olga@example.com', role: 'manager', session_id: 'session_1' },
      ip: null,
      user_agent: null,
      if_match: null,
      reply: { headers: {} },
    } as never).reservations;

  it('need no address, keep the booking code and are available on every plan', async () => {
    const made = await caller().create({ ...stay(null), external_id: ' HM1 ' });
    expect(made).toMatchObject({ status: 'draft', guest_contact_missing: true, external_id: 'HM1' });
    await systemDb().team.update({ where: { id: scope.team_id }, data: { plan: 'free' } });
    expect(await caller().create(stay(null))).toMatchObject({ status: 'draft' });
    const input = { text: '', property_id: null, day_first: true };
    expect(await caller().preview_import(input)).toMatchObject({});
  });

  it.each([
    [{ checkout_date: '2031-06-15' }, 'invalid_date_range'],
    [{ guest_email: 'unknown+1@guest.invalid' }, 'invalid_field'],
    [{ property_id: 'prop_01jd8z6q0v7m3k5n9r2t4w6y8a' }, 'resource_missing'],
  ])('with %j are rejected', async (change, code) => {
    const error = await caller()
      .create({ ...stay(null), ...change })
      .catch((thrown) => thrown);
    expect(JSON.stringify([error.cause, error.cause?.issues])).toContain(code);
    expect(await systemDb().reservation.count()).toBe(0);
  });
});

it('an unchanged address stays marked as the channel’s relay, and a new address is not', async () => {
  const relay = 'ada-9f3k@messages.channel-b.example';
  const id = await insertStay(relay);
  await systemDb().reservation.update({ where: { id }, data: { guest_email_relay: true } });
  const read = async () => (await retrieveReservationForHost(scope, id)).guest_email_relay;
  await updateReservation(scope, id, { guest_email: relay, guest_name: 'Ada' }, null);
  expect(await read()).toBe(true);
  await updateReservation(scope, id, { guest_email: 'ada@example.com' }, null);
  expect(await read()).toBe(false);
});
