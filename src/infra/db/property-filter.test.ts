import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertOneRowPerTable } from '@/testing/one-row-per-table';
import { insertProperty, insertTeams } from '@/testing/team';
import { systemDb } from './client';
import { PROPERTY_RELATION_BY_MODEL } from './property-filter';
import { Prisma, queryRowsInScope, scopedDb, TENANT_MODELS } from './scoped-client';
import { inTransaction } from './transaction';

const all: Scope = { team_id: 'team_1', mode: 'live', actor: { kind: 'system', name: 'test' } };
let own: string;
let limited: Scope;

beforeAll(async () => {
  await openTestDatabase();
  await insertTeams('team_1');
  await insertOneRowPerTable('team_1', 'live');
  own = await insertProperty(all);
  limited = { ...all, properties: [own] };
});
afterAll(closeTestDatabase);

it('every tenant table has a rule for how its rows belong to a property', async () => {
  expect(Object.keys(PROPERTY_RELATION_BY_MODEL).sort()).toEqual([...TENANT_MODELS].sort());
  const tables = await systemDb().$queryRaw<{ name: string }[]>`
    SELECT c.table_name AS name FROM information_schema.columns c
    WHERE c.table_schema = current_schema() AND c.column_name = 'mode' AND EXISTS (
      SELECT 1 FROM information_schema.columns t WHERE t.table_schema = c.table_schema
        AND t.table_name = c.table_name AND t.column_name = 'team_id')`;
  expect(Object.values(PROPERTY_RELATION_BY_MODEL).map(({ table }) => table)).toEqual(
    expect.arrayContaining(tables.map(({ name }) => name).filter((name) => name in PROPERTY_RELATION_BY_MODEL)),
  );
});

describe.each(TENANT_MODELS)('%s, limited to one property', (model) => {
  // biome-ignore lint/suspicious/noExplicitAny: any model, by its name.
  const db = (scope: Scope): any => (scopedDb(scope) as any)[`${model[0]?.toLowerCase()}${model.slice(1)}`];

  it('has rows for the whole team, and none for a scope of another property', async () => {
    const rows = await db(all).findMany();
    expect(rows.length).toBeGreaterThan(0);
    const seen = await db(limited).findMany();
    expect(seen.map((row: { id: string }) => row.id)).toEqual(model === 'Property' ? [own] : []);
    expect(await db(limited).count()).toBe(seen.length);
    const others = rows.filter((row: { id?: string }) => row.id !== own);
    for (const { id, reservation_id } of others) {
      if (id) expect(await db(limited).findFirst({ where: { id } })).toBeNull();
      if (reservation_id) expect(await db(limited).findMany({ where: { reservation_id } })).toEqual([]);
    }
  });

  it('has the same limits in raw statements', async () => {
    const table = PROPERTY_RELATION_BY_MODEL[model]?.table ?? '';
    const query = (from: Prisma.Sql) =>
      Prisma.sql`${from} t WHERE t.team_id = ${'team_1'} AND t.mode = ${'live'}::"Mode"`;
    const count = query(Prisma.sql`SELECT count(*)::int AS n FROM ${Prisma.raw(table)}`);
    const expected = model === 'Property' ? 1 : 0;
    expect(await scopedDb(limited).$queryRaw(count)).toEqual([{ n: expected }]);
    expect(await queryRowsInScope(limited, count)).toEqual([{ n: expected }]);
    const nested = Prisma.sql`WITH hits AS MATERIALIZED (${query(Prisma.sql`SELECT t.* FROM ${Prisma.raw(table)}`)})
      SELECT count(*)::int AS n FROM hits`;
    expect(await queryRowsInScope(limited, nested)).toEqual([{ n: expected }]);
    await inTransaction(limited, async () => {
      expect(await queryRowsInScope(limited, count)).toEqual([{ n: expected }]);
      // Background work that joins the transaction is limited to the properties of the scope that
      // opened it.
      expect(await queryRowsInScope(all, count)).toEqual([{ n: expected }]);
    });
  });
});

describe('a scope limited to properties rejects', () => {
  it('locks, inserts and updates of another property', async () => {
    const { property_id } = await systemDb().reservation.findFirstOrThrow({ where: { team_id: 'team_1' } });
    const lock = (id: string) => Prisma.sql`
      SELECT 1 FROM properties
      WHERE team_id = ${'team_1'} AND mode = ${'live'}::"Mode" AND id = ${id} FOR ${Prisma.sql`KEY SHARE`}`;
    await inTransaction(limited, async () => {
      expect(await scopedDb(limited).$queryRaw(lock(own))).toHaveLength(1);
      expect(await scopedDb(limited).$queryRaw(lock(property_id))).toHaveLength(0);
    });
    const row = { id: 'pkt_x', name: 'x', created_at: new Date(), updated_at: new Date() };
    const packet = (id: string) => ({ data: { ...row, property_id: id } }) as never;
    await expect(scopedDb(limited).packet.create(packet(property_id))).rejects.toThrow('not assigned');
    expect((await scopedDb(limited).packet.updateMany({ where: {}, data: { name: 'x' } })).count).toBe(0);
    await expect(scopedDb(limited).packet.updateMany({ where: {}, data: { property_id } })).rejects.toThrow(
      'not assigned',
    );
    expect((await scopedDb(limited).reservation.deleteMany({ where: {} })).count).toBe(0);
  });

  it.each([
    ['an update', Prisma.sql`UPDATE packets SET name = 'x' WHERE team_id = ${'team_1'} AND mode = ${'live'}::"Mode"`],
    ['a deletion', Prisma.sql`DELETE FROM packets WHERE team_id = ${'team_1'} AND mode = ${'live'}::"Mode"`],
    [
      'a deletion inside a SELECT',
      Prisma.sql`WITH gone AS (DELETE FROM packets WHERE team_id = ${'team_1'} AND mode = ${'live'}::"Mode" RETURNING id)
        SELECT * FROM gone`,
    ],
  ])('raw SQL that changes rows: %s', async (_name, sql) => {
    await expect(scopedDb(limited).$executeRaw(sql)).rejects.toThrow(/limits of properties|limited by properties/);
  });

  it('nesting inside a transaction without limits', async () => {
    await expect(inTransaction(all, () => scopedDb(limited).packet.findMany({}))).rejects.toThrow('without limits');
  });
});
