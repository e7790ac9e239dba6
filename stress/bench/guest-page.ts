/**
 * `npx tsx stress/bench/guest-page.ts [--embedded] [--rounds=N] [--seconds=N] [--profile=DIR]`:
 * measures the signing page. Alternates it with a Fastify server that sends the same bytes. Both
 * compress them. Needs the build.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { openPglite } from '../../src/infra/db/driver/pglite';
import { migrateEmbeddedDatabase } from '../../src/infra/db/open';
import { migrateExternalDatabase } from '../../src/infra/db/opening/external-migrations';
import type { BenchCase, BenchRequest } from './cases';
import { type BenchRoundResult, computeMinMedianAndMax, measureBenchCase } from './lib/measure';
import { readNumberOption, readTextOption } from './lib/options';
import { type BenchDatabase, startOrConnectBenchPostgres, withConnectedPostgresClient } from './lib/postgres';
import { type SeededData, seedBenchDatabase } from './lib/seed';
import { type BenchServer, startServer } from './lib/server-process';

const TARGET = 0.3;
const LINKS = 20;
const ROWS = 1_000;
const WARM_UP_S = 8;

/** Sends reservations and returns the paths of their links. */
async function signingPaths(server: BenchServer, { key, property_ids }: SeededData): Promise<string[]> {
  const ask = async (method: string, path: string, body?: object) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const response = await fetch(`${server.url}/v1${path}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string; signingUrl: string };
  };
  const paths: string[] = [];
  for (let n = 0; n < LINKS; n++) {
    const { id } = await ask('POST', '/reservations', {
      property_id: property_ids[n],
      guest_name: 'Ada Lovelace',
      guest_email: 'ada@example.com',
      checkin_date: '2031-05-04',
      checkout_date: '2031-05-09',
    });
    await ask('POST', `/reservations/${id}/send`, {});
    paths.push(new URL((await ask('GET', `/reservations/${id}/copy-link`)).signingUrl).pathname);
  }
  return paths;
}

async function main(): Promise<void> {
  if (!existsSync('.next/BUILD_ID')) throw new Error('Build first: npm run build.');
  const data_dir = await mkdtemp(join(tmpdir(), 'threshold-bench-'));
  let database: BenchDatabase | null = null;
  const servers: BenchServer[] = [];
  try {
    let seeded: SeededData;
    if (process.argv.includes('--embedded')) {
      const pglite = await openPglite(join(data_dir, 'postgres'));
      await migrateEmbeddedDatabase(pglite);
      seeded = await seedBenchDatabase(pglite as unknown as pg.Client, ROWS);
      await pglite.close();
    } else {
      database = await startOrConnectBenchPostgres();
      await migrateExternalDatabase(database.url, join(process.cwd(), 'prisma/migrations'));
      seeded = await withConnectedPostgresClient(database.url, (client) => seedBenchDatabase(client, ROWS));
    }
    const environment = {
      ...(database && { DATABASE_URL: database.url, APP_SECRET: randomBytes(32).toString('base64url') }),
      DATA_DIR: data_dir,
      LOG_LEVEL: 'warn',
    };
    servers.push(await startServer('product', 'src/server.ts', environment, readTextOption('profile')));
    const product = servers[0] as BenchServer;
    const paths = await signingPaths(product, seeded);
    const first = await fetch(product.url + paths[0], { headers: { 'accept-encoding': 'gzip' } });
    const page = await first.text();
    const PAGE = join(data_dir, 'page.html');
    await writeFile(PAGE, page);
    console.log(
      `${page.length} bytes, ${first.status}, sent as ${first.headers.get('content-encoding') ?? 'they are'}`,
    );
    servers.push(await startServer('baseline', 'stress/bench/baselines/page.ts', { PAGE }));
    let turn = 0;
    const subject: BenchCase = {
      name: 'guest’s page',
      group: 'read',
      what: 'GET /sign/{token}',
      target: TARGET,
      next: (): BenchRequest => ({
        method: 'GET',
        path: paths[turn++ % paths.length] ?? '',
        headers: { 'accept-encoding': 'gzip', accept: 'text/html' },
      }),
    };
    for (const server of servers) await measureBenchCase(server, subject, WARM_UP_S);
    const rounds: Record<BenchServer['name'], BenchRoundResult[]> = { product: [], baseline: [], usual: [] };
    for (let round = 0; round < readNumberOption('rounds', 5); round++) {
      for (const server of round % 2 === 0 ? servers : [...servers].reverse())
        rounds[server.name].push(await measureBenchCase(server, subject, readNumberOption('seconds', 3)));
    }
    for (const { name } of servers) {
      const of = (pick: (round: BenchRoundResult) => number) =>
        computeMinMedianAndMax(rounds[name].map(pick)).median.toFixed(0);
      console.log(
        `  ${name.padEnd(9)} ${of((round) => round.requests_per_s)} requests/s   ${of((round) => round.cpu_us)} µs of processor time/request`,
      );
    }
    const ratio = computeMinMedianAndMax(
      rounds.product.map((round, n) => round.requests_per_s / (rounds.baseline[n]?.requests_per_s ?? Number.NaN)),
    );
    const verdict = ratio.median >= TARGET ? 'reached' : 'NOT reached';
    console.log(
      `  ratio     ${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)})   target ${TARGET}: ${verdict}`,
    );
  } finally {
    for (const server of servers) await server.stop().catch((error) => console.error(error));
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
