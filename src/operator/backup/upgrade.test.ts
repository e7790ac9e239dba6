/**
 * An upgrade from the first release, with data in every table. `fixtures/first-release.gz` was made by that release: its services,
 * its API and its durable functions filled a database, and its own `backup` command wrote the file.
 */

import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { resetConfig, setConfig } from '@/config';
import { closeDatabase, database, systemDb } from '@/infra/db/client';
import { embeddedAdapter } from '@/infra/db/driver/embedded-adapter';
import { openDatabase } from '@/infra/db/open';
import { applyMigrations, listMigrations } from '@/infra/db/opening/migrations';
import { REFERRING_FIRST } from '@/infra/db/table-order';
import { retrievePhoto } from '@/modules/certificates/host.service';
import { sealCertificate } from '@/modules/certificates/seal/sealing';
import { openVerifyToken, verifyCertificate } from '@/modules/certificates/verify/verification';
import { verifyToken } from '@/modules/links/urls';
import { systemScope } from '@/shared/scope';
import { checkBackup } from './backup-check';
import { restoreEmbedded } from './restore';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const FILE = join(process.cwd(), 'src/operator/backup/fixtures/first-release.gz');
const MIGRATIONS = join(process.cwd(), 'prisma/migrations');

interface Column {
  table: string;
  column: string;
  type: string;
  required: boolean;
}
type Run = <Row>(sql: string) => Promise<Row[]>;

let data_dir: string;
/** The columns as the first release had them. */
let then: Column[];

/** What it wrote, by tables, as text. */
const lines = gunzipSync(readFileSync(FILE)).toString().trim().split('\n');
const written = new Map<string, string[]>();
for (const line of lines.slice(1)) {
  const [, table = '', row = ''] = /^\["([a-z_]+)",(\{.*\})\]$/s.exec(line) ?? [];
  written.set(table, [...(written.get(table) ?? []), row]);
}
const its_migrations = (JSON.parse(lines[0] ?? '') as { migrations: string[] }).migrations;

const columnsOf = (run: Run) =>
  run<Column>(`SELECT table_name AS "table", column_name AS "column", udt_name AS type,
    is_nullable = 'NO' AND column_default IS NULL AS required
    FROM information_schema.columns WHERE table_schema = current_schema() AND table_name <> '_prisma_migrations'`);

beforeAll(async () => {
  const old = new PGlite();
  const folder = await mkdtemp(join(tmpdir(), 'first-release-'));
  for (const name of its_migrations) await cp(join(MIGRATIONS, name), join(folder, name), { recursive: true });
  await applyMigrations(await embeddedAdapter(old, () => {}), folder);
  then = await columnsOf(async <Row>(sql: string) => (await old.query<Row>(sql)).rows);
  await old.close();
  await rm(folder, { recursive: true });

  resetConfig();
  data_dir = await mkdtemp(join(tmpdir(), 'upgrade-'));
  setConfig({ data_dir, app_secret: undefined, log_level: 'warn' });
  await restoreEmbedded(FILE);
  await openDatabase();
});
afterAll(async () => {
  await closeDatabase();
  resetConfig();
  await rm(data_dir, { recursive: true, force: true });
});

const run: Run = (sql) => systemDb().$queryRawUnsafe(sql);

test('the first release left data in every one of its tables', async () => {
  expect(await checkBackup(FILE)).toMatchObject({ ok: true, damaged: [] });
  expect([...new Set(then.map(({ table }) => table))].sort()).toEqual([...written.keys()].sort());
});

test('all of it is there after the upgrade, whose migrations are today’s', async () => {
  const applied = await run<{ name: string }>(`SELECT migration_name AS name FROM _prisma_migrations ORDER BY name`);
  expect(applied.map(({ name }) => name)).toEqual(await listMigrations(MIGRATIONS));
  expect(applied.length).toBeGreaterThan(its_migrations.length + 10);
  for (const [table, rows] of written) {
    const [found] = await run<{ n: number }>(`SELECT count(*)::int AS n FROM "${table}"`);
    expect([table, found?.n]).toEqual([table, rows.length + (ADDED[table] ?? 0)]);
  }
});

