import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import type { Mode } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertOneOfEach, type Reference, readCatalogue, tenantReferences } from '@/testing/one-of-each';
import { emptyDatabase, insertTeams } from '@/testing/team';
import { embeddedAdapter } from './driver/embedded-adapter';
import { applyMigrations, listMigrations } from './opening/migrations';

const FOLDER = join(process.cwd(), 'prisma/migrations');
const FOREIGN_KEYS = '20261121231000_foreign_keys';

/**
 * Columns that hold the id of something and have no foreign key, each with its reason. A new `…_id` is either in here
 * or has one.
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

describe('every reference of a tenant’s row', () => {
  beforeAll(openTestDatabase);
  afterAll(closeTestDatabase);
  beforeEach(async () => {
    await emptyDatabase();
    await insertTeams('team_mine', 'team_other');
  });

  it('is a foreign key, but for the ids that outlive what they name', async () => {
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

  it('is one within its own team and mode', async () => {
    const references = await tenantReferences();
    const of = (reference: Reference) => `${reference.table}.${reference.column}`;
    const held = new Set(references.filter(({ tenant }) => tenant).map(of));
    expect(references.map(of).filter((name) => !held.has(name))).toEqual([]);
    expect(held.size).toBeGreaterThan(14);
  });

  it.each<[string, string, Mode]>([
    ['another team', 'team_other', 'live'],
    ['the other mode', 'team_mine', 'test'],
  ])('cannot point into %s', async (_where, team_id, mode) => {
    await insertOneOfEach('team_mine', 'live');
    await insertOneOfEach(team_id, mode);
    for (const { table, column, parent } of await tenantReferences()) {
      const theirs = `SELECT id FROM ${parent} WHERE team_id = '${team_id}' AND mode = '${mode}'`;
      const point = (id: string) =>
        systemDb().$executeRawUnsafe(
          `UPDATE ${table} SET ${column} = (${id}) WHERE team_id = 'team_mine' AND mode = 'live'`,
        );
      // Where only one may point there, theirs lets go first; where it must, nothing is unique.
      await systemDb()
        .$executeRawUnsafe(`UPDATE ${table} SET ${column} = NULL WHERE team_id = '${team_id}' AND mode = '${mode}'`)
        .catch(() => {});
      await expect(point(theirs), `${table}.${column}`).rejects.toThrow(/foreign key/i);
      const own = `SELECT id FROM ${parent} WHERE team_id = 'team_mine' AND mode = 'live'`;
      expect(await point(own), `${table}.${column}`).toBe(1);
    }
  });

  it('does not outlive its team', async () => {
    await insertOneOfEach('team_mine', 'live');
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
    await emptyDatabase();
    await insertTeams('team_mine');
    await insertOneOfEach('team_mine', 'live');
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
  ])('from %s takes what belongs to it along, and nothing else', async (table, gone) => {
    const before = await filled();
    await systemDb().$executeRawUnsafe(`DELETE FROM ${table}`);
    const after = await filled();
    expect([...before].filter((name) => !after.has(name)).sort()).toEqual([table, ...gone].sort());
  });

  it('a reservation or a calendar leaves those that mention it, which forget it', async () => {
    await systemDb().syncSource.deleteMany();
    expect(await systemDb().reservation.findFirst()).toMatchObject({ sync_source_id: null });
    await insertTeams('team_other');
    await insertOneOfEach('team_other', 'live');
    await systemDb().reservation.deleteMany();
    expect(await systemDb().inboundMail.findFirst()).toMatchObject({ reservation_id: null });
  });

  it.each(['packets', 'signatures', 'snapshots'])('from %s is refused while they are referred to', async (table) => {
    await expect(systemDb().$executeRawUnsafe(`DELETE FROM ${table}`)).rejects.toThrow(/foreign key/i);
  });
});

describe('the migration to foreign keys', { timeout: 240_000 }, () => {
  const notices: string[] = [];
  let folder: string;
  let database: PGlite;

  async function migrateTo(last: string): Promise<void> {
    for (const name of (await listMigrations(FOLDER)).filter((one) => one <= last)) {
      await cp(join(FOLDER, name), join(folder, name), { recursive: true });
    }
    await applyMigrations(await embeddedAdapter(database, ({ message }) => notices.push(message ?? '')), folder);
  }

  const run = async <Row>(sql: string) => (await database.query(sql)).rows as Row[];
  const value = async (sql: string) => Object.values((await run<Record<string, unknown>>(sql))[0] ?? {})[0];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'threshold-migrations-'));
    notices.length = 0;
    database = new PGlite();
    const names = await listMigrations(FOLDER);
    await migrateTo(names[names.indexOf(FOREIGN_KEYS) - 1] as string);
    await database.exec(`INSERT INTO teams (id, name, slug) VALUES ('team_1', 'One', 'one'), ('team_2', 'Two', 'two')`);
  }, 60_000);
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it('keeps every row that fits', async () => {
    // The keys tell what refers to what; here they are told by the migrated database of another test.
    await openTestDatabase();
    const { columns } = await readCatalogue(run);
    const then = new Set(columns.map(({ table, column }) => `${table}.${column}`));
    const references = (await tenantReferences()).filter(({ table, column }) => then.has(`${table}.${column}`));
    const tables = await insertOneOfEach('team_1', 'live', run, { columns, references });
    await closeTestDatabase();
    await database.exec('UPDATE trail_entries SET reservation_id = (SELECT id FROM reservations)');
    await migrateTo(FOREIGN_KEYS);
    expect(notices).toEqual([]);
    for (const table of tables) expect(await value(`SELECT count(*)::int FROM ${table}`), table).toBe(1);
  });

  it('deletes what belongs to something that is gone, counts it, and keeps certificates with their trail', async () => {
    // Without keys every reference of these rows points nowhere, and those of the third team have none.
    for (const team of ['team_1', 'team_2', 'team_gone']) {
      await insertOneOfEach(team, 'live', run, { ...(await readCatalogue(run)), references: [] });
    }
    await database.exec(`
      UPDATE trail_entries SET reservation_id = (SELECT reservation_id FROM signatures WHERE team_id = 'team_1') WHERE team_id = 'team_1';
      INSERT INTO reservations (id, team_id, mode, property_id, guest_name, checkin_date, checkout_date, packet_id, signature_id, sync_source_id, created_at, updated_at)
        SELECT 'res_1', 'team_1', 'live', id, 'Ada', now(), now() + interval '1 day', 'pkt_gone', 'sig_gone',
          (SELECT id FROM sync_sources WHERE team_id = 'team_2'), now(), now() FROM properties WHERE team_id = 'team_1'`);
    await migrateTo(FOREIGN_KEYS);
    expect(notices.sort()).toMatchInlineSnapshot(`
      [
        "api_keys of a team that is gone, deleted: 1",
        "audit_logs of a team that is gone, deleted: 1",
        "event_counters of a team that is gone, deleted: 1",
        "events of a team that is gone, deleted: 1",
        "guest_codes whose reservation_id is gone, deleted: 3",
        "idempotency_records of a team that is gone, deleted: 1",
        "inbound_mails whose sync_source_id is gone, deleted: 3",
        "mail_messages of a team that is gone, deleted: 1",
        "packet_revisions whose packet_id is gone, deleted: 3",
        "packets whose property_id is gone, deleted: 3",
        "properties of a team that is gone, deleted: 1",
        "reservations whose packet_id is gone, set to null: 1",
        "reservations whose property_id is gone, deleted: 3",
        "reservations whose signature_id is gone, set to null: 1",
        "reservations whose sync_source_id is gone, set to null: 1",
        "retired_tokens whose reservation_id is gone, deleted: 3",
        "signatures of a team that is gone, deleted: 1",
        "signatures whose snapshot_id is gone, given an empty snapshot: 2",
        "sms_messages of a team that is gone, deleted: 1",
        "snapshots of a team that is gone, deleted: 1",
        "sync_runs whose sync_source_id is gone, deleted: 3",
        "sync_sources whose property_id is gone, deleted: 3",
        "trail_entries of a team that is gone, deleted: 1",
        "trail_entries of an unsigned reservation that is gone, deleted: 1",
        "webhook_deliveries whose endpoint_id is gone, deleted: 3",
        "webhook_endpoints of a team that is gone, deleted: 1",
      ]
    `);
    expect(await run(`SELECT packet_id, signature_id, sync_source_id FROM reservations`)).toEqual([
      { packet_id: null, signature_id: null, sync_source_id: null },
    ]);
    expect(
      await run(`SELECT team_id, canonical, content_hash = (SELECT content_hash FROM signatures s WHERE s.snapshot_id = n.id) AS same
      FROM snapshots n WHERE id IN (SELECT snapshot_id FROM signatures) ORDER BY 1`),
    ).toEqual([
      { team_id: 'team_1', canonical: '', same: true },
      { team_id: 'team_2', canonical: '', same: true },
    ]);
    expect(await value('SELECT count(*)::int FROM trail_entries')).toBe(1);
  });
});
