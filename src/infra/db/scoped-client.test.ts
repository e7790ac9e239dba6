import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Mode, Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeams } from '@/testing/team';
import { systemDb } from './client';
import { Prisma, scopedDb, TENANT_MODELS, UNSCOPED_SQL_COMMENT } from './scoped-client';
import { inTransaction } from './transaction';

const scope = (team_id: string, mode: Mode = 'live'): Scope => ({
  team_id,
  mode,
  actor: { kind: 'system', name: 'test' },
});
const mine = scope('team_mine');
/** Scopes whose data `mine` may not access: another team, and the other mode of its own team. */
const others = [scope('team_other'), scope('team_mine', 'test')];

const now = new Date();
const property = (id: string, fields: object = {}) => ({ id, name: id, created_at: now, updated_at: now, ...fields });

beforeAll(async () => {
  await openTestDatabase();
  await insertTeams('team_mine', 'team_other');
});
afterAll(closeTestDatabase);
beforeEach(async () => {
  await systemDb().property.deleteMany();
  await systemDb().auditLog.deleteMany();
  for (const { team_id, mode } of [mine, ...others]) {
    await systemDb().property.create({ data: { ...property(`prop_${team_id}_${mode}`), team_id, mode } });
  }
});

const rows = () => systemDb().property.findMany({ orderBy: { id: 'asc' } });
/** Prisma's types forbid this call. A forgotten condition or a cast could produce the same call. */
// biome-ignore lint/suspicious/noExplicitAny: the test says what types forbid.
const db = (own: Scope): any => scopedDb(own).property;

it('TENANT_MODELS are exactly the models of prisma/schema.prisma that have team_id and mode', () => {
  const schema = readFileSync('prisma/schema.prisma', 'utf8');
  const models = schema
    .split(/^model /m)
    .slice(1)
    .map((text) => text.slice(0, text.search(/^\}/m)));
  expect(models.length).toBeGreaterThan(20);
  const tenant = models.filter((body) => /^ {2}team_id\s/m.test(body) && /^ {2}mode\s+Mode/m.test(body));
  expect([...TENANT_MODELS].sort()).toEqual(tenant.map((body) => body.split(' ')[0]).sort());
});

