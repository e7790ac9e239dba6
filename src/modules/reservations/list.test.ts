import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { type HostReservationListQuery, HostReservationListQuery as Schema } from './host.schemas';
import { listReservationsForHost, retrieveReservationForHost } from './host.service';
import { RESERVATION_SEARCH_PRISMA_SQL } from './list.repository';
import { splitSearchWords } from './rules/search';
import { createReservation } from './service';

let scope: Scope;
const ids = new Map<string, string>();

async function insertGuest(owner: Scope, property_id: string, guest_name: string, email: string, checkin: string) {
  const { row } = await createReservation(owner, {
    property_id,
    guest_name,
    guest_email: email,
    checkin_date: checkin,
    checkout_date: '2027-01-01',
    source: 'direct',
  });
  ids.set(guest_name, row.id);
}

beforeAll(async () => {
  await openTestDatabase();
  scope = await insertTeam();
  const { id } = await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul', timezone: 'Europe/Madrid' }));
  await insertGuest(scope, id, 'Ana García López', 'ana.garcia@example.com', '2026-06-15');
  await insertGuest(scope, id, 'ben Moss', 'b-moss@example.org', '2026-06-01');
  await insertGuest(scope, id, 'Chloé O’Hara', 'chloe@example.com', '2026-06-15');
  await insertGuest(scope, id, 'Anatol #7', 'unsent@example.com', '2026-05-01');
  await systemDb().reservation.update({
    where: { id: ids.get('ben Moss') as string },
    data: { external_id: 'HM-4711', guest_email: null, status: 'synced', initial_status: 'synced' },
  });
  await systemDb().reservation.update({
    where: { id: ids.get('Chloé O’Hara') as string },
    data: {
      status: 'sent',
      sent_at: new Date('2026-05-19T10:00:00Z'),
      dates_changed_after_send_at: new Date('2026-05-20T10:00:00Z'),
    },
  });
  const other = await insertTeam('live', 'other@example.com');
  const theirs = await createProperty(other, PropertyCreate.parse({ name: 'Elsewhere' }));
  await insertGuest(other, theirs.id, 'Ana Other', 'ana@example.com', '2026-06-15');
}, 60_000);
afterAll(closeTestDatabase);

const names = async (query: Partial<HostReservationListQuery>) =>
  (await listReservationsForHost(scope, Schema.parse(query))).data.map((row) => row.guest_name);

describe('a search', () => {
  it.each([
    ['gar', ['Ana García López']],
    ['lóp', ['Ana García López']],
    ['ANA', ['Anatol #7', 'Ana García López']],
    ['ana gar', ['Ana García López']],
    ['ana.garcia@example.com', ['Ana García López']],
    ['example', ['Anatol #7', 'Chloé O’Hara', 'Ana García López']],
    ['hm-4711', ['ben Moss']],
    ['4711', ['ben Moss']],
    ['rcía', []],
    ['nobody', []],
    ["' | 'ana':* & \\", []],
    ['#team', []],
    ['!', []],
    ['@ - .', ['Anatol #7', 'Chloé O’Hara', 'ben Moss', 'Ana García López']],
  ])('for %s finds %j, and nothing of other teams', async (search, found) => {
    expect(await names({ search })).toEqual(found);
  });

  it('uses exactly the expression that is indexed', async () => {
    const plan = await systemDb().$transaction(async (tx) => {
      await tx.$executeRawUnsafe('SET LOCAL enable_seqscan = off');
      return tx.$queryRawUnsafe<object[]>(
        `EXPLAIN SELECT 1 FROM reservations r WHERE ${RESERVATION_SEARCH_PRISMA_SQL.sql} @@ 'ana'::tsquery`,
      );
    });
    expect(JSON.stringify(plan)).toContain('expression_reservations_search');
  });

  it('splits an address as the index does', () => {
    expect(splitSearchWords(' ada.l@example.com  HM/12 ')).toEqual(['ada', 'l', 'example', 'com', 'HM', '12']);
    expect(splitSearchWords('@ -')).toEqual([]);
  });
});

