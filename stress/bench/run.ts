/**
 * `npm run bench [read|list|write] [--embedded] [--rounds=N] [--seconds=N] [--rows=N]
 * [--profile=DIR]`: measures the product on one PostgreSQL server. Alternates it with a
 * hand-written baseline and with the usual stack (Next's route handlers and Prisma). `--embedded`
 * compares it only with the baseline, each on its own embedded database with the same data. On
 * other machines only the ratios are meaningful.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { openPglite } from '../../src/infra/db/driver/pglite';
import { migrateEmbeddedDatabase } from '../../src/infra/db/open';
import { migrateExternalDatabase } from '../../src/infra/db/opening/external-migrations';
import { type BenchCase, buildBenchCases } from './cases';
import {
  BENCH_CONNECTION_COUNT,
  type BenchRoundResult,
  computeMinMedianAndMax,
  type MinMedianAndMax,
  measureBenchCase,
} from './lib/measure';
import { startOrConnectBenchPostgres, withConnectedPostgresClient } from './lib/postgres';
import { assertSameResponses } from './lib/same-work';
import { type SeededData, seedBenchDatabase } from './lib/seed';
import { type BenchServer, startServer } from './lib/server-process';

/**
 * Number of requests after which a server's code is compiled. On a slow machine WARM_UP_AT_MOST_S
 * ends the warm-up earlier.
 */
const WARM_UP_REQUESTS = 3_000;
const WARM_UP_AT_MOST_S = 20;
const WARM_UP_STEP_S = 2;
/** The minimum ratio to the baseline for each case on the embedded database. */
const EMBEDDED_TARGET = 0.5;
const USUAL_STACK = 'stress/bench/baselines/usual-stack';

interface Options {
  groups: string[];
  rounds: number;
  seconds: number;
  rows: number;
  embedded: boolean;
  profile?: string;
}

function readOptions(args: string[]): Options {
  const number = (name: string, fallback: number) => {
    const text = args.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1];
    return text ? Number(text) : fallback;
  };
  const groups = args.filter((arg) => !arg.startsWith('--'));
  const unknown = groups.find((group) => !['read', 'list', 'write'].includes(group));
  if (unknown) throw new Error(`There is no benchmark ${unknown}: read, list or write.`);
  const profile = args.find((arg) => arg.startsWith('--profile='))?.slice('--profile='.length);
  return {
    groups: groups.length > 0 ? groups : ['read', 'list', 'write'],
    rounds: number('rounds', 6),
    seconds: number('seconds', 4),
    rows: number('rows', 100_000),
    embedded: args.includes('--embedded'),
    ...(profile && { profile: resolve(profile) }),
  };
}

interface Outcome {
  subject: BenchCase;
  product: BenchRoundResult[];
  baseline: BenchRoundResult[];
  /**
   * The results of the usual stack (stress/README.md), one per round. Empty when the usual stack is
   * not measured.
   */
  usual: BenchRoundResult[];
}

async function warmUp(server: BenchServer, subject: BenchCase): Promise<void> {
  let served = 0;
  for (let s = 0; s < WARM_UP_AT_MOST_S && served < WARM_UP_REQUESTS; s += WARM_UP_STEP_S) {
    served += (await measureBenchCase(server, subject, WARM_UP_STEP_S)).requests_per_s * WARM_UP_STEP_S;
  }
}

/**
 * Measures every case of a group on all servers in each round. Alternates the order of the servers,
 * so that other work on the machine affects all of them equally.
 */
async function compare(
  subjects: readonly BenchCase[],
  servers: readonly BenchServer[],
  options: Options,
): Promise<Outcome[]> {
  const outcomes = subjects.map((subject): Outcome => ({ subject, product: [], baseline: [], usual: [] }));
  for (const subject of subjects) for (const server of servers) await warmUp(server, subject);
  for (let round = 0; round < options.rounds; round++) {
    const order = round % 2 === 0 ? servers : [...servers].reverse();
    for (const outcome of outcomes) {
      for (const server of order)
        outcome[server.name].push(await measureBenchCase(server, outcome.subject, options.seconds));
    }
  }
  return outcomes;
}

const ratios = ({ product }: Outcome, other: readonly BenchRoundResult[]): MinMedianAndMax =>
  computeMinMedianAndMax(product.map((round, i) => round.requests_per_s / (other[i]?.requests_per_s ?? Number.NaN)));

const shown = ({ min, median, max }: MinMedianAndMax, digits = 2) =>
  `${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`;

function print(outcome: Outcome, embedded: boolean): void {
  const target = embedded ? EMBEDDED_TARGET : outcome.subject.target;
  const line = (name: string, rounds: BenchRoundResult[]) => {
    const of = (pick: (round: BenchRoundResult) => number) => computeMinMedianAndMax(rounds.map(pick));
    console.log(
      `  ${name.padEnd(9)} ${shown(
        of((round) => round.requests_per_s),
        0,
      ).padEnd(
        24,
      )} requests/s   p50 ${of((round) => round.p50_ms).median} ms   p99 ${of((round) => round.p99_ms).median} ms   ${of((round) => round.cpu_us).median.toFixed(0)} µs of processor time/request`,
    );
  };
  const ratio = ratios(outcome, outcome.baseline);
  console.log(`\n${outcome.subject.name}: ${outcome.subject.what}`);
  line('product', outcome.product);
  line('baseline', outcome.baseline);
  if (outcome.usual.length > 0) line('usual', outcome.usual);
  console.log(`  ratio     ${shown(ratio)}   target ${target}: ${ratio.median >= target ? 'reached' : 'NOT reached'}`);
  if (outcome.usual.length > 0) console.log(`  over the usual stack: ${shown(ratios(outcome, outcome.usual))}`);
}

