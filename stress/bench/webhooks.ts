/**
 * `npx tsx stress/bench/webhooks.ts [--events=N] [--rounds=N]`: measures sending events to a
 * receiver on this machine. Alternates the product (outbox, relay, embedded engine, delivery) with
 * a plain loop (claim due rows, sign, POST, update) on the same embedded PostgreSQL. Also measures
 * the product with one endpoint and with many (--endpoints=200), and the latency from commit to
 * receipt when idle and while another endpoint drops 20,000 deliveries (--dead=N). With
 * DATABASE_URL it uses that server.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Agent, request } from 'undici';
import { type DurableWorkRuntime, startDurableWorkRuntime } from '../../inngest/start';
import { setConfig } from '../../src/config';
import { relayEventBatch } from '../../src/events/relay';
import { Prisma } from '../../src/generated/prisma/client';
import { closeDatabase, systemDb } from '../../src/infra/db/client';
import { openDatabase } from '../../src/infra/db/open';
import { createEndpoint } from '../../src/modules/webhooks/service';
import { newId } from '../../src/shared/ids';
import type { Scope } from '../../src/shared/scope';
import { clearDatabase, commitTestEvent, insertTeam } from '../../src/testing/team';
import { computeMinMedianAndMax } from './lib/measure';
import { readNumberOption } from './lib/options';

/**
 * Number of concurrent requests of `plainLoop`, with which the product is compared. The product
 * uses the same number for one healthy endpoint.
 */
const BATCH = 32;
const TARGET = 0.5;
const IDLE_TARGET_MS = 60;

/**
 * The receiver runs in a separate thread, so that it does not take processor time from the sender.
 * Shared memory contains the number of received requests and the time of the last one.
 */
const RECEIVER = `
  const { createServer } = require('node:http');
  const { parentPort, workerData } = require('node:worker_threads');
  const count = new Int32Array(workerData);
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      Atomics.add(count, 0, 1);
      Atomics.notify(count, 0);
      response.writeHead(200).end();
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

interface BenchReceiver {
  url: string;
  count(): number;
  reset(): void;
  /** Resolves once this many requests have been received. */
  reached(wanted: number): Promise<void>;
  stop(): Promise<number>;
}

async function startReceiver(): Promise<BenchReceiver> {
  const shared = new SharedArrayBuffer(4);
  const count = new Int32Array(shared);
  const worker = new Worker(RECEIVER, { eval: true, workerData: shared });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  return {
    url: `http://127.0.0.1:${port}/hook`,
    count: () => Atomics.load(count, 0),
    reset: () => void Atomics.store(count, 0, 0),
    async reached(wanted) {
      for (let seen = Atomics.load(count, 0); seen < wanted; seen = Atomics.load(count, 0)) {
        const waiting = Atomics.waitAsync(count, 0, seen, 60_000);
        if (waiting.async && (await waiting.value) === 'timed-out')
          throw new Error(`Only ${seen} of ${wanted} arrived.`);
      }
    },
    stop: () => worker.terminate(),
  };
}

/**
 * Inserts events like the product's own with a single statement, because writing them one by one
 * would take too long.
 */
async function insertEvents(scope: Scope, count: number): Promise<void> {
  const data = { object: { id: 'prop_1', object: 'property', name: 'Casa Azul', note: 'x'.repeat(700) } };
  const now = new Date();
  for (let from = 0; from < count; from += 1_000) {
    await systemDb().event.createMany({
      data: Array.from({ length: Math.min(1_000, count - from) }, (_, index) => {
        const id = newId('event');
        const sequence = from + index + 1;
        const head = { id, object: 'event', type: 'property.updated', created_at: now.toISOString(), livemode: true };
        const body = JSON.stringify({ ...head, sequence, data });
        const { team_id, mode } = scope;
        return { id, team_id, mode, type: 'property.updated', object_id: 'prop_1', sequence, body, created_at: now };
      }),
    });
  }
}

/** Returns the number of deliveries without a stored result. */
const pending = () => systemDb().webhookDelivery.count({ where: { status: 'pending' } });

async function untilStored(): Promise<void> {
  while ((await pending()) > 0) await sleep(5);
}

/** Runs the product from events in the outbox to stored results. */
async function product(receiver: BenchReceiver, events: number): Promise<{ seconds: number; steps: number }> {
  const work = await startWork();
  const started = performance.now();
  const relayed = work.relay.run();
  await receiver.reached(events);
  await untilStored();
  const seconds = (performance.now() - started) / 1000;
  await relayed;
  const steps = await systemDb().engineStep.count();
  await work.stop();
  return { seconds, steps };
}