describe.each(others.map((other) => [`${other.team_id} ${other.mode}`, other] as const))(
  'rows of %s, from another scope',
  (_name, other) => {
    const foreign = `prop_${other.team_id}_${other.mode}`;

    it.each([
      'findFirst',
      'findUnique',
      'findMany',
      'count',
      'aggregate',
      'groupBy',
      'findFirstOrThrow',
      'findUniqueOrThrow',
    ])('cannot be read by %s, even if the filter names their team', async (operation) => {
      const args: Record<string, object> = {
        aggregate: { _count: true },
        groupBy: { by: ['id'] },
      };
      for (const where of [{ id: foreign }, { id: foreign, team_id: other.team_id, mode: other.mode }]) {
        const ask = db(mine)[operation]({ ...args[operation], where });
        if (operation.endsWith('OrThrow')) await expect(ask).rejects.toThrow();
        else expect(JSON.stringify(await ask)).not.toContain(foreign);
        if (operation === 'count') expect(await db(mine).count({ where })).toBe(0);
      }
    });

    it('cannot be read with OR', async () => {
      const found = await db(mine).findMany({
        where: { OR: [{ id: foreign }, { team_id: other.team_id }, { name: { contains: 'prop' } }] },
      });
      expect(found.map((row: { id: string }) => row.id)).toEqual(['prop_team_mine_live']);
    });

    it.each<[string, object]>([
      ['update', { data: { name: 'stolen' } }],
      ['updateMany', { data: { name: 'stolen' } }],
      ['updateManyAndReturn', { data: { name: 'stolen' } }],
      ['delete', {}],
      ['deleteMany', {}],
      ['upsert', { update: { name: 'stolen' }, create: property('prop_upserted') }],
    ])('cannot be written by %s', async (operation, args) => {
      const before = (await rows()).filter((row) => row.id !== 'prop_upserted');
      for (const where of [{ id: foreign }, { id: foreign, team_id: other.team_id, mode: other.mode }]) {
        await db(mine)
          [operation]({ ...args, where })
          .catch(() => {});
      }
      expect((await rows()).filter((row) => row.id !== 'prop_upserted')).toEqual(before);
    });

    it('cannot be created by an upsert, which uses the scope’s own team and mode', async () => {
      const id = 'prop_made_by_upsert';
      const create = { ...property(id), team_id: other.team_id, mode: other.mode };
      await db(mine).upsert({ where: { id }, update: {}, create });
      const { team_id, mode } = await systemDb().property.findUniqueOrThrow({ where: { id } });
      expect({ team_id, mode }).toEqual({ team_id: mine.team_id, mode: mine.mode });
    });

    it.each<[string, (data: object) => object]>([
      ['create', (data) => ({ data })],
      ['createMany', (data) => ({ data: [data] })],
      ['createManyAndReturn', (data) => ({ data })],
    ])('%s stamps the scope’s own team and mode over any given', async (operation, args) => {
      await db(mine)[operation](args(property('prop_new', { team_id: other.team_id, mode: other.mode })));
      expect((await rows()).find((row) => row.id === 'prop_new')).toMatchObject({ team_id: 'team_mine', mode: 'live' });
    });

    it('cannot be created by moving an own row there', async () => {
      const give = { team_id: other.team_id, mode: other.mode };
      await db(mine)
        .updateMany({ where: {}, data: { name: 'given', ...give } })
        .catch(() => {});
      await db(mine)
        .update({ where: { id: 'prop_team_mine_live' }, data: give })
        .catch(() => {});
      expect((await rows()).find((row) => row.id === 'prop_team_mine_live')).toMatchObject({
        team_id: 'team_mine',
        mode: 'live',
      });
    });

    it('cannot be reached inside a transaction either', async () => {
      await inTransaction(mine, async () => {
        expect(await scopedDb(mine).property.findMany({ where: { id: foreign } })).toEqual([]);
        expect((await scopedDb(mine).property.deleteMany({ where: { id: foreign } })).count).toBe(0);
      });
      expect((await rows()).map((row) => row.id)).toContain(foreign);
    });
  },
);

