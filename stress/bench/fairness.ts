/**
 * `npx tsx stress/bench/fairness.ts [--teams=N] [--seconds=N] [--backlog=N] [--rounds=N]`: many
 * teams write events steadily, each to its own endpoint. They do so first alone, and then while
 * another team has a backlog in the outbox. Prints the time from commit to receipt in both
 * situations, and their ratio. Uses the embedded database, or the server in DATABASE_URL.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { startDurableWorkRuntime } from '../../inngest/start';
import { setConfig } from '../../src/config';
import { closeDatabase, systemDb } from '../../src/infra/db/client';
import { openDatabase } from '../../src/infra/db/open';
import { createEndpoint } from '../../src/modules/webhooks/service';
import { newId } from '../../src/shared/ids';
import type { Scope } from '../../src/shared/scope';
import { clearDatabase, commitTestEvent, insertTeam } from '../../src/testing/team';
import { readNumberOption } from './lib/options';

/** The maximum ratio of p95 with the backlog to p95 without it, for the other teams. */
const TARGET = 1.5;
/** Average time in milliseconds between a team's events. */
const PAUSE_MS = 2_000;
/** Number of past events of each team. */
const HISTORY = 100;

/**
 * The receiver runs in a separate thread, so that it does not take processor time from the sender.
 * It reports ids with their time of receipt.
 */
const RECEIVER = `
  const { createServer } = require('node:http');
  const { parentPort } = require('node:worker_threads');
  const server = createServer((request, response) => {
    const at = performance.timeOrigin + performance.now();
    request.resume();
    request.on('end', () => {
      if (request.url !== '/backlog') parentPort.postMessage([request.headers['service-event-id'], at]);
      response.writeHead(200).end();
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

interface Receiver {
  url: string;
  /** The time of each event's first arrival, by event id. */
  readonly received: Map<string, number>;
  stop(): Promise<number>;
}

async function startReceiver(): Promise<Receiver> {
  const worker = new Worker(RECEIVER, { eval: true });
  const received = new Map<string, number>();
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  worker.on('message', ([id, at]: [string, number]) => {
    if (!received.has(id)) received.set(id, at);
  });
  return { url: `http://127.0.0.1:${port}`, received, stop: () => worker.terminate() };
}

/**
 * Inserts events like the product's own with a single statement, because writing them one by one
 * would take too long.
 */
async function insertBacklog({ team_id, mode }: Scope, count: number): Promise<void> {
  const data = { object: { id: 'prop_1', object: 'property', name: 'Casa Azul', note: 'x'.repeat(700) } };
  const now = new Date();
  for (let from = 0; from < count; from += 1_000) {
    await systemDb().event.createMany({
      data: Array.from({ length: Math.min(1_000, count - from) }, (_, index) => {
        const [id, sequence] = [newId('event'), from + index + 1];
        const head = { id, object: 'event', type: 'property.updated', created_at: now.toISOString(), livemode: true };
        const body = JSON.stringify({ ...head, sequence, data });
        return { id, team_id, mode, type: 'property.updated', object_id: 'prop_1', sequence, body, created_at: now };
      }),
    });
  }
}

/** Inserts past events that are already delivered. */
async function insertHistory(scope: Scope): Promise<void> {
  await insertBacklog(scope, HISTORY);
  await systemDb().$executeRaw`UPDATE events SET relayed_at = created_at WHERE team_id = ${scope.team_id}`;
  await systemDb()
    .$executeRaw`INSERT INTO event_counters (team_id, mode, value) VALUES (${scope.team_id}, 'live', ${HISTORY})
    ON CONFLICT (team_id, mode) DO UPDATE SET value = ${HISTORY}`;
  await systemDb().$executeRaw`
    INSERT INTO webhook_deliveries (id, team_id, mode, event_id, endpoint_id, event_type, attempt_number, delivery_began_at,
      due_at, created_at, status, attempted_at, delivered_at, status_code)
    SELECT 'd' || v.id, v.team_id, v.mode, v.id, e.id, v.type, 1, v.created_at, v.created_at, v.created_at, 'succeeded',
      v.created_at, v.created_at, 200
    FROM events v JOIN webhook_endpoints e ON e.team_id = v.team_id WHERE v.team_id = ${scope.team_id}`;
}

/**
 * Writes events for the given number of seconds. Returns the milliseconds from commit to receipt of
 * each event.
 */
