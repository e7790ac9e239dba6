/**
 * `npx tsx stress/bench/capacity.ts [--rounds=N] [--each=N] [--teams=N] [--seconds=N]`: measures
 * the cost of single operations: the product's processor time, statements, and rows and log bytes
 * of PostgreSQL. Also measures the throughput of one, two and four processes on one PostgreSQL
 * server under a mixed load of many teams, relative to one process. docs/capacity.md contains the
 * results and conclusions. With DATABASE_URL it uses that server, whose log then includes other
 * writers.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { appRouter } from '../../src/api/router';
import { setConfig } from '../../src/config';
import {
  buildArrivalListInput,
  buildAttentionReservationListInput,
  CALENDARS_INPUT,
  PROPERTIES_INPUT,
  RESERVATION_ATTENTION_REASONS,
} from '../../src/dashboard/initial-queries';
import { closeDatabase } from '../../src/infra/db/client';
import { openDatabase } from '../../src/infra/db/open';
import { createApiKey } from '../../src/modules/api-keys/service';
import { createSyncSource } from '../../src/modules/sync-sources/service';
import type { Scope } from '../../src/shared/scope';
import { insertTeam } from '../../src/testing/team';
import { computeMinMedianAndMax } from './lib/measure';
import { readNumberOption } from './lib/options';
import { startOrConnectBenchPostgres } from './lib/postgres';
import { type BenchServer, startServer } from './lib/server-process';

const PROCESSES = [1, 2, 4];
/** Number of list reads per created reservation in the mixed load. */
const READS_PER_WRITE = 4;
/** Concurrent requests per process. */
const IN_FLIGHT = 8;

interface Team {
  scope: Scope;
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

/** Polling interval in milliseconds. It is long, because polling adds to the measured cost. */
const POLL_MS = 1_000;

const pollUntil = async (done: () => Promise<boolean>) => {
  while (!(await done())) await sleep(POLL_MS);
};

/** Reads the page and signs as a guest. Resolves once the certificate is sealed. */
async function signing(url: string, team: Team): Promise<void> {
  const { id } = await reserve(url, team);
  await request(url, team.key, 'POST', `/reservations/${id}/send`, {});
  const { signingUrl } = await request<{ signingUrl: string }>(url, team.key, 'GET', `/reservations/${id}/copy-link`);
  const page_url = `${url}${new URL(signingUrl).pathname}`;
  const page = await (await fetch(page_url)).text();
  const form = new FormData();
  const displayed_hash = /name="displayed_hash" value="([0-9a-f]{64})"/.exec(page)?.[1] ?? '';
  const values = { intent: 'sign', locale: 'en', displayed_hash, typed_name: 'Ada Lovelace', consent: 'on' };
  for (const [field, value] of Object.entries(values)) form.set(field, value);
  const response = await fetch(page_url, { method: 'POST', body: form, redirect: 'manual' });
  if (response.status !== 303) throw new Error(`Signing answered ${response.status}.`);
  const { signature_id } = await request<{ signature_id: string }>(url, team.key, 'GET', `/reservations/${id}`);
  const certificate = () => request<{ pdf_available: boolean }>(url, team.key, 'GET', `/certificates/${signature_id}`);
  await pollUntil(async () => (await certificate()).pdf_available);
}

/** A calendar with 50 stays. */
const FEED = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//bench//EN',
  ...Array.from({ length: 50 }, (_, index) =>
    [
      'BEGIN:VEVENT',
      `UID:${index}@example.com`,
      `DTSTART;VALUE=DATE:${day(10 + index * 3).replaceAll('-', '')}`,
      `DTEND;VALUE=DATE:${day(12 + index * 3).replaceAll('-', '')}`,
      'SUMMARY:Reserved',
      'END:VEVENT',
    ].join('\r\n'),
  ),
  'END:VCALENDAR',
].join('\r\n');

/**
 * Number of times that the dashboard requests a reservation whose page stays open for a minute: at
 * the start, and every 15 seconds.
 */
const LOOKS = 5;

