/**
 * Tests with a real Inngest server. `INNGEST_SERVER` names its program, which the tests start and
 * kill. `INNGEST_BASE_URL`, with `INNGEST_EVENT_KEY` and `INNGEST_SIGNING_KEY`, is the address of a
 * running server. The tests that kill the server or change its keys are then skipped. Without
 * either variable this whole file is skipped. server-mode.test.ts always runs, with a fake server.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { createEndpoint } from '@/modules/webhooks/service';
import { checkReadiness } from '@/operator/health/readiness';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { type RawHttpReceiver, startRawHttpReceiver } from '@/testing/raw-receiver';
import { findFreePort } from '@/testing/server';
import { clearDatabase, commitTestEvent, insertTeam } from '@/testing/team';
import { waitUntil } from './engine/testing/harness';
import { type DurableWorkRuntime, startDurableWorkRuntime } from './start';

const program = process.env.INNGEST_SERVER;
const running_at = process.env.INNGEST_BASE_URL;
const given: Partial<NodeJS.ProcessEnv> = program ? {} : process.env;
const KEYS = {
  event_key: given.INNGEST_EVENT_KEY ?? '0123456789abcdef',
  signing_key: given.INNGEST_SIGNING_KEY ?? '0123456789abcdef0123456789abcdef',
};
const LONG_MS = 120_000;
const NAME = 'a real Inngest server';
const title = program || running_at ? NAME : `${NAME} (skipped: neither INNGEST_SERVER nor INNGEST_BASE_URL is set)`;

describe.skipIf(!program && !running_at)(title, () => {
  let folder: string;
  let port: number;
  let inngest: ChildProcess | undefined;
  let app: Server;
  let work: DurableWorkRuntime;
  let scope: Scope;
  let receiver: RawHttpReceiver;

  function startInngest(keys = KEYS): void {
    if (!program) return;
    const flags = { port, 'event-key': keys.event_key, 'signing-key': keys.signing_key, 'sqlite-dir': folder };
    const options = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
    inngest = spawn(program, ['start', '--no-ui', ...options], { stdio: 'ignore' });
  }
  async function killInngest(): Promise<void> {
    if (!inngest || inngest.exitCode !== null) return;
    inngest.kill('SIGKILL');
    await once(inngest, 'exit');
  }
  const problem = async () => (await checkReadiness()).warnings[0] ?? '';
  const healthy = async () => (await problem()) === '';

  beforeAll(openTestDatabase);
  afterAll(closeTestDatabase);
  beforeEach(async () => {
    await clearDatabase();
    folder = await mkdtemp(join(tmpdir(), 'threshold-inngest-'));
    port = await findFreePort();
    app = createServer((request, response) => void work.handler(request, response));
    app.listen(0, '127.0.0.1');
    await once(app, 'listening');
    setConfig({
      app_url: `http://127.0.0.1:${(app.address() as AddressInfo).port}`,
      webhook_retry_delays_ms: Array(9).fill(3_000),
      inngest: {
        base_url: program ? `http://127.0.0.1:${port}` : running_at,
        dashboard_url: undefined,
        signing_key_fallback: undefined,
        serve_origin: undefined,
        dev: false,
        ...KEYS,
      },
    });
    scope = await insertTeam();
    receiver = await startRawHttpReceiver();
    await createEndpoint(scope, { url: receiver.url, events: ['*'] });
    startInngest();
    work = await startDurableWorkRuntime();
  });
  afterEach(async () => {
    await work.stop();
    await killInngest();
    app.closeAllConnections();
    app.close();
    await receiver.close();
    setConfig({ inngest: null, webhook_retry_delays_ms: undefined });
    await rm(folder, { recursive: true, force: true });
  });

  it(
    'registers the functions, delivers and retries',
    async () => {
      receiver.answer((_request, response, index) => void response.writeHead(index === 0 ? 500 : 200).end());
      await waitUntil(healthy, 60_000);
      await commitTestEvent(scope);
      await waitUntil(() => receiver.requests.length === 2, 60_000);
    },
    LONG_MS,
  );

  it.skipIf(!program)(
    'delivers what was committed while the server was killed, once it is back',
    async () => {
      await waitUntil(healthy, 60_000);
      await killInngest();
      const event_id = await commitTestEvent(scope);
      await waitUntil(async () => !(await healthy()), 60_000);
      startInngest();
      await waitUntil(() => receiver.requests.length >= 1, 60_000);
      expect(receiver.requests[0]?.headers['service-event-id']).toBe(event_id);
    },
    LONG_MS,
  );

  it.skipIf(!program)(
    'that lost its state gets the functions and the waiting work again',
    async () => {
      receiver.answer((_request, response, index) => void response.writeHead(index === 0 ? 500 : 200).end());
      await waitUntil(healthy, 60_000);
      await commitTestEvent(scope);
      await waitUntil(() => receiver.requests.length === 1, 60_000);
      await killInngest();
      await rm(folder, { recursive: true, force: true });
      folder = await mkdtemp(join(tmpdir(), 'threshold-inngest-'));
      startInngest();
      await waitUntil(() => receiver.requests.length === 2, 60_000);
    },
    LONG_MS,
  );

  it.skipIf(!program).each([
    ['event key', { ...KEYS, event_key: 'fedcba9876543210' }, 'INNGEST_EVENT_KEY'],
    ['signing key', { ...KEYS, signing_key: 'fedcba9876543210fedcba9876543210' }, 'INNGEST_SIGNING_KEY'],
  ])(
    'with another %s makes the warning name the setting',
    async (_name, keys, setting) => {
      await waitUntil(healthy, 60_000);
      await killInngest();
      startInngest(keys);
      await waitUntil(async () => (await problem()).includes(setting), 60_000);
    },
    LONG_MS,
  );
});
