/**
 * Runs the built product as a separate process, with a team and its test key. Also signs as a guest
 * on its pages.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestServer, type TestServer } from '@/testing/server';
import { createGuestClient } from '../../scripts/demo/guest';

export interface TestInstallation {
  readonly server: TestServer;
  readonly origin: string;
  readonly test_key: string;
}

/**
 * Starts the product, and reads the test key that the first start stores. Needs `npm run build`.
 */
export async function startInstallation(): Promise<TestInstallation> {
  const server = await startTestServer({ with_pages: true, built: true });
  for (let turn = 0; turn < 600; turn++) {
    const told = await readFile(join(server.data_dir, 'first-start.txt'), 'utf8').catch(() => '');
    const test_key = /service_test_sk_\w+/.exec(told)?.[0];
    if (test_key) return { server, origin: server.url, test_key };
    await sleep(50);
  }
  await server.stop();
  throw new Error(`The first start left no test key:\n${server.output()}`);
}

/** Opens the link and signs, as a person does. */
export async function signHouseRulesOnPage(origin: string, signing_url: string): Promise<void> {
  const ada = createGuestClient(origin, new URL(signing_url).pathname);
  const shown = await ada.open();
  await ada.look();
  await ada.sign(shown, 'Ada Lovelace');
}