/** Prints how long the deep page takes relative to the first page of the same server and round. */
function printDepth(outcomes: Outcome[]): void {
  const first = outcomes.find(({ subject }) => subject.name === 'list, first page');
  const deep = outcomes.find(({ subject }) => subject.name === 'list, deep page');
  if (!first || !deep) return;
  for (const side of ['product', 'baseline'] as const) {
    const times = computeMinMedianAndMax(
      first[side].map((round, i) => round.requests_per_s / (deep[side][i]?.requests_per_s ?? Number.NaN)),
    );
    const verdict =
      side === 'product' ? `   target at most 1.2: ${times.median <= 1.2 ? 'reached' : 'NOT reached'}` : '';
    console.log(`  deep page's time over the first page's, ${side}: ${shown(times)}${verdict}`);
  }
}

interface Prepared {
  name: string;
  seeded: SeededData;
  /** The environment variables of each server. */
  product: Record<string, string>;
  baseline: Record<string, string>;
  stop(): Promise<void>;
}

async function prepareExternal(rows: number): Promise<Prepared> {
  const database = await startOrConnectBenchPostgres();
  const { url } = database;
  await migrateExternalDatabase(url, join(process.cwd(), 'prisma/migrations'));
  const seeded = await withConnectedPostgresClient(url, (client) => seedBenchDatabase(client, rows));
  const product = { DATABASE_URL: url, DATABASE_POOL_SIZE: '10', APP_SECRET: randomBytes(32).toString('base64url') };
  return {
    name: `PostgreSQL ${database.version}`,
    seeded,
    product,
    baseline: { DATABASE_URL: url },
    stop: () => database.stop(),
  };
}

/**
 * Creates the embedded databases. Only one process can open a database, so the baseline gets a
 * copy.
 */
async function prepareEmbedded(rows: number, data_dir: string): Promise<Prepared> {
  const directory = join(data_dir, 'postgres');
  const pglite = await openPglite(directory);
  await migrateEmbeddedDatabase(pglite);
  const seeded = await seedBenchDatabase(pglite as unknown as pg.Client, rows);
  await pglite.close();
  const copy = join(data_dir, 'baseline');
  await cp(directory, copy, { recursive: true });
  return { name: 'Embedded PostgreSQL', seeded, product: {}, baseline: { EMBEDDED: copy }, stop: async () => {} };
}

async function main(options: Options): Promise<void> {
  let prepared: Prepared | null = null;
  const servers: BenchServer[] = [];
  const data_dir = await mkdtemp(join(tmpdir(), 'threshold-bench-'));
  try {
    if (!options.embedded) {
      await promisify(execFile)(process.execPath, ['node_modules/next/dist/bin/next', 'build', USUAL_STACK], {
        env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' },
      });
    }
    prepared = options.embedded ? await prepareEmbedded(options.rows, data_dir) : await prepareExternal(options.rows);
    console.log(
      `${prepared.name}, node ${process.version}, ${cpus().length} cores, ${BENCH_CONNECTION_COUNT} connections, ${options.rounds} rounds of ${options.seconds} s each`,
    );
    servers.push(
      await startServer(
        'product',
        'src/server.ts',
        {
          ...prepared.product,
          DATA_DIR: data_dir,
          THRESHOLD_WITHOUT_NEXT: '1',
          LOG_LEVEL: 'warn',
          RATE_LIMIT_READ_PER_MINUTE: '1000000000',
          RATE_LIMIT_WRITE_PER_MINUTE: '1000000000',
        },
        options.profile,
      ),
      await startServer('baseline', 'stress/bench/baselines/server.ts', prepared.baseline),
    );
    if (!options.embedded) servers.push(await startServer('usual', USUAL_STACK, prepared.baseline));
    const [product, ...others] = servers as [BenchServer, ...BenchServer[]];
    const cases = buildBenchCases(prepared.seeded);
    for (const group of options.groups) {
      const subjects = cases.filter((subject) => subject.group === group);
      for (const subject of subjects)
        for (const other of others) await assertSameResponses(product.url, other.url, subject);
      const outcomes = await compare(subjects, servers, options);
      for (const outcome of outcomes) print(outcome, options.embedded);
      printDepth(outcomes);
    }
  } finally {
    for (const server of servers) await server.stop().catch((error) => console.error(error));
    await prepared?.stop();
    await rm(data_dir, { recursive: true, force: true });
  }
}

// The benchmark of webhooks is a separate program with its own options, because it needs no seeded
// server.
const started = process.argv.includes('webhooks') ? import('./webhooks') : main(readOptions(process.argv.slice(2)));
started.catch((error) => {
  console.error(error);
  process.exit(1);
});