const startWork = (): Promise<DurableWorkRuntime> => startDurableWorkRuntime();

interface Due {
  id: string;
  event_id: string;
  body: string;
}

/**
 * Runs the plain loop on one endpoint. The loop has no leases, retries, counters or address checks.
 * Its delivery rows already exist.
 */
async function plainLoop(receiver: BenchReceiver): Promise<{ seconds: number }> {
  while ((await relayEventBatch(async () => {})) > 0);
  const agent = new Agent({ connections: BATCH });
  const started = performance.now();
  for (;;) {
    const due = await systemDb().$queryRaw<Due[]>(Prisma.sql`
      UPDATE webhook_deliveries d SET lease_token = 'plain', lease_until = now() + interval '30 seconds'
      FROM (SELECT id FROM webhook_deliveries WHERE status = 'pending' AND due_at <= now() AND lease_until IS NULL
            ORDER BY due_at, id LIMIT ${BATCH}::int FOR UPDATE SKIP LOCKED) q, events e
      WHERE d.id = q.id AND e.id = d.event_id
      RETURNING d.id, d.event_id, e.body`);
    if (due.length === 0) break;
    const done = await Promise.all(due.map((row) => post(agent, receiver.url, row)));
    await systemDb().$executeRaw(Prisma.sql`
      UPDATE webhook_deliveries d SET status = 'succeeded', status_code = r.status, delivered_at = now(), lease_until = NULL
      FROM jsonb_to_recordset(${JSON.stringify(done)}::jsonb) AS r(id text, status int) WHERE d.id = r.id`);
  }
  const seconds = (performance.now() - started) / 1000;
  await agent.close();
  return { seconds };
}

async function post(
  dispatcher: Agent,
  url: string,
  { id, event_id, body }: Due,
): Promise<{ id: string; status: number }> {
  const t = Math.floor(Date.now() / 1000);
  const v1 = createHmac('sha256', 'a secret').update(`${t}.${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'service-signature': `t=${t},v1=${v1}`,
    'service-event-id': event_id,
  };
  const response = await request(url, { dispatcher, method: 'POST', headers, body });
  await response.body.dump();
  return { id, status: response.statusCode };
}

/** Returns the milliseconds from an event's commit to its receipt on an idle system. */
async function idleLatency(scope: Scope, receiver: BenchReceiver): Promise<number[]> {
  const work = await startWork();
  await sleep(500);
  receiver.reset();
  const times: number[] = [];
  for (let index = 1; index <= 60; index++) {
    await commitTestEvent(scope, 'property.updated', { id: 'prop_1' });
    const committed = performance.now();
    await receiver.reached(index);
    times.push(performance.now() - committed);
    await sleep(300 + Math.random() * 100);
  }
  await work.stop();
  // The first events are a warm-up.
  return times.slice(10);
}

/**
 * Returns how long each measured event takes from commit to receipt, in milliseconds, while the
 * endpoint of another team drops connections and has many pending deliveries. With `due`, the other
 * team's events are relayed before the start, so that all its deliveries are due. Without `due`,
 * its events still wait to be relayed.
 */
async function latencyWithFailingEndpoint(
  receiver: BenchReceiver,
  deliveries: number,
  due: boolean,
): Promise<number[]> {
  const dead = createServer((socket) => socket.destroy());
  await new Promise<void>((listening) => dead.listen(0, '127.0.0.1', listening));
  const scope = await prepare(receiver);
  const other = await insertTeam('live', 'dead@example.com');
  const { port } = dead.address() as AddressInfo;
  await createEndpoint(other, { url: `http://127.0.0.1:${port}/hook`, events: ['*'] });
  await insertEvents(other, deliveries);
  if (due) while ((await relayEventBatch(async () => {})) > 0);
  const work = await startWork();
  const relayed = work.relay.run();
  const times: number[] = [];
  for (let index = 1; index <= 60; index++) {
    await commitTestEvent(scope, 'property.updated', { id: 'prop_1' });
    const committed = performance.now();
    await receiver.reached(index);
    times.push(performance.now() - committed);
    await sleep(200);
  }
  await relayed;
  await work.stop();
  dead.close();
  return times;
}

/** Creates teams with one endpoint each. */
async function prepareMany(receiver: BenchReceiver, endpoints: number): Promise<Scope[]> {
  await clearDatabase();
  receiver.reset();
  const scopes: Scope[] = [];
  for (let index = 0; index < endpoints; index++) {
    const scope = await insertTeam('live', `owner${index}@example.com`);
    await createEndpoint(scope, { url: `${receiver.url}/${index}`, events: ['*'] });
    scopes.push(scope);
  }
  await systemDb().webhookEndpoint.updateMany({ data: { created_at: new Date(0), last_success_at: new Date(0) } });
  return scopes;
}

const prepare = async (receiver: BenchReceiver): Promise<Scope> => (await prepareMany(receiver, 1))[0] as Scope;

/**
 * Sends the same number of events to one endpoint and to many endpoints, alternately. Returns
 * deliveries per second.
 */
async function oneAndMany(receiver: BenchReceiver, events: number, rounds: number, endpoints: number) {
  const rates = { one: [] as number[], many: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? (['one', 'many'] as const) : (['many', 'one'] as const)) {
      const scopes = await prepareMany(receiver, side === 'one' ? 1 : endpoints);
      const each = Math.floor(events / scopes.length);
      for (const scope of scopes) await insertEvents(scope, each);
      rates[side].push((each * scopes.length) / (await product(receiver, each * scopes.length)).seconds);
    }
  }
  return rates;
}

