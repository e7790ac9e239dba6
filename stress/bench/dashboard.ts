/**
 * `npx tsx stress/bench/dashboard.ts [--requests=N] [--rows=N]`: measures the dashboard's list of
 * reservations at 100,000 rows. Requests it over HTTP with a session, like a browser, one request
 * at a time. Alternates this with a hand-written query for the same page on a connection of this
 * process. Needs the build (`npm run build`) and the requirements in stress/README.md. `--embedded`
 * uses the embedded database. Only the product can open it, so there is no hand-written query.
 */
import { deepStrictEqual } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openPglite } from '../../src/infra/db/driver/pglite';
import { migrateExternalDatabase } from '../../src/infra/db/opening/external-migrations';
import { runOperatorCommand } from '../../src/testing/server';
import { buildBaselineQuerySql } from './baselines/dashboard-queries';
import { type ReservationRow, toReservationResource } from './baselines/resource';
import {
  buildCommandPaletteBenchCases,
  buildDashboardBenchCases,
  buildStayCalendarBenchCases,
  type DashboardBenchCase,
  type DashboardQuery,
} from './dashboard-cases';
import { computeMinMedianAndMax } from './lib/measure';
import { readNumberOption } from './lib/options';
import { startOrConnectBenchPostgres, withConnectedPostgresClient } from './lib/postgres';
import { type SeededData, seedBenchDatabase } from './lib/seed';
import { type BenchServer, startServer } from './lib/server-process';

const TARGET_MS = 50;
const WARM_UP = 30;
const TEAM = 'team_bench000000000000000000a';
const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };

const TO_THE_TEAM = 'update members set team_id = $1 where user_id = (select id from users where email = $2)';

async function createOwner(environment: Record<string, string>): Promise<void> {
  const args = ['team', 'create', '--name', 'Own', '--owner-email', OWNER.email];
  await runOperatorCommand('scripts/admin.mjs', { ...process.env, ...environment }, args, OWNER.password);
}

