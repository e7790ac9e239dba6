import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordEvent } from '@/events/record';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { insertSealedCertificate } from '@/modules/certificates/testing/signed';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { createReservation } from '@/modules/reservations/service';
import type { Scope } from '@/shared/scope';
import { addDays } from '@/shared/zoned-time';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { SearchResult } from './schemas';
import { searchEverything } from './service';

let scope: Scope;
const ids = new Map<string, string>();
const today = new Date().toISOString().slice(0, 10);

async function insertGuest(owner: Scope, property_id: string, guest_name: string, days: number, external_id?: string) {
  const { row } = await createReservation(owner, {
    property_id,
    guest_name,
    guest_email: `${guest_name.toLowerCase().replace(/\W+/g, '.')}@example.com`,
    checkin_date: addDays(today, days),
    checkout_date: addDays(today, days + 2),
    source: 'direct',
    external_id: external_id ?? null,
  });
  ids.set(guest_name, row.id);
}

beforeAll(async () => {
  await openTestDatabase();
  scope = await insertTeam();
  const house = await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul', address: 'Rua da Praia 12' }));
  ids.set('Casa Azul', house.id);
  await insertGuest(scope, house.id, 'Ann', 30);
  await insertGuest(scope, house.id, 'Annabel Lee', 1);
  await insertGuest(scope, house.id, 'Mary Ann Evans', 2, 'HM-4711');
  await insertGuest(scope, house.id, 'Grace Hopper', 3);
  await insertGuest(scope, house.id, 'Grace Kelly', 200);
  const { signature_id } = await insertSealedCertificate(scope);
  ids.set('certificate', signature_id);
  const other = await insertTeam('live', 'other@example.com');
  const theirs = await createProperty(other, PropertyCreate.parse({ name: 'Casa Azul' }));
  await insertGuest(other, theirs.id, 'Ann Theirs', 1);
}, 120_000);
afterAll(closeTestDatabase);

const search = async (text: string) => SearchResult.parse(await searchEverything(scope, text));
const guests = async (text: string) => (await search(text)).reservations.map(({ guest_name }) => guest_name);

describe('guests', () => {
  it.each([
    ['ann', ['Ann', 'Mary Ann Evans', 'Annabel Lee']],
    ['ANNABEL', ['Annabel Lee']],
    ['hm-4711', ['Mary Ann Evans']],
    ['mary.ann.evans@example.com', ['Mary Ann Evans']],
    ['grace', ['Grace Hopper', 'Grace Kelly']],
    ['gra hop', ['Grace Hopper']],
    ["ann' | 'grace':*", []],
    ['a', []],
    ['', []],
  ])('searched by %j are %j, ordered by exactness and then by the nearest arrival', async (text, found) => {
    expect(await guests(text)).toEqual(found);
  });

  it('with a mistyped ending are found when nothing else is, and marked as near', async () => {
    expect(await search('gracr hoppr')).toMatchObject({ near: true, reservations: [{ guest_name: 'Grace Hopper' }] });
    expect((await search('grace')).near).toBe(false);
    expect(await search('zzzzzz')).toMatchObject({ near: false, reservations: [], certificates: [] });
  });
});

it('certificates are found by signer, properties by name and address', async () => {
  expect((await search('lovelace')).certificates).toMatchObject([
    { id: ids.get('certificate'), signer_name: 'Ada Lovelace', property_name: 'Harbour Loft' },
  ]);
  expect((await search('praia')).properties).toEqual([
    { id: ids.get('Casa Azul'), name: 'Casa Azul', place: 'Rua da Praia 12' },
  ]);
  expect((await search('azul')).properties).toHaveLength(1);
});

describe('ids', () => {
  it('are found by their prefix, within the team and its mode only', async () => {
    const id = ids.get('Grace Hopper') ?? '';
    expect((await search(id)).ids).toEqual([{ kind: 'reservation', id, label: 'Grace Hopper', parent_id: null }]);
    expect((await search(id.slice(0, 12).toUpperCase())).ids.map((row) => row.id)).toContain(id);
    expect((await search('res_0')).ids).toHaveLength(6);
    expect((await search(ids.get('Ann Theirs') ?? '')).ids).toEqual([]);
    expect((await searchEverything({ ...scope, mode: 'test' }, id)).ids).toEqual([]);
  });

  it('of every kind can be searched', async () => {
    await inTransaction(scope, () =>
      recordEvent(scope, { type: 'packet.updated', object_id: 'pkt_x', data: { object: {} } }),
    );
    const [event] = await systemDb().event.findMany({ where: { object_id: 'pkt_x' } });
    expect((await search(event?.id ?? '')).ids).toMatchObject([{ kind: 'event', label: 'packet.updated' }]);
    const packet = await systemDb().packet.findFirstOrThrow({ where: { property_id: ids.get('Casa Azul') } });
    expect((await search(packet.id)).ids).toMatchObject([{ kind: 'packet', parent_id: ids.get('Casa Azul') }]);
    for (const prefix of ['sig_0', 'prop_0', 'req_0', 'key_0', 'whe_0', 'ss_0', 'mail_0'])
      expect(Array.isArray((await search(prefix)).ids)).toBe(true);
  });
});
