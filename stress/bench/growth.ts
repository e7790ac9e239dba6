/**
 * `npx tsx stress/bench/growth.ts [--rows=N] [--small-rows=N] [--requests=N] [--only=WORDS]`: measures
 * a read, a list, a deep page, the dashboard's search and home for a team with 1,000,000
 * reservations relative to a team with 10,000. Alternates the two in this process, on two databases
 * of one external PostgreSQL server. Both teams have been active for two years, so the large team
 * is a hundred times as busy.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { appRouter } from '@/api/router';
import { setConfig } from '@/config';
import { closeDatabase, type Database, setDatabaseOfProcess } from '@/infra/db/client';
import { connectExternalDatabase } from '@/infra/db/driver/connect';
import { migrateExternalDatabase } from '@/infra/db/opening/external-migrations';
import type { Scope } from '@/shared/scope';
import { seedEvents } from './lib/dependent-rows';
import { computeMinMedianAndMax } from './lib/measure';
import { readNumberOption, readTextOption } from './lib/options';
import { startOrConnectBenchPostgres, withConnectedPostgresClient } from './lib/postgres';
import { type SeededData, seedBenchDatabase } from './lib/seed';

const TARGET = 1.2;
const TEAM = 'team_bench000000000000000000a';
const WARM_UP = 20;

interface Side {
  rows: number;
  database: Database;
  seeded: SeededData;
  host: ReturnType<typeof appRouter.createCaller>;
  partner: ReturnType<typeof appRouter.createCaller>;
}

async function prepare(server: string, rows: number): Promise<Side> {
  const name = `growth_${rows}_${process.pid}`;
  await withConnectedPostgresClient(server, (client) => client.query(`create database ${name}`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  await migrateExternalDatabase(url.href, join(process.cwd(), 'prisma/migrations'));
  const seeded = await withConnectedPostgresClient(url.href, async (client) => {
    const made = await seedBenchDatabase(client, rows);
    await seedEvents(client, TEAM);
    return made;
  });
  // Each database needs its own scope object, because caches are keyed by it.
  const scope: Scope = { team_id: TEAM, mode: 'live', actor: { kind: 'system', name: 'bench' } };
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
    name: 'Bench',
    email: 'b@example.com',
    role: 'owner',
    session_id: 'sess_bench',
  } as const;
  return {
    rows,
    database: connectExternalDatabase(url.href, { patient: true }),
    seeded,
    host: appRouter.createCaller({ ...context, surface: 'dashboard', user }),
    partner: appRouter.createCaller({ ...context, surface: 'rest', user: null }),
  };
}

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;
const number = (below: number) => 1 + Math.floor(Math.random() * below);
const sort = { by: 'checkin', descending: false } as const;

const CASES: Record<string, (side: Side) => Promise<unknown>> = {
  read: ({ partner, seeded }) => partner.reservations.retrieve({ id: pick(seeded.reservation_ids) }),
  'list, first page': ({ partner }) => partner.reservations.list({ limit: 25, status: 'sent' }),
  'list, deep page': ({ partner, seeded }) =>
    partner.reservations.list({ limit: 25, status: 'sent', starting_after: seeded.deep_cursor }),
  'dashboard’s list': ({ host, seeded }) =>
    host.reservations.list({ limit: 25, sort, starting_after: pick(seeded.reservation_ids) }),
  'search: a booking code': ({ host, rows }) =>
    host.reservations.list({ limit: 25, sort, search: `HM${number(rows)}` }),
  'search: a word in every row': ({ host }) => host.reservations.list({ limit: 25, sort, search: 'guest' }),
  'palette: a booking code': ({ host, rows }) => host.search.everything({ text: `HM${number(rows)}` }),
  'home: activity': ({ host }) => host.home.activity({ timezone: 'Europe/Lisbon' }),
  'home: what waits': ({ host }) => host.reservations.list({ limit: 5, attention: 'address_missing', sort }),
  'home: first steps and plan': ({ host }) => Promise.all([host.home.first_steps(), host.home.usage()]),
};

async function main(): Promise<void> {
  const requests = readNumberOption('requests', 60);
  const only = readTextOption('only');
  const postgres = await startOrConnectBenchPostgres();
  try {
    setConfig({ app_secret: randomBytes(32).toString('base64url'), log_level: 'silent', database_url: postgres.url });
    const sides = [];
    for (const rows of [readNumberOption('small-rows', 10_000), readNumberOption('rows', 1_000_000)])
      sides.push(await prepare(postgres.url, rows));
    console.log(
      `PostgreSQL ${postgres.version}, node ${process.version}: ${sides.map(({ rows }) => rows).join(' and ')} reservations`,
    );
    let over = 0;
    for (const [name, ask] of Object.entries(CASES)) {
      if (only && !name.includes(only)) continue;
      const took = sides.map((): number[] => []);
      for (let turn = -WARM_UP; turn < requests; turn++) {
        for (const [at, side] of sides.entries()) {
          setDatabaseOfProcess(side.database);
          const started = performance.now();
          await ask(side);
          if (turn >= 0) took[at]?.push(performance.now() - started);
        }
      }
      const [small = Number.NaN, large = Number.NaN] = took.map((times) => computeMinMedianAndMax(times).median);
      const ratio = large / small;
      if (ratio > TARGET) over++;
      console.log(
        `${name.padEnd(28)} ${small.toFixed(1)} ms, ${large.toFixed(1)} ms: ${ratio.toFixed(2)}${ratio > TARGET ? '   over' : ''}`,
      );
    }
    for (const { database } of sides) {
      setDatabaseOfProcess(database);
      await closeDatabase();
    }
    if (over > 0) throw new Error(`${over} cases take more than ${TARGET} times as long.`);
  } finally {
    await postgres.stop();
  }
}

await main();
