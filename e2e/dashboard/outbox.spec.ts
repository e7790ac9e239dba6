import { expect, test } from '@playwright/test';
import {
  type CreatedTeamOwner,
  callTrpcMutation,
  createTeamWithOwner,
  expectAccessible,
  expectNoSidewaysScroll,
  makeProperty,
  makeReservation,
  setLiveOrTestMode,
  signIn,
} from './support';

let owner: CreatedTeamOwner;

test.beforeAll(async () => {
  owner = await createTeamWithOwner();
});
test.beforeEach(async ({ page, baseURL }) => {
  await setLiveOrTestMode(page, baseURL, 'test');
  await signIn(page, owner);
});

const frame = (page: import('@playwright/test').Page) =>
  page.frameLocator('iframe[title="The email as its recipient sees it"]');

test('a mail is found by filters and read as HTML and text, which does not count as opened by the guest', {
  tag: '@smoke',
}, async ({ page }) => {
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Emails' }).click();
  await expect(page.getByText('No emails yet')).toBeVisible();
  await expectAccessible(page);

  const property = await makeProperty(page, 'test', 'Harbour Loft');
  const reservation = await makeReservation(page, 'test', property, { guest_name: 'Ada Lovelace' });
  await callTrpcMutation(page, 'test', 'reservations.send', { id: reservation });
  await page.reload();
  const table = page.getByRole('table', { name: 'Emails' });
  const row = table.getByRole('row').filter({ hasText: 'ada.lovelace@example.com' });
  await expect(row).toContainText('House rules');
  await expect(row).toContainText('Not sent');
  await expectAccessible(page);

  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await expect(page.getByText('No emails match these filters')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('combobox', { name: 'Email', exact: true }).click();
  await page.getByRole('option', { name: 'House rules' }).click();
  await expect(page).toHaveURL(/template=packet/);

  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  await row.getByRole('link').first().click();
  await expect(page.getByText('The email is only kept here, because this is test mode')).toBeVisible();
  await expect(frame(page).getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Plain text' }).click();
  await expect(page.getByRole('region', { name: 'Plain text' })).toContainText('/sign/');
  expect(fetched.filter((path) => path.startsWith('/o/'))).toEqual([]);
  await page.getByRole('link', { name: reservation }).click();
  await expect(page).toHaveURL(new RegExp(reservation));
});

test('every template is shown with sample data, guest mails in each language', async ({ page }) => {
  await page.goto('/outbox/templates');
  const list = page.getByRole('navigation', { name: 'Emails' });
  await expect(list.getByRole('button')).toHaveCount(25);
  await expect(frame(page).getByText('Ada Lovelace').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('combobox', { name: 'Language' }).click();
  await page.getByRole('option', { name: 'Deutsch' }).click();
  await expect(frame(page).locator('html[lang^="de"]')).toBeAttached();
  for (const name of [
    'Reminder, 2 hours before check-in',
    'Guest has not signed',
    'Webhook endpoint disabled',
    'Invitation',
    'Password reset',
  ]) {
    await list.getByRole('button', { name }).click();
    await expect(list.getByRole('button', { name })).toHaveAttribute('aria-current', 'true');
    await expect(frame(page).getByRole('heading', { level: 1 })).toBeVisible();
  }
  await expect(page.getByRole('combobox', { name: 'Language' })).toHaveCount(0);
});

test('the outbox and its previews fit a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/outbox', '/outbox/templates']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
  await page.getByRole('combobox', { name: 'Email', exact: true }).click();
  await page.getByRole('option', { name: 'One-time code' }).click();
  await expect(frame(page).getByText('048213').first()).toBeVisible();
});

test('a missing mail and a failed load each show a message', async ({ page }) => {
  await page.goto('/outbox/mail_nothing');
  await expect(page.getByText('This email does not exist')).toBeVisible();
  const list = /\/api\/trpc\/[^?]*mail\.list/;
  await page.route(list, (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.goto('/outbox');
  await expect(page.getByRole('alert').getByText('Mails could not be loaded')).toBeVisible({ timeout: 30_000 });
  await page.unroute(list);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('table', { name: 'Emails' })).toBeVisible();
});
