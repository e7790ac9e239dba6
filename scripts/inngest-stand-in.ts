/**
 * `npm run inngest:stand-in`: runs the real server with a fake Inngest server that fails in every
 * way in turn. The product's own time limits apply. Prints when `/readyz` warned of each fault and
 * when the warning ended, for the table in docs/durable-work.md. Exits with 1 when a fault was
 * detected too late, when the warning named the wrong fault, or when a request was refused during a
 * fault.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { FakeInngestServer } from '../inngest/testing/stand-in';
import { startTestServer } from '../src/testing/server';

const SIGNING_KEY = 'signkey-prod-0123456789abcdef0123456789abcdef';
const NOTICED_WITHIN_S = 35;
const RECOVERED_WITHIN_S = 60;

const stand_in = await FakeInngestServer.start(SIGNING_KEY);
stand_in.drives = true;
const server = await startTestServer({
  env: { INNGEST_BASE_URL: stand_in.url, INNGEST_EVENT_KEY: 'event-key', INNGEST_SIGNING_KEY: SIGNING_KEY },
});

interface Fault {
  name: string;
  /** A pattern that the warning must match. */
  names: RegExp;
  begin(): void;
  end(): void;
}

const FAULTS: Fault[] = [
  {
    name: 'answers 502 to everything, and does not call',
    names: /did not register|refuses events/,
    begin() {
      stand_in.failing = Number.POSITIVE_INFINITY;
      stand_in.reaches = false;
    },
    end() {
      stand_in.failing = 0;
      stand_in.reaches = true;
    },
  },
  {
    name: 'refuses the event key',
    names: /INNGEST_EVENT_KEY/,
    begin() {
      stand_in.takes_events = false;
    },
    end() {
      stand_in.takes_events = true;
    },
  },
  {
    name: 'has another signing key: refuses registrations',
    names: /INNGEST_SIGNING_KEY/,
    begin() {
      stand_in.refuses_registration = true;
    },
    end() {
      stand_in.refuses_registration = false;
    },
  },
  {
    name: 'signs its calls with another key',
    names: /INNGEST_SIGNING_KEY/,
    begin() {
      stand_in.signing_key = `signkey-prod-${'ab'.repeat(16)}`;
    },
    end() {
      stand_in.signing_key = SIGNING_KEY;
    },
  },
  {
    name: 'takes everything and reaches no instance',
    names: /INNGEST_SERVE_ORIGIN/,
    begin() {
      stand_in.reaches = false;
    },
    end() {
      stand_in.reaches = true;
    },
  },
];

async function readyz(): Promise<string> {
  const response = await fetch(`${server.url}/readyz`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`/readyz answered ${response.status}: ${text}`);
  return (JSON.parse(text) as { warnings: string[] }).warnings.join(' ');
}

/** Waits until the condition holds. Returns the number of seconds that this took. */
async function until(what: string, holds: () => Promise<boolean>, within_s: number): Promise<string> {
  const from = performance.now();
  while (!(await holds())) {
    if (performance.now() - from > within_s * 1_000)
      throw new Error(`Not within ${within_s} s: ${what}. /readyz: ${await readyz()}`);
    await sleep(100);
  }
  return ((performance.now() - from) / 1_000).toFixed(1);
}

try {
  await until('nothing is wrong', async () => (await readyz()) === '', RECOVERED_WITHIN_S);
  for (const { name, names, begin, end } of FAULTS) {
    begin();
    const noticed = await until(name, async () => names.test(await readyz()), NOTICED_WITHIN_S);
    end();
    const recovered = await until(`${name}: recovered`, async () => (await readyz()) === '', RECOVERED_WITHIN_S);
    console.log(`| ${name} | ${noticed} s | ${recovered} s |`);
  }
  const before = stand_in.registrations().length;
  stand_in.loseState();
  const asked = await until('registered again', async () => stand_in.app_url !== null, NOTICED_WITHIN_S);
  console.log(
    `| lost its state | registered again after ${asked} s | ${stand_in.registrations().length - before} request |`,
  );
} finally {
  await server.stop();
  stand_in.close();
}