type Calls = Record<string, Record<string, (input?: object) => Promise<unknown>>>;

/**
 * Runs the dashboard queries of a host who works for an hour: ten times Home, ten lists, twenty
 * reservations, ten pages of the calendar and ten searches. The queries run in this process,
 * without HTTP. Loading the pages is not included, because the browser caches their files.
 */
async function dashboardHour({ scope, property_id }: Team): Promise<void> {
  const context = {
    request_id: 'req_bench',
    scope,
    ip: null,
    user_agent: null,
    if_match: null,
    reply: { headers: {} },
  };
  const user = {
    id: 'user_bench',
    name: 'B',
    email: 'b@example.com',
    role: 'owner',
    session_id: 'sess_bench',
  } as const;
  const calls = appRouter.createCaller({ ...context, surface: 'dashboard', user }) as unknown as Calls;
  const ask = (noun: string, name: string, input?: object) => calls[noun]?.[name]?.(input) as Promise<unknown>;
  const sort = { by: 'created', descending: true };
  const page = () => ask('reservations', 'list', { limit: 25, sort }) as Promise<{ data: { id: string }[] }>;
  for (let time = 0; time < 10; time++) {
    await Promise.all([
      ask('home', 'activity', { timezone: 'UTC' }),
      ask('home', 'first_steps'),
      ask('reservations', 'list', buildArrivalListInput({}, day(0))),
      ...RESERVATION_ATTENTION_REASONS.map((waiting) =>
        ask('reservations', 'list', buildAttentionReservationListInput(waiting, day(0))),
      ),
      ask('properties', 'list', PROPERTIES_INPUT),
      ask('sync_sources', 'list', CALENDARS_INPUT),
    ]);
    const { data } = await page();
    for (const { id } of data.slice(0, 2))
      for (let look = 0; look < LOOKS; look++)
        await Promise.all([
          ask('reservations', 'retrieve', { id }),
          ask('reservations', 'events', { id }),
          ask('mail', 'list', { reservation: id, limit: 100 }),
        ]);
    const days = { from: day(0), to: day(56) };
    await Promise.all([
      ask('stay_calendar', 'properties'),
      ask('stay_calendar', 'page', { properties: [property_id], ...days }),
    ]);
    await ask('search', 'everything', { text: 'Lovelace' });
  }
}

type Measured = Pick<BenchServer, 'cpu_ms'>;
/** The benchmark's own process, which runs the operations that need no server. */
const THIS_PROCESS: Measured = {
  cpu_ms() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
};

interface Usage {
  cpu_ms: number;
  transactions: number;
  rows_written: number;
  log_bytes: number;
}

/** Returns the total resource usage of the database and the servers so far. */
async function usage(database: pg.Client, servers: readonly Measured[]): Promise<Usage> {
  await database.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await database.query(`
    SELECT xact_commit + xact_rollback AS transactions, tup_inserted + tup_updated + tup_deleted AS rows_written,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS log_bytes
    FROM pg_stat_database WHERE datname = current_database()`);
  const [row] = rows as Record<string, string>[];
  const cpu_ms = processorTime(servers);
  const of = (name: string) => Number(row?.[name]);
  return { cpu_ms, transactions: of('transactions'), rows_written: of('rows_written'), log_bytes: of('log_bytes') };
}

/** Delay after which PostgreSQL's statistics are complete. They are about a second late. */
const SETTLE_MS = 3_000;

