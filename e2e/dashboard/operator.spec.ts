/**
 * Tests the operator's page on a separate server, as the operator and as a stranger. One durable
 * run of that server has failed.
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { expect, test } from '@playwright/test';
import { findFreePort, startTestServer, type TestServer } from '../../src/testing/server';
import { type CreatedTeamOwner, expectAccessible, expectNoSidewaysScroll, signIn } from './support';

const RUN = '00000000000000000000000001';
const port = await findFreePort();
let server: TestServer;
let installer: CreatedTeamOwner;
const stranger: CreatedTeamOwner = {
  email: 'stranger@example.com',
  password: 'correct horse battery',
  team: 'Another team',
};

test.describe.configure({ mode: 'serial' });
test.use({ baseURL: `http://localhost:${port}` });

test.beforeAll(async () => {
  test.setTimeout(120_000);
  server = await startTestServer({ with_pages: true, built: true, port });
  // Without a terminal, the first start writes the account's link to a file instead of the log.
  const file = join(server.data_dir, 'first-start.txt');
  await expect.poll(() => server.output()).toContain(file);
  const told = await readFile(file, 'utf8');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const said = (label: string) => new RegExp(`${label}\\s+(\\S+)`).exec(told)?.[1] ?? '';
  installer = { email: said('e-mail'), password: said('password'), team: 'My properties' };
  expect(server.output()).not.toContain(installer.password);
  await server.createTeam({ ...stranger, name: stranger.team });
  await server.stopProcess();
  await insertFailedRun(join(server.data_dir, 'postgres'));
  await server.restart();
});
test.afterAll(() => server?.stop());

/** Inserts the rows that the engine stores when a function has no attempts left. */
async function insertFailedRun(directory: string): Promise<void> {
  const pglite = await PGlite.create(directory);
  const error = JSON.stringify({
    name: 'Error',
    message: 'the provider is away',
    stack: 'Error: the provider is away',
  });
  const event = JSON.stringify({
    id: 'evt_1',
    name: 'mail/message.due',
    data: { mail_id: 'mail_1', team_id: 'team_1', template: 'packet' },
    ts: 0,
  });
  await pglite.query(
    `INSERT INTO engine_runs (id, function_id, status, event_id, event_name, event, error, done_steps, created_at, started_at, ended_at)
     VALUES ($1, 'threshold-send-mail', 'failed', 'evt_1', 'mail/message.due', $2, $3, 0, now(), now(), now())`,
    [RUN, event, error],
  );
  await pglite.close();
}

test('the operator sees failed background runs and retries them', { tag: '@smoke' }, async ({ page }) => {
  await signIn(page, installer, '/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Background work' }).click();
  await expect(page.getByText('One run has failed')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show them' }).click();
  const row = page.getByRole('table', { name: 'Runs' }).getByRole('row').filter({ hasText: 'send-mail' });
  await expect(row).toContainText('the provider is away');
  await row.getByRole('link').click();
  await expect(page.getByText('All attempts failed')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('The run continues.')).toBeVisible();
  await expect(page.getByRole('main').getByText('Completed')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Steps' })).toContainText('send');
  await page.getByRole('link', { name: 'Background work' }).first().click();
  await expect(page.getByText('One run has failed')).toHaveCount(0);
});

test('filters without matches, a missing run and a failed load each show a message', async ({ page }) => {
  await signIn(page, installer, '/operator/runs?status=cancelled');
  await expect(page.getByText('No runs match these filters')).toBeVisible();
  await page.goto('/operator/runs/nothing');
  await expect(page.getByText('This run does not exist')).toBeVisible();
  await page.route(/\/api\/trpc\/[^?]*runs\.list/, (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.goto('/operator/runs');
  await expect(page.getByRole('alert').getByText('Runs could not be loaded')).toBeVisible({ timeout: 30_000 });
});

test('the list of runs fits a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, installer, '/operator/runs');
  await expect(page.getByRole('list', { name: 'Runs' })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

test('the owner of another team can neither see nor open the page, nor call its operations', async ({ page }) => {
  await signIn(page, stranger, '/');
  await expect(page.getByRole('link', { name: 'Background work' })).toHaveCount(0);
  await page.goto('/operator/runs');
  await expect(page.getByText('Only operators of this installation can see this page')).toBeVisible();
  await expectAccessible(page);
  const answer = await page.request.post('/api/trpc/runs.retry', { data: { id: RUN } });
  expect(answer.status()).toBe(403);
});
