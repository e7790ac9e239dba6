/** Tests the pages of the audit log, the plan and the SMS log. */
import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import {
  type CreatedTeamOwner,
  callTrpcMutation,
  createTeamWithOwner,
  expectAccessibleOnAllDevices,
  makeProperty,
  signIn,
} from './support';

let owner: CreatedTeamOwner;
test.beforeAll(async () => {
  owner = await createTeamWithOwner();
});

test('the audit log shows who did what from which address, and is filtered and exported as CSV', async ({ page }) => {
  await signIn(page, owner);
  await callTrpcMutation(page, 'test', 'api_keys.create', { name: '=CI()', scopes: null });
  await page.goto('/settings');
  await page.getByRole('tab', { name: 'Audit log' }).click();
  await expect(page).toHaveURL('/settings/audit-log');
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row');
  const created = rows.filter({ hasText: 'Created an API key' });
  await expect(created).toContainText('name: =CI()');
  await expect(created).toContainText('Test');
  await expect(created).toContainText('127.0.0.1');
  await expect(rows.filter({ hasText: 'Signed in' }).first()).toContainText('with: password');
  await expectAccessibleOnAllDevices(page);

  await page.getByRole('combobox', { name: 'Action' }).click();
  await page.getByRole('option', { name: 'Created an API key' }).click();
  await expect(page).toHaveURL(/action=api_key\.created/);
  await expect(rows.filter({ hasText: 'Signed in' })).toHaveCount(0);
  await expect(created).toHaveCount(1);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('"api_key.created","Created an API key"');
  expect(lines[1]).toContain('"name: =CI()"');

  await page.getByLabel('To (UTC)').fill('2020-01-01');
  await expect(page.getByText('No entries match these filters')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows.filter({ hasText: 'Exported the audit log' })).toHaveCount(1);
});

test('the plan page shows usage against the plan’s limits in each mode', async ({ page }) => {
  await signIn(page, owner);
  await makeProperty(page, 'live', 'Lighthouse');
  await page.goto('/settings/plan');
  const live = page.getByRole('region', { name: 'Live mode' });
  await expect(live).toContainText('1 of 25');
  await expect(live).toContainText('1 of 5');
  await expect(live.getByRole('link', { name: 'Lighthouse' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Test mode' })).toContainText('0 of 25');
  await expect(page.getByText(/^[\d,]+ read requests and [\d,]+ write requests a minute$/)).toBeVisible();
  await expectAccessibleOnAllDevices(page);
});

test('on the free plan a host has one live property and all of test mode, and sees how to continue', async ({
  page,
}) => {
  await signIn(page, await createTeamWithOwner('free'), '/settings/plan');
  await expect(page.getByText('Free: one live property, plus test mode', { exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Live mode' })).toContainText('0 of 1');
  await expect(page.getByRole('region', { name: 'Test mode' })).toContainText('0 of 25');
  await expectAccessibleOnAllDevices(page);
  await page.goto('/');
  await expect(page.getByText('You are on Free')).toBeVisible();
  const create = async (name: string) => {
    await page.goto('/properties');
    await page.getByRole('button', { name: 'Create a property' }).first().click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create property' }).click();
    await expect(page.getByRole('heading', { name })).toBeVisible();
  };
  await create('My only house');
  await page.goto('/properties');
  await page.getByRole('button', { name: 'Create a property' }).first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('The Free plan includes one live property. Pro includes more.')).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'See your plan' })).toHaveAttribute('href', '/settings/plan');
  await dialog.getByRole('button', { name: 'Continue in test mode' }).click();
  await expect(page.getByLabel('Test mode')).toBeVisible();
  await create('A house to try');
  await create('And another');
});

test('the SMS log explains what will appear there', async ({ page }) => {
  await signIn(page, owner, '/outbox');
  // The sidebar links to the SMS log only after the first text message.
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'SMS log' })).toHaveCount(0);
  await page.getByRole('main').getByRole('link', { name: 'SMS log' }).click();
  await expect(page.getByText('No text messages yet')).toBeVisible();
  await expectAccessibleOnAllDevices(page);
});

test('the keyboard moves between the settings tabs, each with its own URL', async ({ page }) => {
  await signIn(page, owner, '/settings');
  await page.getByRole('tab', { name: 'Team' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL('/settings/members');
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL('/settings/plan');
  await expect(page.getByRole('tab', { name: 'Plan' })).toBeFocused();
  const response = await page.goto('/settings/nothing');
  expect(response?.status()).toBe(404);
});

test('on a phone the current tab is visible', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, owner, '/settings/data');
  await expect(page.getByRole('tab', { name: 'Data and privacy' })).toBeInViewport({ ratio: 0.9 });
});
