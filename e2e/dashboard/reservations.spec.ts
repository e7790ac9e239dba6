import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import {
  call,
  createOwner,
  dayFromNow,
  expectAccessible,
  expectNoSidewaysScroll,
  makeProperty,
  makeReservation,
  type Owner,
  setMode,
  signIn,
} from './support';

let owner: Owner;
let property: string;
let draft: string;
let sent: string;
let cookies: Awaited<ReturnType<BrowserContext['cookies']>>;

const PAGE = 25;
const TOTAL = PAGE + 4;

test.beforeAll(async ({ browser }) => {
  owner = await createOwner();
  const page = await browser.newPage();
  await signIn(page, owner);
  property = await makeProperty(page, 'test', 'Harbour Loft');
  for (let number = 1; number <= TOTAL - 2; number += 1) {
    await makeReservation(page, 'test', property, {
      guest_name: `Guest ${number}`,
      checkin: 20 + number,
      source: 'channel_a',
    });
  }
  sent = await makeReservation(page, 'test', property, { guest_name: 'Ada Lovelace', checkin: 5 });
  await call(page, 'test', 'reservations.send', { id: sent });
  draft = await makeReservation(page, 'test', property, { guest_name: 'Grace Hopper', checkin: 6 });
  cookies = await page.context().cookies();
  await page.close();
});

test.beforeEach(async ({ page, baseURL }) => {
  await page.context().addCookies(cookies);
  await setMode(page, baseURL, 'test');
});

const table = (page: Page) => page.getByRole('table', { name: 'Reservations', exact: true });

test('the list is newest first, with the property’s name, and turns pages both ways', async ({ page }) => {
  await page.goto('/reservations');
  const rows = table(page).getByRole('row');
  await expect(rows).toHaveCount(PAGE + 1);
  await expect(rows.nth(1)).toContainText('Grace Hopper');
  await expect(rows.nth(1)).toContainText('Harbour Loft');
  await expect(page.getByRole('button', { name: 'Newer' })).toBeDisabled();
  await page.getByRole('button', { name: 'Older' }).click();
  await expect(rows).toHaveCount(TOTAL - PAGE + 1);
  await expect(page).toHaveURL(/after=res_/);
  await expect(page.getByRole('button', { name: 'Older' })).toBeDisabled();
  await page.getByRole('button', { name: 'Newer' }).click();
  await expect(rows).toHaveCount(PAGE + 1);
  await expectAccessible(page);
});