/** Rows that a start adds: the check of APP_SECRET. */
const ADDED: Record<string, number> = { installation_keys: 1 };

test('its certificates verify, and its photos open', async () => {
  const signatures = await systemDb().signature.findMany({ orderBy: { created_at: 'asc' } });
  const sealed = signatures.filter(({ sealed_at, redacted_at }) => sealed_at && !redacted_at);
  expect(sealed.length).toBeGreaterThan(0);
  for (const { id, team_id, mode } of sealed) {
    const holder = await openVerifyToken(verifyToken(id));
    const seen = holder && (await verifyCertificate(holder));
    expect(seen).toMatchObject({ content: 'intact', differences: [], seal: { state: 'sealed' }, chain: { ok: true } });
    expect(await retrievePhoto(systemScope(team_id, mode, 'test'), id)).toMatch(/^data:image\/jpeg;base64,/);
  }
  // What it had not sealed yet is sealed now, what it redacted is told from what is missing.
  for (const { id, team_id, mode } of signatures.filter((one) => !one.sealed_at && !one.redacted_at))
    expect(await sealCertificate(systemScope(team_id, mode, 'test'), id)).toBe('sealed');
  const redacted = signatures.find(({ redacted_at }) => redacted_at);
  const holder = await openVerifyToken(verifyToken(redacted?.id ?? ''));
  expect(holder && (await verifyCertificate(holder))).toMatchObject({
    content: 'redacted',
    seal: { state: 'removed' },
  });
});

test('its events are counted, and so are those that it records while it still answers', async () => {
  const counted = () =>
    run<{ minutes: number; all: boolean; created: number }>(`
      SELECT minutes, sum(created + sent + signed)::int = (SELECT count(*) FROM events WHERE type IN ('reservation.created', 'reservation.sent', 'reservation.signed')) AS "all",
        sum(created)::int AS created FROM activity_counts GROUP BY 1 ORDER BY 1`);
  const before = await counted();
  expect(before).toMatchObject([
    { minutes: 15, all: true },
    { minutes: 60, all: true },
  ]);
  await run(`INSERT INTO events (id, team_id, mode, type, object_id, sequence, body, created_at)
    SELECT 'evt_later', team_id, mode, 'reservation.created', object_id, sequence + 1000000, body, now() FROM events LIMIT 1`);
  expect(await counted()).toEqual(before.map((row) => ({ ...row, created: row.created + 1 })));
  await run(`DELETE FROM events WHERE id = 'evt_later'`);
});

test('what the first release asks of its tables is still there: nothing it reads is gone or of another type', async () => {
  const now = new Map((await columnsOf(run)).map((one) => [`${one.table}.${one.column}`, one]));
  const lost = then.filter(({ table, column, type }) => now.get(`${table}.${column}`)?.type !== type);
  expect(lost).toEqual([]);
});

test('what it does not know, it need not write', async () => {
  const known = new Set(then.map(({ table, column }) => `${table}.${column}`));
  const tables = new Set(then.map(({ table }) => table));
  const now = await columnsOf(run);
  const asked = now.filter(
    ({ table, column, required }) => tables.has(table) && required && !known.has(`${table}.${column}`),
  );
  expect(asked).toEqual([]);
  const stricter = then.filter((one) => {
    const today = now.find(({ table, column }) => table === one.table && column === one.column);
    return today?.required && !one.required;
  });
  expect(stricter).toEqual([]);
});

test('every row that it wrote, it could write today: no rule refuses it', async () => {
  const { pglite } = database();
  const tables = (await run<{ name: string }>(REFERRING_FIRST)).map(({ name }) => name.replaceAll('"', ''));
  await pglite?.transaction(async (session) => {
    for (const name of tables) await session.query(`DELETE FROM "${name}"`);
    for (const name of tables.toReversed()) {
      const columns = then.filter(({ table }) => table === name).map(({ column }) => `"${column}"`);
      for (const row of written.get(name) ?? []) {
        await session
          .query(
            `INSERT INTO "${name}" (${columns}) SELECT ${columns} FROM json_populate_record(null::"${name}", $1::json)`,
            [row],
          )
          .catch((error: Error) => expect.fail(`${name}: ${error.message}`));
      }
    }
    await session.rollback();
  });
});