/** Signs in and returns the session as a Cookie header. */
async function signIn(server: BenchServer): Promise<string> {
  const response = await fetch(`${server.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify(OWNER),
  });
  if (!response.ok) throw new Error(`The sign-in was answered ${response.status}: ${await response.text()}`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

interface Prepared {
  seeded: SeededData;
  database: string;
  environment: Record<string, string>;
  /**
   * The connection for the hand-written query. Null where only the product can open the database.
   */
  client: pg.Client | null;
  stop(): Promise<void>;
}

async function prepareExternal(rows: number, data_dir: string): Promise<Prepared> {
  const database = await startOrConnectBenchPostgres();
  const { url } = database;
  await migrateExternalDatabase(url, join(process.cwd(), 'prisma/migrations'));
  const seeded = await withConnectedPostgresClient(url, (seeding) => seedBenchDatabase(seeding, rows));
  const environment = {
    DATABASE_URL: url,
    DATABASE_POOL_SIZE: '10',
    APP_SECRET: randomBytes(32).toString('base64url'),
    DATA_DIR: data_dir,
    LOG_LEVEL: 'warn',
  };
  await createOwner(environment);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(TO_THE_TEAM, [TEAM, OWNER.email]);
  const stop = async () => {
    await client.end();
    await database.stop();
  };
  return { seeded, database: `PostgreSQL ${database.version}`, environment, client, stop };
}

async function prepareEmbedded(rows: number, data_dir: string): Promise<Prepared> {
  const environment = { DATA_DIR: data_dir, LOG_LEVEL: 'warn' };
  await createOwner(environment);
  const pglite = await openPglite(join(data_dir, 'postgres'));
  const seeded = await seedBenchDatabase(pglite as unknown as pg.Client, rows);
  await pglite.query(TO_THE_TEAM, [TEAM, OWNER.email]);
  await pglite.close();
  return { seeded, database: 'the embedded PostgreSQL', environment, client: null, stop: async () => {} };
}

interface Sides {
  product(query: DashboardQuery): Promise<{ id: string }[]>;
  plain: ((query: DashboardQuery) => Promise<{ id: string }[]>) | null;
}

async function measure(sides: Sides, subject: DashboardBenchCase, requests: number) {
  const took = { product: [] as number[], plain: [] as number[] };
  for (let turn = -WARM_UP; turn < requests; turn++) {
    const query = subject.next();
    const pages: { id: string }[][] = [];
    for (const side of turn % 2 ? (['plain', 'product'] as const) : (['product', 'plain'] as const)) {
      const ask = sides[side];
      if (!ask) continue;
      const started = performance.now();
      pages.push(await ask(query));
      if (turn >= 0) took[side].push(performance.now() - started);
    }
    const [one, other = one] = pages.map((page) => page.map(({ id }) => id));
    deepStrictEqual(one, other, `${subject.name}: the two answer ${JSON.stringify(query)} differently.`);
  }
  return took;
}

async function alone(ask: (input: object) => Promise<void>, next: () => object, requests: number) {
  const product: number[] = [];
  for (let turn = -WARM_UP; turn < requests; turn++) {
    const input = next();
    const started = performance.now();
    await ask(input);
    if (turn >= 0) product.push(performance.now() - started);
  }
  return { product, plain: [] };
}

/**
 * Returns both sides: the product over HTTP and the hand-written query. Both return the JSON for a
 * browser.
 */
function sidesOf(server: BenchServer, cookie: string, client: pg.Client | null): Sides {
  return {
    async product(query) {
      const input = encodeURIComponent(JSON.stringify(query));
      const response = await fetch(`${server.url}/api/trpc/reservations.list?input=${input}`, {
        headers: { cookie, 'x-threshold-mode': 'live' },
      });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
      return ((await response.json()) as { result: { data: { data: { id: string }[] } } }).result.data.data;
    },
    plain:
      client &&
      (async (query) => {
        const { rows } = await client.query<ReservationRow>(buildBaselineQuerySql(TEAM, query));
        return JSON.parse(JSON.stringify(rows.slice(0, query.limit).map(toReservationResource))) as { id: string }[];
      }),
  };
}

/**
 * Returns a function that sends one tRPC query of the dashboard to the product. The benchmark has
 * no hand-written SQL to compare these queries with.
 */
function askerOf(server: BenchServer, cookie: string, path: string) {
  return async (given: object): Promise<void> => {
    const input = encodeURIComponent(JSON.stringify(given));
    const response = await fetch(`${server.url}/api/trpc/${path}?input=${input}`, {
      headers: { cookie, 'x-threshold-mode': 'live' },
    });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    await response.json();
  };
}

function print(subject: Pick<DashboardBenchCase, 'name'>, took: { product: number[]; plain: number[] }): void {
  const time = (values: number[]) => {
    const sorted = [...values].sort((a, b) => a - b);
    return `p50 ${computeMinMedianAndMax(values).median.toFixed(1)} ms, p95 ${(sorted[Math.floor(sorted.length * 0.95)] ?? 0).toFixed(1)} ms`;
  };
  const median = computeMinMedianAndMax(took.product).median;
  const verdict = median <= TARGET_MS ? 'reached' : 'NOT reached';
  console.log(`\n${subject.name}`);
  console.log(`  product over HTTP  ${time(took.product)}   target p50 ${TARGET_MS} ms: ${verdict}`);
  if (took.plain.length === 0) return;
  console.log(`  plain query        ${time(took.plain)}`);
  console.log(`  ratio of the medians: ${(median / computeMinMedianAndMax(took.plain).median).toFixed(2)}`);
}

async function main(): Promise<void> {
  if (!existsSync('.next/BUILD_ID')) throw new Error('Build first: npm run build.');
  const rows = readNumberOption('rows', 100_000);
  const requests = readNumberOption('requests', 100);
  const data_dir = await mkdtemp(join(tmpdir(), 'threshold-bench-'));
  let prepared: Prepared | null = null;
  let server: BenchServer | null = null;
  try {
    prepared = await (process.argv.includes('--embedded') ? prepareEmbedded : prepareExternal)(rows, data_dir);
    server = await startServer('product', 'src/server.ts', prepared.environment);
    const cookie = await signIn(server);
    const sides = sidesOf(server, cookie, prepared.client);
    console.log(
      `${prepared.database}, node ${process.version}, ${cpus().length} cores, ${rows} reservations, ${requests} requests a case, one at a time`,
    );
    for (const subject of buildDashboardBenchCases(prepared.seeded, rows))
      print(subject, await measure(sides, subject, requests));
    const palette = askerOf(server, cookie, 'search.everything');
    for (const { name, next } of buildCommandPaletteBenchCases(prepared.seeded, rows))
      print({ name }, await alone(palette, () => ({ text: next() }), requests));
    const calendar = askerOf(server, cookie, 'stay_calendar.page');
    for (const { name, next } of buildStayCalendarBenchCases(prepared.seeded))
      print({ name }, await alone(calendar, next, requests));
  } finally {
    await server?.stop().catch((error) => console.error(error));
    await prepared?.stop();
    await rm(data_dir, { recursive: true, force: true });
  }
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