test('filters live in the URL, survive a reload and can be cleared', async ({ page }) => {
  await page.goto('/reservations');
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Sent' }).click();
  await expect(page).toHaveURL(/status=sent/);
  await expect(table(page).getByRole('row')).toHaveCount(2);
  await page.getByLabel('Check-in from').fill(dayFromNow(4));
  await expect(page).toHaveURL(new RegExp(`from=${dayFromNow(4)}`));
  await page.reload();
  await expect(table(page).getByRole('row')).toHaveCount(2);
  await expect(table(page)).toContainText('Ada Lovelace');
  await page.getByLabel('Check-in from').fill(dayFromNow(6));
  await expect(page.getByText('No reservation fits these filters')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await expect(table(page).getByRole('row')).toHaveCount(PAGE + 1);
});

test('a draft is sent, shows its mail and its timeline, is sent again and is cancelled', async ({ page }) => {
  await page.goto('/reservations');
  await table(page).getByRole('link', { name: 'Grace Hopper' }).click();
  await expect(page).toHaveURL(`/reservations/${draft}`);
  await expect(page.getByRole('heading', { name: 'Grace Hopper' })).toBeVisible();
  const timeline = page.getByRole('list', { name: 'Timeline' });
  await expect(timeline.getByRole('listitem')).toHaveCount(1);

  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Sent in test mode.')).toBeVisible();
  await expect(timeline).toContainText('Packet sent to the guest');
  await expect(page.getByText('grace.hopper@example.com').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show the mail' }).click();
  await expect(page.getByTitle('The mail as the guest would see it')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Links' }).click();
  await expect(page.getByTitle('signing link', { exact: true })).toContainText('/sign/');
  const before = await page.getByTitle('signing link', { exact: true }).textContent();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Resend' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();
  await expect(timeline.getByText('Packet sent to the guest')).toHaveCount(2);
  await page.getByRole('button', { name: 'Links' }).click();
  await expect(page.getByTitle('signing link', { exact: true })).not.toHaveText(before ?? '');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the reservation' }).click();
  await expect(timeline).toContainText('Cancelled');
  await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toHaveAttribute('aria-disabled', 'true');
});

test('a button that cannot act says why', async ({ page }) => {
  const id = await makeReservation(page, 'test', property, { guest_name: 'Alan Turing' });
  await page.goto(`/reservations/${id}`);
  await page.getByRole('button', { name: 'Links' }).focus();
  await expect(page.getByRole('tooltip')).toContainText('once the reservation has been sent');
});

test('the two modes never show each other’s data, and test mode is marked on every page', async ({ page }) => {
  await page.goto(`/reservations/${sent}`);
  await expect(page.getByRole('complementary', { name: 'Test mode' })).toBeVisible();
  await page.getByRole('radio', { name: 'Live' }).click();
  await expect(page).toHaveURL('/reservations');
  await expect(page.getByText('No reservations yet')).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Test mode' })).toHaveCount(0);
  await page.goto(`/reservations/${sent}`);
  await expect(page.getByText('There is no such reservation')).toBeVisible();
});

test('a failing server is told with the request id, and trying again helps', async ({ page }) => {
  let broken = true;
  await page.route('**/api/trpc/**', (route) => {
    if (!broken || !route.request().url().includes('reservations.list')) return route.continue();
    const error = { code: 'not_found', message: 'It broke.', param: null, request_id: 'req_01test' };
    const body = { error: { message: 'It broke.', code: -32004, data: { httpStatus: 404, error } } };
    const count = new URL(route.request().url()).pathname.split(',').length;
    return route.fulfill({ status: 404, json: Array.from({ length: count }, () => body) });
  });
  await page.goto('/reservations');
  await expect(page.getByRole('alert').filter({ hasText: 'could not be loaded' })).toContainText('req_01test');
  await expectAccessible(page);
  broken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(table(page)).toBeVisible();
});

test('the keyboard goes anywhere through the command palette', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Go to a page or do something…').fill('guests');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/reservations');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`on a phone, ${colorScheme}`, () => {
    test.use({ viewport: { width: 390, height: 844 }, colorScheme, hasTouch: true });

    test('every page fits and is accessible, and the navigation opens', async ({ page }) => {
      for (const path of [
        '/',
        '/reservations',
        `/reservations/${sent}`,
        '/properties',
        '/certificates',
        '/calendars',
        '/developers/webhooks',
        '/settings',
        '/style',
      ]) {
        await page.goto(path);
        await page.waitForLoadState('networkidle');
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectNoSidewaysScroll(page);
        await expectAccessible(page);
      }
      await page.goto('/reservations');
      await page.getByRole('button', { name: 'Open the navigation' }).click();
      await page.getByRole('dialog').getByRole('link', { name: 'Settings' }).click();
      await expect(page).toHaveURL('/settings');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });

    test('the filters fold away, and a row is a card', async ({ page }) => {
      await page.goto('/reservations');
      await page.getByRole('button', { name: 'Filters' }).click();
      await page.getByRole('combobox', { name: 'Status' }).click();
      await page.getByRole('option', { name: 'Sent' }).click();
      const cards = page.getByRole('list', { name: 'Reservations' });
      await expect(cards.getByRole('listitem')).toHaveCount(1);
      await cards.getByRole('link', { name: /Ada Lovelace/ }).click();
      await expect(page).toHaveURL(`/reservations/${sent}`);
    });
  });
}