describe('the list', () => {
  it.each([
    [{ by: 'created', descending: true }, ['Anatol #7', 'Chloé O’Hara', 'ben Moss', 'Ana García López']],
    [{ by: 'created', descending: false }, ['Ana García López', 'ben Moss', 'Chloé O’Hara', 'Anatol #7']],
    [{ by: 'checkin', descending: false }, ['Anatol #7', 'ben Moss', 'Ana García López', 'Chloé O’Hara']],
    [{ by: 'checkin', descending: true }, ['Chloé O’Hara', 'Ana García López', 'ben Moss', 'Anatol #7']],
    [{ by: 'guest', descending: false }, ['Ana García López', 'Anatol #7', 'ben Moss', 'Chloé O’Hara']],
  ] as const)('sorted by %j has that order, also in pages of one in both directions', async (sort, order) => {
    expect(await names({ sort })).toEqual(order);
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let turn = 0; turn < order.length; turn++) {
      const page = await listReservationsForHost(scope, Schema.parse({ sort, limit: 1, starting_after: cursor }));
      expect(page.has_more).toBe(turn < order.length - 1);
      cursor = page.data[0]?.id;
      seen.push(...page.data.map((row) => row.guest_name));
    }
    expect(seen).toEqual(order);
    const back = await listReservationsForHost(scope, Schema.parse({ sort, limit: 2, ending_before: cursor }));
    expect(back.data.map((row) => row.guest_name)).toEqual(order.slice(1, 3));
    expect(back.has_more).toBe(true);
  });

  it.each(['created', 'checkin', 'guest'] as const)(
    'filtered by several statuses is complete when sorted by %s, in pages of both directions',
    async (by) => {
      for (const descending of [true, false]) {
        const sort = { by, descending };
        const query = { sort, statuses: ['sent', 'draft', 'sent'] as HostReservationListQuery['statuses'] };
        const order = (await names({ sort })).filter((name) => name !== 'ben Moss');
        expect(await names(query)).toEqual(order);
        expect(await names({ ...query, search: 'example' })).toEqual(order);
        const id = ids.get(order[1] as string);
        expect(await names({ ...query, limit: 1, starting_after: id })).toEqual([order[2]]);
        // A search for a frequent word tests only part of the rows at a time.
        expect(await names({ ...query, limit: 1, search: 'example' })).toEqual([order[0]]);
        expect(await names({ ...query, limit: 1, search: 'example', starting_after: id })).toEqual([order[2]]);
        expect(
          await names({ ...query, limit: 1, search: 'example', ending_before: order[2] && ids.get(order[2]) }),
        ).toEqual([order[1]]);
        expect(await names({ ...query, limit: 1, ending_before: id })).toEqual([order[0]]);
        expect(await names({ ...query, 'checkin_date.gte': '2026-06-01' })).toEqual(
          order.filter((name) => name !== 'Anatol #7'),
        );
      }
    },
  );

  it('includes the property, and whether the dates changed after sending', async () => {
    const { data } = await listReservationsForHost(scope, Schema.parse({ attention: 'dates_changed' }));
    expect(data).toMatchObject([
      {
        guest_name: 'Chloé O’Hara',
        property_name: 'Casa Azul',
        dates_changed_after_send_at: '2026-05-20T10:00:00.000Z',
      },
    ]);
    expect(await names({ attention: 'address_missing' })).toEqual(['ben Moss']);
  });

  it.each([
    { status: 'signed', signed_at: new Date('2026-05-21T10:00:00Z'), manual_override: true },
    { status: 'ignored', cancelled_at: new Date('2026-05-21T10:00:00Z'), cancel_reason: 'host' },
    { status: 'expired', expired_at: new Date('2027-01-02T10:00:00Z') },
  ] as const)('does not flag changed dates of a reservation that is $status', async (ended) => {
    const where = { id: ids.get('Chloé O’Hara') as string };
    const fields = ['status', ...Object.keys(ended)] as (keyof typeof ended)[];
    const before = await systemDb().reservation.findUniqueOrThrow({ where });
    await systemDb().reservation.update({ where, data: ended });
    const shown = await listReservationsForHost(scope, Schema.parse({ search: 'chloé' }));
    expect(shown.data).toMatchObject([{ status: ended.status, dates_changed_after_send_at: null }]);
    expect((await retrieveReservationForHost(scope, where.id)).dates_changed_after_send_at).toBeNull();
    expect(await names({ attention: 'dates_changed' })).toEqual([]);
    const data = Object.fromEntries(fields.map((field) => [field, before[field]]));
    await systemDb().reservation.update({ where, data });
  });

  it('combines search, filter and sort', async () => {
    const query = {
      search: 'example',
      'checkin_date.gte': '2026-06-01',
      sort: { by: 'guest', descending: true },
    } as const;
    expect(await names(query)).toEqual(['Chloé O’Hara', 'Ana García López']);
    expect(await names({ ...query, status: 'draft' })).toEqual(['Ana García López']);
  });

  it.each([
    { by: 'created', descending: true },
    { by: 'guest', descending: false },
  ] as const)('rejects another team’s cursor when sorted by %j', async (sort) => {
    const cursor = ids.get('Ana Other');
    await expect(listReservationsForHost(scope, Schema.parse({ sort, starting_after: cursor }))).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
  });
});