async function costOf(
  database: pg.Client,
  server: Measured,
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

interface Rate {
  per_second: number;
  /** The product's processor time per operation. */
  cpu_ms: number;
}

const processorTime = (servers: readonly Measured[]) =>
  servers.reduce((sum, server) => sum + (server.cpu_ms() ?? Number.NaN), 0);

/** Returns the operations per second of all teams on all servers together. */
async function throughput(servers: readonly BenchServer[], teams: readonly Team[], seconds: number): Promise<Rate> {
  const before_ms = processorTime(servers);
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
  return { per_second: done / seconds, cpu_ms: (processorTime(servers) - before_ms) / done };
}

function print(name: string, cost: Usage): void {
  console.log(
    `  ${name}: ${cost.cpu_ms.toFixed(2)} ms, ${cost.transactions.toFixed(1)} transactions, ${cost.rows_written.toFixed(1)} rows written, ${(cost.log_bytes / 1024).toFixed(1)} KiB of log`,
  );
}

async function main(): Promise<void> {
  const [rounds, each] = [readNumberOption('rounds', 3), readNumberOption('each', 200)];
  const [team_count, seconds] = [readNumberOption('teams', 200), readNumberOption('seconds', 10)];
  const postgres = await startOrConnectBenchPostgres();
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
    incoming.on('end', () => response.writeHead(200).end(incoming.method === 'GET' ? FEED : ''));
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const start = () => startServer('product', 'src/server.ts', environment);
  setConfig({ database_url: postgres.url, app_secret, log_level: 'error', outbound_allow_loopback: true });
  await openDatabase();
  const servers = [await start()];
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  try {
    const [first] = servers as [BenchServer];
    const teams: Team[] = [];
    for (let index = 0; index < team_count; index++) {
      const scope = await insertTeam('test', `owner${index}@example.com`);
      const { key } = await createApiKey(scope, { name: 'bench', scopes: null, ip_allow: [] });
      const { id } = await request<{ id: string }>(first.url, key, 'POST', '/properties', { name: 'Casa Azul' });
      teams.push({ scope, key, property_id: id });
    }
    const [one, hooked, synced] = teams as [Team, Team, Team];
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    await request(first.url, hooked.key, 'POST', '/webhook_endpoints', { url, events: ['reservation.created'] });
    const source = await createSyncSource(synced.scope, {
      property_id: synced.property_id,
      kind: 'channel_a_ical',
      feed_url: url,
    });
    const operations: [string, () => Promise<unknown>][] = [
      ['a process at rest for six seconds', async () => {}],
      ['a page of reservations', () => list(first.url, one)],
      ['a reservation', () => reserve(first.url, one)],
      ['a reservation and its webhook', () => reserve(first.url, hooked)],
      ['a signing with its certificate, the reservation included', () => signing(first.url, one)],
      [
        'a poll of an unchanged calendar of 50 stays',
        () => request(first.url, synced.key, 'POST', `/sync_sources/${source.id}/run`, {}),
      ],
    ];
    for (const [, operation] of operations) for (let index = 0; index < 5; index++) await operation();
    console.log(`PostgreSQL ${postgres.version}, node ${process.version}; each ${each} times`);
    for (const [name, operation] of operations) {
      const times = name.includes('at rest') ? 1 : name.includes('signing') ? Math.ceil(each / 10) : each;
      print(name, await costOf(database, first, times, operation));
    }
    const hour = () => dashboardHour(one);
    await hour();
    print('an hour of a host in the dashboard', await costOf(database, THIS_PROCESS, 5, hour));
    const rates = new Map<number, Rate[]>(PROCESSES.map((count) => [count, []]));
    while (servers.length < Math.max(...PROCESSES)) servers.push(await start());
    for (let round = 0; round < rounds; round++)
      for (const count of round % 2 === 0 ? PROCESSES : PROCESSES.toReversed())
        rates.get(count)?.push(await throughput(servers.slice(0, count), teams, seconds));
    const perSecond = (count: number) =>
      computeMinMedianAndMax((rates.get(count) ?? []).map(({ per_second }) => per_second));
    const alone = perSecond(1).median;
    for (const [count, values] of rates) {
      const { median, min, max } = perSecond(count);
      const cpu_ms = computeMinMedianAndMax(values.map((rate) => rate.cpu_ms)).median;
      console.log(
        `  ${count} ${count === 1 ? 'process' : 'processes'}: ${(median / alone).toFixed(2)} (${(min / alone).toFixed(2)} to ${(max / alone).toFixed(2)}), ${cpu_ms.toFixed(2)} ms of processor time each`,
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
