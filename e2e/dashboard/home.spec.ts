import { type BrowserContext, expect, test } from '@playwright/test';
import { freePort } from '../../src/testing/server';
import {
  call,
  createOwner,
  dayFromNow,
  expectAccessible,
  makeProperty,
  makeReservation,
  setMode,
  signIn,
} from './support';

let cookies: Awaited<ReturnType<BrowserContext['cookies']>>;
let property: string;

test.beforeAll(async ({ browser }) => {
  const owner = await createOwner();
  const page = await browser.newPage();
  await signIn(page, owner);
  property = await makeProperty(page, 'test', 'Harbour Loft');
  cookies = await page.context().cookies();
  await page.close();
});

test.beforeEach(async ({ page, baseURL }) => {
  await page.context().addCookies(cookies);
  await setMode(page, baseURL, 'test');
});

test('home tells a new team its first steps, and checks off what is done', async ({ page }) => {
  await page.goto('/');
  const steps = page.getByRole('list', { name: 'Getting started' });
  await expect(page.getByText('1 of 5 done')).toBeVisible();
  await expect(steps.getByRole('listitem').filter({ hasText: '(done)' })).toHaveText(/Create a property/);
  await expect(page.getByText('Nothing needs you now')).toBeVisible();
  await expect(page.getByText('Nobody arrives in the next two weeks')).toBeVisible();
  const signed = await makeReservation(page, 'test', property, { guest_name: 'Ada Lovelace', checkin: 40 });
  await call(page, 'test', 'reservations.sign_manually', { id: signed });
  await page.reload();
  await expect(page.getByText('2 of 5 done')).toBeVisible();
  await steps.getByRole('link', { name: 'Write its packet' }).click();
  await expect(page).toHaveURL(`/properties/${property}`);
  await page.goto('/');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Arrivals' })).toBeVisible();
  await expect(steps).toHaveCount(0);
});

test('arrivals are by day, and apart from what needs attention and what does not work', async ({ page }) => {
  const near = await makeReservation(page, 'test', property, { guest_name: 'Grace Hopper', checkin: 1 });
  await call(page, 'test', 'reservations.send', { id: near });
  await makeReservation(page, 'test', property, { guest_name: 'Far Away', checkin: 12 });
  await page.goto('/');
  const attention = page.getByRole('list', { name: 'Needs your attention' });
  const broken = page.getByRole('list', { name: 'Not working' });
  await expect(page.getByRole('list', { name: 'Tomorrow' }).getByRole('listitem')).toContainText('Grace Hopper');
  await expect(page.getByRole('list', { name: 'Tomorrow' })).toContainText('Sent just now, not opened');
  await expect(page.getByRole('list', { name: 'Later' }).getByRole('listitem')).toContainText('Far Away');
  await expect(page.getByRole('list', { name: 'Later' })).toContainText('Not sent');
  await expect(attention).toHaveCount(0);
  await page.getByRole('link', { name: 'Grace Hopper' }).click();
  await expect(page).toHaveURL(`/reservations/${near}`);

  // Nobody listens there: the reservation's own event cannot be delivered.
  await call(page, 'test', 'webhook_endpoints.create', { url: `http://127.0.0.1:${await freePort()}/hooks` });
  await call(page, 'test', 'reservations.create', {
    property_id: property,
    guest_name: 'Nobody Knows',
    guest_email: null,
    checkin_date: dayFromNow(50),
    checkout_date: dayFromNow(52),
  });
  await expect(async () => {
    await page.goto('/');
    await expect(broken.getByRole('listitem')).toHaveCount(1, { timeout: 2_000 });
  }).toPass();
  await expect(broken).toContainText('webhook endpoint failed');
  await expect(attention.getByRole('listitem')).toHaveCount(1);
  await expect(attention).toContainText('No e-mail address: the packet cannot be sent');
  await page.getByRole('link', { name: 'Show in the list' }).click();
  await expect(page).toHaveURL('/reservations?arrives=month&sort=checkin');
});

test('the last 30 days are a chart, a sentence and a table', async ({ page }) => {
  await makeReservation(page, 'test', property, { guest_name: 'Mary Jackson', checkin: 60 });
  await page.goto('/');
  const chart = page.getByRole('img', { name: /^Chart of the last 30 days\. \d+ created/ });
  await expect(chart.locator('[title]').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'As a table' }).click();
  const table = page.getByRole('table', { name: 'What happened on each of the last 30 days' });
  await expect(table.getByRole('row')).toHaveCount(31);
  await expect(table.getByRole('row').nth(1).getByRole('cell').nth(1)).not.toHaveText('0');
  await expectAccessible(page);
});

test('single keys lead anywhere, never while typing, and can be switched off', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await expect(page).toHaveURL('/reservations');
  const search = page.getByRole('searchbox', { name: 'Search reservations' });
  await expect(search).toBeVisible();
  await page.keyboard.press('/');
  await expect(search).toBeFocused();
  await page.keyboard.type('gn?h');
  await expect(search).toHaveValue('gn?h');
  await expect(page).toHaveURL(/q=gn/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help).toContainText('New reservation');
  await expectAccessible(page);
  await help.getByRole('switch', { name: 'Single keys' }).click();
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await page.keyboard.press('n');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await page.getByPlaceholder('Guest, booking code, property, id, page…').fill('new res');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'New reservation' })).toBeVisible();
});
