/**
 * Tests approving a login of the command line: runs the real program, and opens the page on which
 * an owner decides.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { build } from 'esbuild';
import { buildDeviceApiKeyName, parseDeviceName } from '@/modules/api-keys/device-login/codes.rules';
import { HOST_LOCALES } from '@/shared/language/host-language';
import {
  type CreatedTeamOwner,
  callTrpcMutation,
  callTrpcQuery,
  createTeamWithOwner,
  expectAccessible,
  expectAccessibleOnAllDevices,
  expectNoSidewaysScroll,
  signIn,
  signUpInvitedMemberInNewBrowser,
} from '../support';

let folder: string;
const children: ChildProcess[] = [];

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'threshold-device-'));
  await build({
    entryPoints: ['packages/cli/src/main.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: join(folder, 'threshold.mjs'),
    alias: { '@threshold/client': './packages/client/src/index.ts' },
  });
});
test.afterAll(() => {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs `threshold …` with its own home folder and no piped input. */
function threshold(home: string, ...words: string[]) {
  const child = spawn(process.execPath, [join(folder, 'threshold.mjs'), ...words], {
    env: { PATH: process.env.PATH, HOME: join(folder, home) } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, said }));
  return { ended, said: () => said };
}

/** Runs `threshold login`. Returns the address and the code that it prints. */
async function login(home: string, baseURL: string | undefined, ...words: string[]) {
  const running = threshold(home, 'login', '--api-root', `${baseURL}/v1`, ...words);
  await expect.poll(running.said).toContain('Waiting');
  const [, address = '', code = ''] = /Open {2}(\S+)[\s\S]*the code {2}(\S+)/.exec(running.said()) ?? [];
  return { ...running, address, code };
}

/**
 * Confirms the code with the keyboard only. Returns the part of the page in which the owner
 * approves the request for a key.
 */
async function ask(page: Page, address: string): Promise<Locator> {
  await page.goto(address);
  await expect(page.getByLabel('Code')).toBeFocused();
  await page.keyboard.press('Enter');
  const question = page.getByRole('group', { name: 'A terminal is requesting an API key' });
  await expect(question).toBeFocused();
  return question;
}

const keysOf = (page: Page) => callTrpcQuery<{ data: { name: string; hint: string }[] }>(page, 'test', 'api_keys.list');

test('an owner approves a terminal’s login, and the terminal gets a test key of the team', { tag: '@smoke' }, async ({
  page,
  baseURL,
}) => {
  const owner = await createTeamWithOwner();
  const { address, code, ended } = await login('allowed', baseURL);
  // A signed-out user signs in first. Afterwards the code is still filled in.
  await page.goto(address);
  await expect(page.getByLabel('Password')).toBeVisible();
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByLabel('Code')).toHaveValue(code);
  await expectAccessibleOnAllDevices(page);
  const question = await ask(page, address);
  const name = parseDeviceName(hostname()) ?? 'No name given';
  for (const shown of [code, name, owner.team, 'Test', 'Everything that the API can do, with test data.', '90 days'])
    await expect(question.getByText(shown).first()).toBeVisible();
  await expectAccessibleOnAllDevices(page);
  await page.getByRole('button', { name: 'Allow' }).press('Enter');
  await expect(page.getByRole('group', { name: 'The terminal is being signed in' })).toBeFocused();
  await expectAccessible(page);

  const { code: exit, said } = await ended;
  expect([exit, said]).toEqual([0, expect.stringContaining('The test key works.')]);
  const file = join(folder, 'allowed/.config/threshold/settings.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { test_key } = JSON.parse(readFileSync(file, 'utf8'));
  expect(said).not.toContain(test_key);
  const [key] = (await keysOf(page)).data;
  expect(key).toMatchObject({
    name: buildDeviceApiKeyName(parseDeviceName(hostname())),
    hint: `service_test_sk_…${test_key.slice(-4)}`,
  });
  const made = await threshold('allowed', 'properties', 'create', 'name=Harbour Loft').ended;
  expect([made.code, made.said]).toEqual([0, expect.stringContaining('Harbour Loft')]);
  await page.goto('/settings/audit-log');
  await expect(page.getByText('Gave the command-line tool an API key').filter({ visible: true })).toBeVisible();
});