describe('a scoped client rejects', () => {
  it('tables that do not belong to a tenant', async () => {
    const wide = scopedDb(mine) as unknown as Record<string, { findMany(): Promise<unknown> }>;
    for (const model of ['team', 'user', 'session', 'engineJob', 'installationKey']) {
      await expect(wide[model]?.findMany()).rejects.toThrow(/not a tenant table/);
    }
  });

  it('raw SQL without the scope’s team and mode as parameters of team_id and mode', async () => {
    const client = scopedDb(mine);
    for (const [query, column] of [
      [Prisma.sql`SELECT * FROM properties`, /team_id/],
      [Prisma.sql`SELECT * FROM properties WHERE team_id = ${'team_other'} AND mode = ${'live'}::"Mode"`, /team_id/],
      [Prisma.sql`SELECT * FROM properties WHERE team_id = ${'team_mine'} AND mode = ${'test'}::"Mode"`, /mode/],
      [Prisma.sql`SELECT * FROM properties WHERE team_id = ${'team_mine'}`, /mode/],
      [Prisma.sql`DELETE FROM properties WHERE id = ${'team_mine'}`, /team_id/],
      [Prisma.sql`${UNSCOPED_SQL_COMMENT}DELETE FROM properties`, /team/],
    ] as const) {
      // The tests' own check of raw statements (testing/scoped-sql.ts) would refuse this statement
      // too, but the error must come from the client.
      const refusal = new RegExp(`^Raw SQL (on a scoped client must be|beyond the scope must).*${column.source}`);
      await expect(client.$queryRaw(query)).rejects.toThrow(refusal);
      await expect(client.$executeRaw(query)).rejects.toThrow(refusal);
    }
    const own = await client.$queryRaw<{ id: string }[]>(
      Prisma.sql`SELECT id FROM properties WHERE team_id = ${'team_mine'} AND mode = ${'live'}::"Mode"`,
    );
    expect(own.map((row) => row.id)).toEqual(['prop_team_mine_live']);
    expect(await rows()).toHaveLength(3);
  });

  it('raw SQL beyond the scope, except in a fixed list of files', () => {
    const users = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('scoped-client'))
      .flatMap(
        (file) =>
          readFileSync(`src/${file}`, 'utf8')
            .match(/`\$\{UNSCOPED_SQL_COMMENT\}/g)
            ?.map(() => file) ?? [],
      );
    expect(users.sort()).toEqual([
      'modules/accounts/lock-membership.ts', // a membership applies to both modes
      'modules/accounts/repository.ts', // the plan applies to the whole team
      'modules/audit-log/repository.ts', // the log covers the whole team, in both modes
      'modules/certificates/repository.ts', // locks the team's own row
      'modules/home/repository.ts', // the page also counts steps in test mode
      'modules/mail/budget.repository.ts', // mail is counted by recipient over all teams
      'modules/mail/budget.repository.ts', // locks a recipient over all teams
      'modules/mail/repository.ts', // suppressed addresses belong to no team
      'modules/public-log/repository.ts', // the log covers all teams
    ]);
  });

  it('writes through a relation, which would adopt the other row’s team', async () => {
    const [other] = others;
    const connect = { id_team_id_mode: { id: 'prop_team_other_live', team_id: other?.team_id, mode: other?.mode } };
    const packet = (data: object) => ({ id: 'pkt_1', name: 'x', created_at: now, updated_at: now, ...data });
    // biome-ignore lint/suspicious/noExplicitAny: the test says what types forbid.
    const packets = scopedDb(mine).packet as any;
    const through = { property: { connect } };
    const refused = /cannot be written through property/;
    await expect(packets.create({ data: packet(through) })).rejects.toThrow(refused);
    await packets.create({ data: packet({ property_id: 'prop_team_mine_live' }) });
    for (const [operation, args] of Object.entries({
      update: { data: through },
      updateMany: { data: through },
      upsert: { create: packet({ property_id: 'prop_team_mine_live' }), update: through },
    })) {
      await expect(packets[operation]({ where: { id: 'pkt_1' }, ...args })).rejects.toThrow(refused);
    }
    expect(await packets.findMany()).toMatchObject([{ id: 'pkt_1', property_id: 'prop_team_mine_live' }]);
  });

  it('joins and subqueries that leave the scope, as the SQL parser of the tests detects', async () => {
    const query = Prisma.sql`SELECT 1 FROM properties p JOIN packets k ON k.property_id = p.id
      WHERE p.team_id = ${'team_mine'} AND p.mode = ${'live'}::"Mode"`;
    await expect(scopedDb(mine).$queryRaw(query)).rejects.toThrow(/packets\.mode, packets\.team_id/);
  });

  it('all unsafe raw SQL', async () => {
    const wide = scopedDb(mine) as unknown as Record<string, (sql: string, ...values: unknown[]) => Promise<unknown>>;
    for (const method of ['$queryRawUnsafe', '$executeRawUnsafe']) {
      await expect((async () => wide[method]?.('SELECT 1 WHERE $1 = $1 -- team_id', 'team_mine'))()).rejects.toThrow(
        /not available/,
      );
    }
  });
});

it('the audit log shows a team’s rows of both modes and of none, and no other team’s rows', async () => {
  const entry = (id: string, team_id: string, mode: Mode | null) => ({
    id,
    team_id,
    mode,
    action: 'x',
    actor: 'test',
    created_at: now,
  });
  await systemDb().auditLog.createMany({
    data: [entry('a1', 'team_mine', 'live'), entry('a2', 'team_mine', null), entry('a3', 'team_other', null)],
  });
  const found = await scopedDb(mine).auditLog.findMany({ orderBy: { id: 'asc' } });
  expect(found.map((row) => row.id)).toEqual(['a1', 'a2']);
});
