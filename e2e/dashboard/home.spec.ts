import { expect, test } from '@playwright/test';
import { findFreePort } from '../../src/testing/server';
import {
  callTrpcMutation,
  callTrpcQuery,
  createTeamWithOwner,
  expectAccessible,
  expectNoViolationsInBothColorSchemes,
  getDateDaysFromNow,
  makeDoubleBooking,
  makeProperty,
  makeReservation,
  setLiveOrTestMode,
  setUpSignedInOwner,
  signIn,
} from './support';

let property: string;

setUpSignedInOwner(async (page) => {
  property = await makeProperty(page, 'test', 'Harbour Loft');
});

test('Home lists arrivals by day, and problems on one line with counts', { tag: '@smoke' }, async ({ page }) => {
  const near = await makeReservation(page, 'test', property, { guest_name: 'Grace Hopper', checkin: 1 });
  await callTrpcMutation(page, 'test', 'reservations.send', { id: near });
  await makeReservation(page, 'test', property, { guest_name: 'Far Away', checkin: 12 });
  await page.goto('/');
  const attention = page.getByRole('list', { name: 'Needs your attention' });
  await expect(page.getByRole('list', { name: 'Tomorrow' }).getByRole('listitem')).toContainText('Grace Hopper');
  await expect(page.getByRole('list', { name: 'Tomorrow' })).toContainText('Sent just now, not opened');
  await expect(page.getByRole('list', { name: 'Later' }).getByRole('listitem')).toContainText('Far Away');
  await expect(page.getByRole('list', { name: 'Later' })).toContainText('Not sent');
  await expect(attention).toHaveCount(0);
  await page.getByRole('link', { name: 'Grace Hopper' }).click();
  await expect(page).toHaveURL(`/reservations/${near}`);

  // Nothing listens on this port, so the event about the reservation cannot be delivered.
  await callTrpcMutation(page, 'test', 'webhook_endpoints.create', {
    url: `http://127.0.0.1:${await findFreePort()}/hooks`,
  });
  await callTrpcMutation(page, 'test', 'reservations.create', {
    property_id: property,
    guest_name: 'Nobody Knows',
    guest_email: null,
    checkin_date: getDateDaysFromNow(50),
    checkout_date: getDateDaysFromNow(52),
  });
  await expect(async () => {
    await page.goto('/');
    await expect(attention.getByRole('listitem')).toHaveCount(2, { timeout: 2_000 });
  }).toPass();
  await expect(attention.getByRole('listitem').nth(1)).toHaveText('1 webhook endpoint not working');
  await attention.getByRole('link', { name: '1 guest without an email address' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Nobody Knows' })).toBeVisible();
  await page.goto('/');
  await page.getByRole('link', { name: 'Show in the list' }).click();
  await expect(page).toHaveURL('/reservations?arrives=month&sort=checkin');
});

for (const { screen, viewport } of [
  { screen: 'a laptop', viewport: { width: 1440, height: 900 } },
  { screen: 'a phone', viewport: { width: 390, height: 844 } },
]) {
  test(`the first arrival is in sight on ${screen}, with problems above it`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ baseURL, viewport });
    const page = await context.newPage();
    await signIn(page, await createTeamWithOwner());
    await setLiveOrTestMode(page, baseURL, 'test');
    const house = await makeProperty(page, 'test', 'Harbour Loft');
    await makeDoubleBooking(page, house);
    await callTrpcMutation(page, 'test', 'webhook_endpoints.create', {
      url: `http://127.0.0.1:${await findFreePort()}/hooks`,
    });
    for (let day = 0; day < 6; day++)
      await makeReservation(page, 'test', house, { guest_name: `Guest ${day}`, checkin: day });
    const first = page.getByRole('link', { name: 'Guest 0' });
    await expect(async () => {
      await page.goto('/');
      await expect(page.getByRole('link', { name: '1 webhook endpoint not working' })).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expect(page.getByRole('link', { name: '1 double booking' })).toBeVisible();
    await expect(first).toBeInViewport({ ratio: 1 });
    await expectNoViolationsInBothColorSchemes(page);
    await context.close();
  });
}

test('unsigned guests of the next three days get the packet, first time or again, in three clicks', {
  tag: '@smoke',
}, async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
  const house = await makeProperty(page, 'test', 'Harbour Loft');
  const today = await makeReservation(page, 'test', house, { guest_name: 'Ada Lovelace', checkin: 0 });
  await callTrpcMutation(page, 'test', 'reservations.send', { id: today });
  await makeReservation(page, 'test', house, { guest_name: 'Grace Hopper', checkin: 2 });
  await makeReservation(page, 'test', house, { guest_name: 'Mary Jackson', checkin: 3 });
  const signed = await makeReservation(page, 'test', house, { guest_name: 'Hedy Lamarr', checkin: 1 });
  await callTrpcMutation(page, 'test', 'reservations.sign_manually', { id: signed });
  await callTrpcMutation(page, 'test', 'reservations.create', {
    ...{ property_id: house, guest_name: 'Nobody Knows', guest_email: null },
    ...{ checkin_date: getDateDaysFromNow(1), checkout_date: getDateDaysFromNow(3) },
  });
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Mary Jackson' })).toBeVisible();
  let clicks = 0;
  const click = async (name: string) => {
    clicks += 1;
    await page.getByRole('button', { name, exact: true }).click();
  };
  await click('Next 3 days');
  await expect(page).toHaveURL('/?days=3');
  await expect(page.getByRole('link', { name: 'Mary Jackson' })).toHaveCount(0);
  await click('Email 3 guests');
  const who = page.getByRole('list', { name: 'Recipients' });
  await expect(who.getByRole('listitem').filter({ hasText: 'Grace Hopper' })).toContainText('(first email)');
  await expect(who.getByRole('listitem')).toHaveCount(2);
  await expect(page.getByRole('list', { name: 'Skipped' })).toContainText('Nobody Knows');
  await expectAccessible(page);
  await click('Send again to 2 guests');
  expect(clicks).toBe(3);
  await expect(page.getByText('Sent again to 2 guests.')).toBeVisible();
  const mails = await callTrpcQuery<{ data: { to: string }[] }>(page, 'test', 'mail.list', { limit: 10 });
  expect(mails.data).toHaveLength(3);
  await context.close();
});

test('the last 30 days appear as a chart, a sentence and a table', async ({ page }) => {
  await makeReservation(page, 'test', property, { guest_name: 'Mary Jackson', checkin: 60 });
  await page.goto('/');
  const chart = page.getByRole('img', { name: /^Chart of the last 30 days\. Reservations created: \d+/ });
  await expect(chart.locator('[title]').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'As a table' }).click();
  const table = page.getByRole('table', { name: 'What happened on each of the last 30 days' });
  await expect(table.getByRole('row')).toHaveCount(31);
  await expect(table.getByRole('row').nth(1).getByRole('cell').nth(1)).not.toHaveText('0');
  await expectAccessible(page);
});

test('single-key shortcuts navigate anywhere, never fire while typing, and can be switched off', async ({ page }) => {
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
  await help.getByRole('switch', { name: 'Single-key shortcuts' }).click();
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await page.keyboard.press('n');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await page.getByPlaceholder('Guest, booking code, property, ID, page…').fill('new res');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'New reservation' })).toBeVisible();
});
