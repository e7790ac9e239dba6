/**
 * Fixtures of the browser tests: a team with its owner and keys, `/v1` with the test key, a webhook
 * receiver, and signing in. Import `test` and `expect` from here.
 */
import { randomBytes } from 'node:crypto';
import { test as base, type Page } from '@playwright/test';
import { startWebhookReceiver, type WebhookReceiver } from '../src/testing/receiver';
import { createTeam as makeTeam, runAdminCommand } from './support/admin';
import { type ApiClient, createApiClient } from './support/api-client';

export { expect } from '@playwright/test';

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly owner: { email: string; password: string };
  readonly test_key: string;
  readonly live_key: string;
}

/** Creates a Pro team with an owner and a key of each mode. */
export async function createTeam(): Promise<Team> {
  const tag = randomBytes(5).toString('hex');
  const name = `Team ${tag}`;
  const owner = { email: `owner-${tag}@example.com`, password: 'correct horse battery' };
  const made = await makeTeam({ name, ...owner });
  const key = async (mode: string) =>
    (await runAdminCommand<{ key: string }>('key', 'create', '--team', made.team.id, '--mode', mode)).key;
  return { id: made.team.id, name, owner, test_key: await key('test'), live_key: await key('live') };
}

interface TestFixtures {
  /** A client of `/v1` with the team's test key. */
  api: ApiClient;
  /** A webhook receiver for a single test. It verifies signatures once its `secrets` are set. */
  receiver: WebhookReceiver;
  /** Signs the team's owner in on a page and waits for the dashboard. */
  signIn: (page: Page) => Promise<void>;
}

export const test = base.extend<TestFixtures, { team: Team }>({
  team: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures a fixture needs from here.
    async ({}, use) => {
      await use(await createTeam());
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  api: async ({ team, baseURL }, use) => {
    await use(createApiClient(baseURL ?? '', team.test_key));
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  receiver: async ({}, use) => {
    const receiver = await startWebhookReceiver();
    await use(receiver);
    await receiver.close();
  },
  signIn: async ({ team }, use) => {
    await use(async (page) => {
      await page.goto('/sign-in');
      await page.getByLabel('Email').fill(team.owner.email);
      await page.getByLabel('Password').fill(team.owner.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.waitForURL((url) => url.pathname === '/');
    });
  },
});
