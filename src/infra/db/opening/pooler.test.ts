/**
 * Tests the database behind PgBouncer in transaction mode, without the parameter `pgbouncer=true`
 * in the URL. Needs `pgbouncer` and a server (TEST_DATABASE_URL) whose user may create databases.
 * The tests start and stop their own PgBouncer.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resetConfig, setConfig } from '@/config';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty, listProperties } from '@/modules/properties/service';
import { writeBackup } from '@/operator/backup/backup';
import { createSystemScope } from '@/shared/scope';
import { closeDatabase, systemDb } from '../client';
import { connectExternalDatabase } from '../driver/connect';
import { openDatabase } from '../open';
import { migrateExternalDatabase } from './external-migrations';
import { listMigrations } from './migrations';
import { isBehindPooler } from './pooler';

const server = process.env.TEST_DATABASE_URL ?? '';
const BOUNCER = ['pgbouncer', '/usr/sbin/pgbouncer'].find((path) => spawnSync(path, ['--version']).status === 0);
const why = !server ? ' (skipped: needs TEST_DATABASE_URL)' : BOUNCER ? '' : ' (skipped: pgbouncer is not installed)';
const name = `threshold_pooled_${randomBytes(6).toString('hex')}`;
const MIGRATIONS = join(process.cwd(), 'prisma/migrations');

let bouncer: ChildProcess;
let folder: string;
let pooled_url: string;

async function onServer<Row>(sql: string, database = 'postgres'): Promise<Row[]> {
  const client = new Client({ connectionString: Object.assign(new URL(server), { pathname: `/${database}` }).href });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  await new Promise((closed) => probe.close(closed));
  return port;
}

async function startBouncer(): Promise<string> {
  const { hostname, port, username, password } = new URL(server);
  const listen = await freePort();
  // PgBouncer rejects an empty password as a syntax error.
  const with_password = password ? ` password=${decodeURIComponent(password)}` : '';
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${port || 5432} user=${decodeURIComponent(username)}${with_password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
`,
    { mode: 0o644 },
  );
  // PgBouncer refuses to run as root.
  const as = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  bouncer = spawn(BOUNCER as string, ['-q', ...as, file], { stdio: 'ignore' });
  const url = `postgres://anybody@127.0.0.1:${listen}/${name}`;
  for (let tries = 0; tries < 50; tries++) {
    const client = new Client({ connectionString: url });
    const up = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (up) return url;
    await sleep(100);
  }
  throw new Error('pgbouncer did not start.');
}

describe.skipIf(why)(`behind PgBouncer in transaction mode${why}`, () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
    // PgBouncer's user must be able to read the folder when the tests run as root.
    await chmod(folder, 0o755);
    await onServer(`CREATE DATABASE ${name}`);
    pooled_url = await startBouncer();
    setConfig({
      database_url: pooled_url,
      app_secret: 'a-secret-of-forty-characters-0123456789x',
      database_pool_size: 10,
    });
  });
  afterAll(async () => {
    await closeDatabase();
    resetConfig();
    bouncer.kill('SIGKILL');
    await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
    await rm(folder, { recursive: true });
  });

  const advisoryLocks = () =>
    onServer(`SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE l.locktype = 'advisory' AND d.datname = '${name}'`);

  it('a pooler is detected, and not reported for a direct connection', async () => {
    expect(await isBehindPooler(pooled_url)).toBe(true);
    expect(await isBehindPooler(Object.assign(new URL(server), { pathname: `/${name}` }).href)).toBe(false);
  });

  it('instances that start together migrate once, even next to an instance without the pooler, and leave no lock behind', async () => {
    const direct = Object.assign(new URL(server), { pathname: `/${name}` }).href;
    const applied = await Promise.all(
      [pooled_url, pooled_url, direct].map((url) => migrateExternalDatabase(url, MIGRATIONS)),
    );
    expect(applied.filter((names) => names.length > 0)).toEqual([await listMigrations(MIGRATIONS)]);
    expect(await advisoryLocks()).toEqual([]);
  });

  /**
   * Runs more concurrent work than PgBouncer has connections: reads, writes and transactions of one
   * team.
   */
  async function work(): Promise<{ made: number; listed: number }> {
    const team_id = `team_${randomBytes(4).toString('hex')}`;
    await systemDb().team.create({ data: { id: team_id, name: 'T', slug: team_id, plan: 'pro', property_limit: 100 } });
    const scope = createSystemScope(team_id, 'live', 'test');
    const make = async (round: number) => {
      for (let one = 0; one < 5; one++) {
        await createProperty(scope, PropertyCreate.parse({ name: `House ${round} ${one}` }));
        await listProperties(scope, { limit: 100 } as never);
      }
    };
    await Promise.all(Array.from({ length: 12 }, (_, round) => make(round)));
    const { data } = (await listProperties(scope, { limit: 100 } as never)) as unknown as { data: unknown[] };
    return { made: await systemDb().property.count({ where: { team_id } }), listed: data.length };
  }

  it('concurrent work succeeds', async () => {
    await openDatabase();
    for (let round = 0; round < 3; round++) expect(await work()).toEqual({ made: 60, listed: 60 });
    const file = join(folder, 'backup.gz');
    expect((await writeBackup(file)).rows).toBeGreaterThan(180);
    expect((await stat(file)).size).toBeGreaterThan(0);
    await closeDatabase();
  });

  it('concurrent work with prepared statements fails, which proves that the test would notice', async () => {
    connectExternalDatabase(pooled_url, { pooled: false });
    await expect(work()).rejects.toThrow(/prepared statement/);
    await closeDatabase();
  });
});
