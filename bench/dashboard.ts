/**
 * `npx tsx bench/dashboard.ts [--requests=N] [--rows=N]`: the dashboard's list of reservations at 100,000 rows, asked for
 * over HTTP with a session as a browser does, one request at a time; beside it the plain query of the same page on a
 * connection of this process, in turns. Needs the build (`npm run build`) and what bench/README.md names.
 */
import { deepStrictEqual } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { migrateExternal } from '../src/infra/db/external-migrations';
import { plainQuery } from './baselines/dashboard-queries';
import { type Row, toResource } from './baselines/resource';
import { type DashboardCase, dashboardCases, type Query } from './dashboard-cases';
import { spread } from './lib/measure';
import { type BenchDatabase, openPostgres, withClient } from './lib/postgres';
import { seed } from './lib/seed';
import { type BenchServer, startServer } from './lib/server-process';

const TARGET_MS = 50;
const WARM_UP = 30;
const TEAM = 'team_bench000000000000000000a';
const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };

function option(name: string, fallback: number): number {
  const text = process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1];
  return text ? Number(text) : fallback;
}

/** An owner of the seeded team, with a session: the cookie of a sign-in. */
async function signIn(server: BenchServer, database_url: string, environment: Record<string, string>): Promise<string> {
  const args = ['scripts/admin.mjs', 'team', 'create', '--name', 'Own', '--plan', 'pro'];
  await promisify(execFile)(
    process.execPath,
    [...args, '--owner-email', OWNER.email, '--owner-password', OWNER.password],
    { env: { ...process.env, ...environment } },
  );
  await withClient(database_url, (client) =>
    client.query(`update members set organization_id = $1 where user_id = (select id from users where email = $2)`, [
      TEAM,
      OWNER.email,
    ]),
  );
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

interface Sides {
  product(query: Query): Promise<{ id: string }[]>;
  plain(query: Query): Promise<{ id: string }[]>;
}

async function measure(sides: Sides, subject: DashboardCase, requests: number) {
  const took = { product: [] as number[], plain: [] as number[] };
  for (let turn = -WARM_UP; turn < requests; turn++) {
    const query = subject.next();
    const pages: { id: string }[][] = [];
    for (const side of turn % 2 ? (['plain', 'product'] as const) : (['product', 'plain'] as const)) {
      const started = performance.now();
      pages.push(await sides[side](query));
      if (turn >= 0) took[side].push(performance.now() - started);
    }
    const [one, other] = pages.map((page) => page.map(({ id }) => id));
    deepStrictEqual(one, other, `${subject.name}: the two answer ${JSON.stringify(query)} differently.`);
  }
  return took;
}

async function main(): Promise<void> {
  if (!existsSync('.next/BUILD_ID')) throw new Error('Build first: npm run build.');
  const rows = option('rows', 100_000);
  const requests = option('requests', 100);
  let database: BenchDatabase | null = null;
  let server: BenchServer | null = null;
  let client: pg.Client | null = null;
  const data_dir = await mkdtemp(join(tmpdir(), 'threshold-bench-'));
  try {
    database = await openPostgres();
    const { url } = database;
    await migrateExternal(url, join(process.cwd(), 'prisma/migrations'));
    const seeded = await withClient(url, (seeding) => seed(seeding, rows));
    const environment = {
      DATABASE_URL: url,
      DATABASE_POOL_SIZE: '10',
      APP_SECRET: randomBytes(32).toString('base64url'),
      DATA_DIR: data_dir,
      LOG_LEVEL: 'warn',
    };
    server = await startServer('product', 'src/server.ts', environment);
    const cookie = await signIn(server, url, environment);
    client = new pg.Client({ connectionString: url });
    await client.connect();
    const origin = server.url;
    const connection = client;
    const sides: Sides = {
      async product(query) {
        const input = encodeURIComponent(JSON.stringify(query));
        const response = await fetch(`${origin}/api/trpc/reservation_host.search?input=${input}`, {
          headers: { cookie, 'x-threshold-mode': 'live' },
        });
        if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
        return ((await response.json()) as { result: { data: { data: { id: string }[] } } }).result.data.data;
      },
      async plain(query) {
        const result = await connection.query<Row>(plainQuery(TEAM, query));
        const text = JSON.stringify(result.rows.slice(0, query.limit).map(toResource));
        return JSON.parse(text) as { id: string }[];
      },
    };
    console.log(
      `PostgreSQL ${database.version}, node ${process.version}, ${cpus().length} cores, ${rows} reservations, ${requests} requests a case, one at a time`,
    );
    const time = (values: number[]) => {
      const sorted = [...values].sort((a, b) => a - b);
      return `p50 ${spread(values).median.toFixed(1)} ms, p95 ${(sorted[Math.floor(sorted.length * 0.95)] ?? 0).toFixed(1)} ms`;
    };
    for (const subject of dashboardCases(seeded, rows)) {
      const took = await measure(sides, subject, requests);
      const median = spread(took.product).median;
      const ratio = median / spread(took.plain).median;
      console.log(`\n${subject.name}`);
      console.log(
        `  product over HTTP  ${time(took.product)}   target p50 ${TARGET_MS} ms: ${median <= TARGET_MS ? 'reached' : 'NOT reached'}`,
      );
      console.log(`  plain query        ${time(took.plain)}`);
      console.log(`  ratio of the medians: ${ratio.toFixed(1)}`);
    }
  } finally {
    await client?.end();
    await server?.stop().catch((error) => console.error(error));
    await database?.stop();
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
