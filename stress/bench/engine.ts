/**
 * `npx tsx stress/bench/engine.ts [--few=1000] [--many=100000]`: measures how sleeping runs affect
 * the embedded engine on the embedded PostgreSQL. Alternates a due run among few sleeping runs with
 * one among many, and measures the processor time of an otherwise idle process.
 */

import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inngest } from 'inngest';
import { serve } from 'inngest/edge';
import { Engine } from '../../inngest/engine/engine';
import { createSqlDbOnPglite } from '../../inngest/engine/testing/harness';
import { openPglite } from '../../src/infra/db/driver/pglite';
import { computeMinMedianAndMax } from './lib/measure';
import { readNumberOption } from './lib/options';

const ROUNDS = 4;
const CLAIMS = 100;
const IDLE_MS = 30_000;
const KEYS = { signing_key: 'signkey-bench-0123456789abcdef', event_key: 'bench' };
const tables = readFileSync(new URL('../../inngest/engine/testing/tables.sql', import.meta.url), 'utf8');
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Creates an engine with this many delayed runs. They have as many different keys as the product
 * would have endpoints.
 */
async function prepare(sleeping: number) {
  const lite = await openPglite();
  await lite.exec(tables);
  let done: () => void = () => {};
  const client = new Inngest({
    id: 'bench',
    isDev: false,
    checkpointing: false,
    signingKey: KEYS.signing_key,
    eventKey: KEYS.event_key,
    logger: silent,
  });
  const fn = client.createFunction(
    { id: 'f', retries: 0, triggers: [{ event: 'go' }], concurrency: { limit: 1, key: 'event.data.endpoint' } },
    () => done(),
  );
  const engine = new Engine({
    db: createSqlDbOnPglite(lite),
    handler: serve({ client, functions: [fn] }),
    serve_url: 'http://localhost/api/inngest',
    ...KEYS,
    clock: { now: () => new Date() },
    logger: silent,
    exclusive: true,
  });
  await engine.start();
  const days = 86_400_000;
  for (let from = 0; from < sleeping; from += 1_000) {
    await engine.send(
      Array.from({ length: Math.min(1_000, sleeping - from) }, (_, n) => ({
        name: 'go',
        data: { endpoint: (from + n) % 5_000 },
        ts: Date.now() + days + from + n,
      })),
    );
  }
  await lite.exec('VACUUM ANALYZE');
  return {
    /** Returns the milliseconds from sending the event to the function's call. */
    async claim(n: number): Promise<number> {
      const called = new Promise<void>((resolve) => {
        done = resolve;
      });
      const began = performance.now();
      await engine.send({ name: 'go', data: { endpoint: `due ${n}` } });
      await called;
      return performance.now() - began;
    },
    /** Returns the share of one processor core that the process uses while the engine is idle. */
    async idle(): Promise<number> {
      await sleep(2_000);
      const [before, began] = [process.cpuUsage(), performance.now()];
      await sleep(IDLE_MS);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000 / (performance.now() - began);
    },
    async close() {
      await engine.stop();
      await lite.close();
    },
  };
}

const [few, many] = [readNumberOption('few', 1_000), readNumberOption('many', 100_000)];
const times: number[][] = [[], []];
const sides: Awaited<ReturnType<typeof prepare>>[] = [];
let before = 0;
for (const sleeping of [0, few, many]) {
  const side = await prepare(sleeping);
  sides.push(side);
  // The engines of the previous measurements are still running idle, so the processor time that
  // they use is subtracted.
  const all = await side.idle();
  console.log(`${sleeping} sleeping things: ${((all - before) * 100).toFixed(2)} % of a core`);
  before = all;
}
await sides.shift()?.close();
for (let round = 0; round < ROUNDS; round++) {
  for (const which of round % 2 === 0 ? [0, 1] : [1, 0]) {
    for (let n = 0; n < CLAIMS; n++) {
      const ms = (await sides[which]?.claim(round * CLAIMS + n)) ?? Number.NaN;
      // The first round is a warm-up and is not measured.
      if (round > 0) times[which]?.push(ms);
    }
  }
}
const [a, b] = times.map((side) => computeMinMedianAndMax(side));
console.log(`a due one, sent to called: ${few}: ${a?.median.toFixed(2)} ms; ${many}: ${b?.median.toFixed(2)} ms`);
console.log(
  `ratio of the medians ${((b?.median ?? 0) / (a?.median ?? 1)).toFixed(2)}; load average ${loadavg()[0]?.toFixed(1)}`,
);
for (const side of sides) await side.close();
