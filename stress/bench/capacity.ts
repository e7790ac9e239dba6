/**
 * `npx tsx stress/bench/capacity.ts [--rounds=N] [--each=N] [--teams=N] [--seconds=N]`: what one operation costs (processor time
 * of the product, statements, rows and bytes of PostgreSQL's log), and how many operations of a mixed load of many teams
 * one, two and four processes do on one PostgreSQL, as a ratio of what one does. Figures and what follows from them:
 * docs/capacity.md. With DATABASE_URL on that server, whose log then counts for whatever else writes to it.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { setConfig } from '../../src/config';
import { closeDatabase } from '../../src/infra/db/client';
import { openDatabase } from '../../src/infra/db/open';
import { createKey } from '../../src/modules/api-keys/service';
import { insertTeam } from '../../src/testing/team';
import { spread } from './lib/measure';
import { numberOption } from './lib/options';
import { openPostgres } from './lib/postgres';
import { type BenchServer, startServer } from './lib/server-process';

const PROCESSES = [1, 2, 4];
/** Of the mixed load: a reservation to so many reads of a list. */
const READS_PER_WRITE = 4;
/** Requests in flight for each process. */
const IN_FLIGHT = 8;

interface Team {
  key: string;
  property_id: string;
}

async function request<Body>(url: string, key: string, method: string, path: string, body?: object): Promise<Body> {
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return JSON.parse(text) as Body;
}

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const reserve = (url: string, { key, property_id }: Team) =>
  request<{ id: string }>(url, key, 'POST', '/reservations', {
    property_id,
    guest_name: 'Ada Lovelace',
    guest_email: `ada-${randomBytes(4).toString('hex')}@example.com`,
    checkin_date: day(3),
    checkout_date: day(9),
  });
const list = (url: string, { key }: Team) => request(url, key, 'GET', '/reservations?limit=25');

interface Usage {
  cpu_ms: number;
  transactions: number;
  rows_written: number;
  log_bytes: number;
}

/** What the database and the servers have done so far. */
async function usage(database: pg.Client, servers: readonly BenchServer[]): Promise<Usage> {
  await database.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await database.query(`
    SELECT xact_commit + xact_rollback AS transactions, tup_inserted + tup_updated + tup_deleted AS rows_written,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS log_bytes
    FROM pg_stat_database WHERE datname = current_database()`);
  const [row] = rows as Record<string, string>[];
  const cpu_ms = servers.reduce((sum, server) => sum + (server.cpu_ms() ?? Number.NaN), 0);
  const of = (name: string) => Number(row?.[name]);
  return { cpu_ms, transactions: of('transactions'), rows_written: of('rows_written'), log_bytes: of('log_bytes') };
}

/** PostgreSQL's statistics follow a second or so behind. */
const SETTLE_MS = 3_000;

async function costOf(
  database: pg.Client,
  server: BenchServer,
  times: number,
  operation: () => Promise<unknown>,
): Promise<Usage> {
  await sleep(SETTLE_MS);
  const before = await usage(database, [server]);
  for (let index = 0; index < times; index++) await operation();
  await sleep(SETTLE_MS);
  const after = await usage(database, [server]);
  const each = (name: keyof Usage) => (after[name] - before[name]) / times;
  return {
    cpu_ms: each('cpu_ms'),
    transactions: each('transactions'),
    rows_written: each('rows_written'),
    log_bytes: each('log_bytes'),
  };
}

/** Operations in a second of all teams at once, over all servers. */
async function throughput(servers: readonly BenchServer[], teams: readonly Team[], seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  let done = 0;
  let turn = 0;
  await Promise.all(
    Array.from({ length: servers.length * IN_FLIGHT }, async (_, index) => {
      const { url } = servers[index % servers.length] as BenchServer;
      while (performance.now() < until) {
        const team = teams[turn++ % teams.length] as Team;
        await (turn % (READS_PER_WRITE + 1) === 0 ? reserve(url, team) : list(url, team));
        done += 1;
      }
    }),
  );
  return done / seconds;
}

async function main(): Promise<void> {
  const [rounds, each] = [numberOption('rounds', 3), numberOption('each', 200)];
  const [team_count, seconds] = [numberOption('teams', 200), numberOption('seconds', 10)];
  const postgres = await openPostgres();
  const app_secret = randomBytes(32).toString('base64url');
  const environment = {
    DATABASE_URL: postgres.url,
    APP_SECRET: app_secret,
    APP_URL: 'http://localhost:3000',
    ENV_FILE: '',
    LOG_LEVEL: 'error',
    OUTBOUND_ALLOW_LOOPBACK: '1',
    THRESHOLD_WITHOUT_NEXT: '1',
    RATE_LIMIT_READ_PER_MINUTE: '10000000',
    RATE_LIMIT_WRITE_PER_MINUTE: '10000000',
  };
  const receiver = createServer((incoming, response) => {
    incoming.resume();
    incoming.on('end', () => response.writeHead(200).end());
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const start = () => startServer('product', 'src/server.ts', environment);
  setConfig({ database_url: postgres.url, app_secret, log_level: 'error' });
  await openDatabase();
  const servers = [await start()];
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  try {
    const [first] = servers as [BenchServer];
    const teams: Team[] = [];
    for (let index = 0; index < team_count; index++) {
      const scope = await insertTeam('test', `owner${index}@example.com`);
      const { key } = await createKey(scope, { name: 'bench', scopes: null, ip_allow: [] });
      const { id } = await request<{ id: string }>(first.url, key, 'POST', '/properties', { name: 'Casa Azul' });
      teams.push({ key, property_id: id });
    }
    const [one, hooked] = teams as [Team, Team];
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    await request(first.url, hooked.key, 'POST', '/webhook_endpoints', { url, events: ['reservation.created'] });
    const operations: [string, () => Promise<unknown>][] = [
      ['a process at rest for six seconds', async () => {}],
      ['a page of reservations', () => list(first.url, one)],
      ['a reservation', () => reserve(first.url, one)],
      ['a reservation and its webhook', () => reserve(first.url, hooked)],
    ];
    for (const [, operation] of operations) for (let index = 0; index < 20; index++) await operation();
    console.log(`PostgreSQL ${postgres.version}, node ${process.version}; each ${each} times`);
    for (const [name, operation] of operations) {
      const times = name.includes('at rest') ? 1 : each;
      const cost = await costOf(database, first, times, operation);
      console.log(
        `  ${name}: ${cost.cpu_ms.toFixed(2)} ms, ${cost.transactions.toFixed(1)} transactions, ${cost.rows_written.toFixed(1)} rows written, ${(cost.log_bytes / 1024).toFixed(1)} KiB of log`,
      );
    }
    const rates = new Map<number, number[]>(PROCESSES.map((count) => [count, []]));
    while (servers.length < Math.max(...PROCESSES)) servers.push(await start());
    for (let round = 0; round < rounds; round++)
      for (const count of round % 2 === 0 ? PROCESSES : PROCESSES.toReversed())
        rates.get(count)?.push(await throughput(servers.slice(0, count), teams, seconds));
    const alone = spread(rates.get(1) ?? []).median;
    for (const [count, values] of rates) {
      const { median, min, max } = spread(values);
      console.log(
        `  ${count} ${count === 1 ? 'process' : 'processes'}: ${(median / alone).toFixed(2)} (${(min / alone).toFixed(2)} to ${(max / alone).toFixed(2)})`,
      );
    }
  } finally {
    await database.end();
    await closeDatabase();
    for (const server of servers) await server.stop();
    receiver.close();
    await postgres.stop();
  }
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