test('an owner refuses a terminal’s login, and a member who cannot create keys sees why he cannot approve it', async ({
  page,
  browser,
  baseURL,
}) => {
  const owner = await createTeamWithOwner();
  await signIn(page, owner);
  const { address, ended } = await login('refused', baseURL, '--live', '--scopes', 'reservations:read');
  const member = await signUpInvitedMemberInNewBrowser(page, browser, owner, baseURL);
  await member.goto(address);
  await expect(member.getByText('Only a team owner can give out API keys')).toBeVisible();
  await expect(member.getByRole('button', { name: 'Continue' })).toHaveCount(0);
  await member.context().close();

  await page.goto('/device');
  await page.getByLabel('Code').fill('BBBB-BBBB');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('No terminal is waiting for this code.')).toBeVisible();
  const question = await ask(page, address);
  for (const shown of ['Live', 'reservations:read'])
    await expect(question.getByText(shown, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Refuse' }).click();
  await expect(page.getByRole('group', { name: 'Refused' })).toBeVisible();
  expect(await ended).toEqual({ code: 1, said: expect.stringContaining('Access was refused.') });
});

test('an owner grants a terminal fewer scopes than it requests, and an earlier expiry', async ({ page, baseURL }) => {
  await signIn(page, await createTeamWithOwner());
  const { address, ended } = await login('less', baseURL, '--live');
  await ask(page, address);
  // Permissions of a live key are never selected in advance.
  await expect(page.getByRole('radio', { name: 'Only selected permissions' })).toBeChecked();
  await page.getByRole('checkbox', { name: 'events:read' }).check();
  await page.getByRole('combobox', { name: 'Valid for' }).click();
  await page.getByRole('option', { name: '7 days' }).click();
  await expectAccessibleOnAllDevices(page);
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByRole('group', { name: 'The terminal is being signed in' })).toBeVisible();
  expect((await ended).code).toBe(0);
  const [key] = (
    await callTrpcQuery<{ data: { scopes: string[]; expires_at: string }[] }>(page, 'live', 'api_keys.list')
  ).data;
  expect(key?.scopes).toEqual(['events:read']);
  expect((new Date(key?.expires_at ?? 0).getTime() - Date.now()) / 86_400_000).toBeCloseTo(7, 1);
});

test('a terminal’s login cannot be approved when the mode has its maximum of keys', async ({ page, baseURL }) => {
  await signIn(page, await createTeamWithOwner());
  for (const name of ['a', 'b', 'c']) await callTrpcMutation(page, 'test', 'api_keys.create', { name, scopes: null });
  const { address } = await login('full', baseURL);
  await ask(page, address);
  await expect(page.getByText('This mode has reached its limit of 3 keys. Revoke one first. API keys')).toBeVisible();
  await expectAccessibleOnAllDevices(page);
  await page.getByRole('button', { name: 'Allow' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Refuse' })).toBeVisible();
  expect((await keysOf(page)).data).toHaveLength(3);
});

test('the approval page is in the user’s language and fits a phone', async ({ browser, page, baseURL }) => {
  const owner: CreatedTeamOwner = await createTeamWithOwner();
  const { address } = await login('languages', baseURL);
  for (const locale of HOST_LOCALES) {
    const { device } = JSON.parse(readFileSync(`src/dashboard/i18n/messages/${locale}.json`, 'utf8'));
    const viewport = { width: 390, height: 844 };
    const context = await browser.newContext({ locale, viewport, reducedMotion: 'reduce', baseURL });
    const phone = await context.newPage();
    await signIn(phone, owner, address);
    await phone.getByRole('button', { name: device.continue }).click();
    await expect(phone.getByRole('group', { name: device.question })).toBeVisible();
    await expect(phone.getByText(device.everything_test)).toBeVisible();
    await expectNoSidewaysScroll(phone);
    await context.close();
  }
  await page.close();
});
