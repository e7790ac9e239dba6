/**
 * `npm run inngest:stand-in`: the real server beside a stand-in for an Inngest server that loses its state, and what the
 * product does about it, minute by minute (docs/durable-work.md). It takes about five minutes: the product's own times.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { InngestStandIn } from '../inngest/testing/stand-in';
import { startTestServer } from '../src/testing/server';

const SIGNING_KEY = 'signkey-prod-0123456789abcdef0123456789abcdef';
/** Two crons missed, the look after it, and some more for a busy machine. */
const NOTICED_WITHIN_S = 180;

const began = performance.now();
const say = (line: string) =>
  console.log(`  ${((performance.now() - began) / 1_000).toFixed(1).padStart(6)} s  ${line}`);

const stand_in = await InngestStandIn.start(SIGNING_KEY);
// What it knows, it calls: the cron of each minute.
const crons = setInterval(() => {
  void stand_in.call('threshold-recover', 'inngest/scheduled.timer').catch(() => {});
}, 20_000);
const server = await startTestServer({
  env: { INNGEST_BASE_URL: stand_in.url, INNGEST_EVENT_KEY: 'event-key', INNGEST_SIGNING_KEY: SIGNING_KEY },
});

async function readyz(): Promise<{ warns: boolean; text: string }> {
  const response = await fetch(`${server.url}/readyz`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`/readyz answered ${response.status}: ${text}`);
  return { warns: JSON.parse(text).warnings.length > 0, text };
}

async function until(what: string, holds: () => Promise<boolean> | boolean, within_s: number): Promise<void> {
  const from = performance.now();
  while (!(await holds())) {
    if (performance.now() - from > within_s * 1_000)
      throw new Error(`Not within ${within_s} s: ${what}. /readyz: ${(await readyz()).text}`);
    await sleep(250);
  }
  say(`${what} (after ${((performance.now() - from) / 1_000).toFixed(1)} s)`);
}

try {
  await until('the functions are registered', () => stand_in.app_url !== null, 30);
  await until('/readyz warns of nothing', async () => !(await readyz()).warns, 60);
  stand_in.loseState();
  stand_in.failing = 2;
  say('the stand-in has lost its state, and answers 502 to the next two requests');
  await until('/readyz warns', async () => (await readyz()).warns, NOTICED_WITHIN_S);
  say(`/readyz: ${(await readyz()).text}`);
  await until('the functions are registered again', () => stand_in.app_url !== null, 60);
  await until('/readyz warns of nothing', async () => !(await readyz()).warns, 60);
  say(`${stand_in.registrations().length} registrations were asked for`);
} finally {
  clearInterval(crons);
  await server.stop();
  stand_in.close();
}
