import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import type { Mode } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertOneRowPerTable, listTenantForeignKeys, type TenantForeignKey } from '@/testing/one-row-per-table';
import { clearDatabase, insertTeams } from '@/testing/team';

/**
 * Columns with an id but without a foreign key, each with its reason. Every new `…_id` needs a
 * foreign key or an entry here.
 */
const PLAIN_IDS: Record<string, string> = {
  'audit_logs.object_id': 'a note outlives what it is about',
  'events.object_id': 'an event outlives its object',
  'events.request_id': 'an event outlives the log of its request',
  'inbound_mails.message_id': 'the mail’s own',
  'mail_messages.provider_id': 'the provider’s',
  'mail_messages.reservation_id': 'a sent mail outlives its reservation',
  'request_logs.api_key_id': 'a log, written behind the answer',
  'request_logs.object_id': 'a log outlives what it is about',
  'request_logs.team_id': 'a log, written behind the answer',
  'reservations.external_id': 'the channel’s',
  'signatures.property_id': 'a certificate outlives its property, and goes on naming it',
  'signatures.reservation_id': 'a certificate outlives its reservation, and goes on naming it',
  'sms_messages.reservation_id': 'a sent message outlives its reservation',
  'trail_entries.reservation_id': 'the trail of a certificate outlives its reservation',
};

describe('every reference from a tenant’s row', () => {
  beforeAll(openTestDatabase);
  afterAll(closeTestDatabase);
  beforeEach(async () => {
    await clearDatabase();
    await insertTeams('team_mine', 'team_other');
  });

  it('is a foreign key, except for ids that outlive their object', async () => {
    const columns = await systemDb().$queryRawUnsafe<{ name: string }[]>(`
      SELECT c.table_name || '.' || c.column_name AS name FROM information_schema.columns c
      WHERE c.table_schema = current_schema() AND c.column_name LIKE '%\\_id' AND NOT EXISTS (
          SELECT 1 FROM pg_constraint JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = ANY (conkey)
          WHERE contype = 'f' AND conrelid = quote_ident(c.table_name)::regclass AND a.attname = c.column_name)
        AND EXISTS (SELECT 1 FROM information_schema.columns m WHERE m.table_schema = current_schema()
          AND m.table_name = c.table_name AND m.column_name = 'mode')
      ORDER BY 1`);
    expect(columns.map(({ name }) => name)).toEqual(Object.keys(PLAIN_IDS));
  });

  it('includes the row’s team and mode', async () => {
    const references = await listTenantForeignKeys();
    const of = (reference: TenantForeignKey) => `${reference.table}.${reference.column}`;
    const held = new Set(references.filter(({ tenant }) => tenant).map(of));
    expect(references.map(of).filter((name) => !held.has(name))).toEqual([]);
    expect(held.size).toBeGreaterThan(14);
  });

  it.each<[string, string, Mode]>([
    ['another team', 'team_other', 'live'],
    ['the other mode', 'team_mine', 'test'],
  ])('cannot point into %s', async (_where, team_id, mode) => {
    await insertOneRowPerTable('team_mine', 'live');
    await insertOneRowPerTable(team_id, mode);
    for (const { table, column, parent } of await listTenantForeignKeys()) {
      const theirs = `SELECT id FROM ${parent} WHERE team_id = '${team_id}' AND mode = '${mode}'`;
      const point = (id: string) =>
        systemDb().$executeRawUnsafe(
          `UPDATE ${table} SET ${column} = (${id}) WHERE team_id = 'team_mine' AND mode = 'live'`,
        );
      // Clears the column in the other tenant's row first. Otherwise a unique column would fail
      // with a duplicate-key error instead of the foreign-key error. Required columns cannot be
      // cleared, but none of them is unique.
      await systemDb()
        .$executeRawUnsafe(`UPDATE ${table} SET ${column} = NULL WHERE team_id = '${team_id}' AND mode = '${mode}'`)
        .catch(() => {});
      await expect(point(theirs), `${table}.${column}`).rejects.toThrow(/foreign key/i);
      const own = `SELECT id FROM ${parent} WHERE team_id = 'team_mine' AND mode = 'live'`;
      expect(await point(own), `${table}.${column}`).toBe(1);
    }
  });

  it('fails if its team does not exist', async () => {
    await insertOneRowPerTable('team_mine', 'live');
    const rows = await systemDb().$queryRawUnsafe<{ name: string }[]>(`
      SELECT c.table_name AS name FROM information_schema.columns c
      WHERE c.table_schema = current_schema() AND c.column_name = 'mode' ORDER BY 1`);
    for (const { name } of rows.filter(({ name }) => name !== 'request_logs')) {
      const update = `UPDATE ${name} SET team_id = 'team_gone'`;
      await expect(systemDb().$executeRawUnsafe(update), name).rejects.toThrow(/foreign key/i);
    }
  });
});

describe('deleting', () => {
  beforeAll(openTestDatabase);
  afterAll(closeTestDatabase);
  beforeEach(async () => {
    await clearDatabase();
    await insertTeams('team_mine');
    await insertOneRowPerTable('team_mine', 'live');
  });

  const filled = async () => {
    const tables = await systemDb().$queryRawUnsafe<{ name: string }[]>(
      `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = current_schema() AND column_name = 'mode'`,
    );
    const counted = tables.map(async ({ name }) => {
      const [row] = await systemDb().$queryRawUnsafe<{ n: number }[]>(`SELECT count(*)::int AS n FROM ${name}`);
      return row?.n ? name : [];
    });
    return new Set((await Promise.all(counted)).flat());
  };

  it.each<[string, string[]]>([
    [
      'properties',
      [
        'guest_codes',
        'inbound_mails',
        'member_properties',
        'packet_revisions',
        'packets',
        'property_logos',
        'push_notices',
        'reservations',
        'retired_tokens',
        'same_nights',
        'sync_runs',
        'sync_sources',
      ],
    ],
    ['reservations', ['guest_codes', 'push_notices', 'retired_tokens', 'same_nights']],
    ['sync_sources', ['inbound_mails', 'sync_runs']],
    ['webhook_endpoints', ['webhook_deliveries']],
  ])('from %s also deletes dependent rows, and nothing else', async (table, gone) => {
    const before = await filled();
    await systemDb().$executeRawUnsafe(`DELETE FROM ${table}`);
    const after = await filled();
    expect([...before].filter((name) => !after.has(name)).sort()).toEqual([table, ...gone].sort());
  });

  it('a reservation or a calendar sets references to it to null', async () => {
    await systemDb().syncSource.deleteMany();
    expect(await systemDb().reservation.findFirst()).toMatchObject({ sync_source_id: null });
    await insertTeams('team_other');
    await insertOneRowPerTable('team_other', 'live');
    await systemDb().reservation.deleteMany();
    expect(await systemDb().inboundMail.findFirst()).toMatchObject({ reservation_id: null });
  });

  it.each(['packets', 'signatures', 'snapshots'])('from %s is rejected while rows refer to them', async (table) => {
    await expect(systemDb().$executeRawUnsafe(`DELETE FROM ${table}`)).rejects.toThrow(/foreign key/i);
  });
});