async function main(): Promise<void> {
  const [events, rounds] = [readNumberOption('events', 5_000), readNumberOption('rounds', 4)];
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
    console.log(`${events} events, ${rounds} rounds, ${where}, node ${process.version}, ${cpus().length} cores`);
    const rates = { product: [] as number[], plain: [] as number[] };
    const cpu_ms = { product: [] as number[], plain: [] as number[] };
    let steps = 0;
    for (let round = 0; round < rounds; round++) {
      // The order alternates, so that other work on the machine affects both sides equally.
      for (const side of round % 2 === 0 ? (['product', 'plain'] as const) : (['plain', 'product'] as const)) {
        const scope = await prepare(receiver);
        await insertEvents(scope, events);
        const before = process.cpuUsage();
        if (side === 'plain') rates.plain.push(events / (await plainLoop(receiver)).seconds);
        else {
          const outcome = await product(receiver, events);
          rates.product.push(events / outcome.seconds);
          steps = Math.max(steps, outcome.steps);
        }
        const { user, system } = process.cpuUsage(before);
        cpu_ms[side].push((user + system) / 1000 / events);
      }
    }
    const per_s = (values: number[]) => {
      const { min, median, max } = computeMinMedianAndMax(values);
      return `${median.toFixed(0)} (${min.toFixed(0)} to ${max.toFixed(0)}) deliveries/s`;
    };
    const ratio = computeMinMedianAndMax(rates.product.map((rate, index) => rate / (rates.plain[index] ?? Number.NaN)));
    console.log(`\nwebhooks: ${events} events in the outbox, to stored results`);
    console.log(
      `  product    ${per_s(rates.product)}, ${computeMinMedianAndMax(cpu_ms.product).median.toFixed(2)} ms of CPU each; ${steps} engine steps`,
    );
    console.log(
      `  plain loop ${per_s(rates.plain)}, ${computeMinMedianAndMax(cpu_ms.plain).median.toFixed(2)} ms of CPU each`,
    );
    console.log(
      `  ratio      ${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)})   target ${TARGET}: ${ratio.median >= TARGET ? 'reached' : 'NOT reached'}`,
    );
    const many = readNumberOption('endpoints', 200);
    const { one, many: spread_out } = await oneAndMany(receiver, events, rounds, many);
    const sides = computeMinMedianAndMax(spread_out.map((rate, index) => rate / (one[index] ?? Number.NaN)));
    console.log(`\n${events} events to ${many} endpoints at once, compared with as many to one`);
    console.log(`  one  ${per_s(one)}\n  many ${per_s(spread_out)}`);
    console.log(`  ratio ${sides.median.toFixed(2)} (${sides.min.toFixed(2)} to ${sides.max.toFixed(2)})`);
    const idle = computeMinMedianAndMax(await idleLatency(await prepare(receiver), receiver));
    console.log(`\nidle latency: commit to receipt`);
    console.log(
      `  median ${idle.median.toFixed(1)} ms (${idle.min.toFixed(1)} to ${idle.max.toFixed(1)})   target ${IDLE_TARGET_MS} ms: ${idle.median < IDLE_TARGET_MS ? 'reached' : 'NOT reached'}`,
    );
    const dead = readNumberOption('dead', 20_000);
    console.log(`\ncommit to receipt during ${dead} deliveries to an endpoint that hangs up`);
    for (const due of [true, false]) {
      const latency = computeMinMedianAndMax(await latencyWithFailingEndpoint(receiver, dead, due));
      const when = due ? 'that are due  ' : 'in the outbox ';
      console.log(`  ${when} median ${latency.median.toFixed(0)} ms, at most ${latency.max.toFixed(0)} ms`);
    }
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