async function writeSteadily(scopes: readonly Scope[], receiver: Receiver, seconds: number): Promise<number[]> {
  const committed = new Map<string, number>();
  const until = performance.now() + seconds * 1_000;
  await Promise.all(
    scopes.map(async (scope, index) => {
      await sleep((index / scopes.length) * PAUSE_MS);
      while (performance.now() < until) {
        const id = await commitTestEvent(scope, 'property.updated', { id: 'prop_1' });
        committed.set(id, performance.timeOrigin + performance.now());
        await sleep(PAUSE_MS * (0.5 + Math.random()));
      }
    }),
  );
  const deadline = performance.now() + 120_000;
  while ([...committed.keys()].some((id) => !receiver.received.has(id))) {
    if (performance.now() > deadline) throw new Error('Not all events arrived within two minutes.');
    await sleep(20);
  }
  return [...committed].map(([id, at]) => Math.max(0, (receiver.received.get(id) as number) - at));
}

async function measure(receiver: Receiver, teams: number, seconds: number, backlog: number): Promise<number[]> {
  await clearDatabase();
  const scopes: Scope[] = [];
  for (let index = 0; index < teams; index++) {
    const scope = await insertTeam('live', `owner${index}@example.com`);
    await createEndpoint(scope, { url: `${receiver.url}/${index}`, events: ['*'] });
    scopes.push(scope);
  }
  const busy = await insertTeam('live', 'busy@example.com');
  await createEndpoint(busy, { url: `${receiver.url}/backlog`, events: ['*'] });
  // Endpoints with a history of success get many concurrent attempts.
  await systemDb().webhookEndpoint.updateMany({ data: { created_at: new Date(0), last_success_at: new Date(0) } });
  for (const scope of scopes) await insertHistory(scope);
  // PostgreSQL's statistics date from before the backlog, as in a real installation.
  await systemDb().$executeRaw`ANALYZE`;
  const work = await startDurableWorkRuntime();
  await writeSteadily(scopes, receiver, 3);
  if (backlog > 0) await insertBacklog(busy, backlog);
  const times = await writeSteadily(scopes, receiver, seconds);
  if (backlog > 0) {
    const left = await systemDb().webhookDelivery.count({ where: { team_id: busy.team_id, status: 'succeeded' } });
    console.log(`    meanwhile ${left} of ${backlog} of the backlog were delivered`);
  }
  await work.stop();
  return times;
}

const quantile = (values: number[], q: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? Number.NaN;

async function main(): Promise<void> {
  const [teams, seconds, rounds] = [
    readNumberOption('teams', 20),
    readNumberOption('seconds', 15),
    readNumberOption('rounds', 3),
  ];
  const backlog = readNumberOption('backlog', 20_000);
  const data_dir = await mkdtemp(join(tmpdir(), 'threshold-bench-'));
  setConfig({
    data_dir,
    app_secret: randomBytes(32).toString('base64url'),
    log_level: 'warn',
    outbound_allow_loopback: true,
  });
  const receiver = await startReceiver();
  try {
    const { database } = await openDatabase();
    const where = database.pglite ? 'embedded PostgreSQL' : 'external PostgreSQL';
    console.log(
      `${teams} teams, ${seconds} s, ${rounds} rounds, ${where}, node ${process.version}, ${cpus().length} cores`,
    );
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const p95: Record<string, number> = {};
      for (const side of round % 2 === 0
        ? (['alone', 'with_backlog'] as const)
        : (['with_backlog', 'alone'] as const)) {
        const before = process.cpuUsage();
        const times = await measure(receiver, teams, seconds, side === 'alone' ? 0 : backlog);
        p95[side] = quantile(times, 0.95);
        const [median, high, max] = [0.5, 0.95, 1].map((q) => quantile(times, q).toFixed(0));
        console.log(
          `  ${side.padEnd(6)} median ${median} ms, p95 ${high} ms, at most ${max} ms (${times.length} events)`,
        );
        const { user, system } = process.cpuUsage(before);
        console.log(`    ${((user + system) / 1_000 / times.length).toFixed(1)} ms of processor time for each`);
      }
      ratios.push((p95.with_backlog as number) / (p95.alone as number));
    }
    const ratio = quantile(ratios, 0.5);
    console.log(
      `  p95 with a backlog of ${backlog} / alone: ${ratio.toFixed(2)} (${ratios.map((r) => r.toFixed(2)).join(', ')})`,
    );
    console.log(`  target ${TARGET}: ${ratio <= TARGET ? 'reached' : 'NOT reached'}`);
  } finally {
    await receiver.stop();
    await closeDatabase();
    await rm(data_dir, { recursive: true, force: true });
  }
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
