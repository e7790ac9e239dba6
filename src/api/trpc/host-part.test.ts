/** Tests which fields of the same operation a partner and a host may set and see. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appRouter } from '@/api/router';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { HostReservation, HostReservationEventListEnvelope } from '@/modules/reservations/host.schemas';
import { Reservation, ReservationEvent } from '@/modules/reservations/schemas';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import type { ApiContext } from './context';

let scope: Scope;
let property_id: string;
beforeAll(async () => {
  await openTestDatabase();
  scope = await insertTeam();
  property_id = (await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul' }))).id;
});
afterAll(closeTestDatabase);

const context = (change: Partial<ApiContext>): ApiContext => ({
  request_id: 'req_1',
  surface: 'rest',
  scope,
  user: null,
  ip: null,
  user_agent: null,
  if_match: null,
  reply: { headers: {} },
  ...change,
});
const user = { id: 'user_1', name: 'Olga', email: 'olga@example.com', role: 'manager', session_id: 's' } as const;
const partner = () => appRouter.createCaller(context({}));
const host = () => appRouter.createCaller(context({ surface: 'dashboard', user }));

const stay = () => ({
  property_id,
  guest_name: 'Ana',
  guest_email: 'ana@example.com',
  checkin_date: '2031-06-15',
  checkout_date: '2031-06-18',
});
const keys = (value: object) => Object.keys(value).sort();
const fields = (schema: { shape: object }) => keys(schema.shape).filter((field) => field !== 'email_preview_url');

describe('one operation for partners and hosts', () => {
  it('returns the resource to partners, and additional fields to hosts', async () => {
    const { id } = await partner().reservations.create(stay());
    expect(keys(await partner().reservations.retrieve({ id }))).toEqual(fields(Reservation));
    expect(keys(await host().reservations.retrieve({ id }))).toEqual(fields(HostReservation));

    const listed = await partner().reservations.list({});
    expect(keys(listed)).toEqual(['data', 'has_more', 'object', 'url']);
    expect(keys(listed.data[0] as object)).toEqual(fields(Reservation));
    expect(await host().reservations.list({ search: 'ana' })).toMatchObject({ data: [{ property_name: 'Casa Azul' }] });

    const told = await partner().reservations.events({ id });
    for (const event of told.data) expect(keys(event)).toEqual(fields(ReservationEvent));
    const told_host = await host().reservations.events({ id });
    for (const event of told_host.data)
      expect(keys(event)).toEqual(fields(HostReservationEventListEnvelope.shape.data.element));
    expect(told_host.data.map(({ type }) => type)).toEqual(told.data.map(({ type }) => type));
  });

  it('rejects a host-only field from a partner', async () => {
    const { id } = await host().reservations.create(stay());
    const given = { id, guest_phone_last4: '1234' };
    await expect(partner().reservations.correct_guest(given)).rejects.toThrow('guest_phone_last4');
    await host().reservations.correct_guest(given);
    expect(await host().reservations.retrieve({ id })).toMatchObject({ guest_phone_last4: '1234' });
  });

  it('restricts partners to the narrower range of values', async () => {
    await expect(partner().reservations.create({ ...stay(), guest_email: null })).rejects.toThrow('guest_email');
    await expect(partner().sync_sources.list({ limit: 101 })).rejects.toThrow('limit');
    expect(await host().reservations.create({ ...stay(), guest_email: null })).toMatchObject({ status: 'draft' });
    expect(await host().sync_sources.list({ limit: 500 })).toMatchObject({ data: [] });
  });

  it('distinguishes concurrent calls of partners and hosts', async () => {
    const calls = Array.from({ length: 20 }, (_, index) => {
      const by_host = index % 2 === 0;
      return (by_host ? host() : partner()).reservations
        .list({})
        .then(({ data }) => [by_host, 'property_name' in (data[0] as object)]);
    });
    for (const [by_host, shown] of await Promise.all(calls)) expect(shown).toBe(by_host);
  });
});
