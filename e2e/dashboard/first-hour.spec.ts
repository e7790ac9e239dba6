/**
 * Tests a new host's first hour, from creating an account to a signed test certificate, and the
 * steps after it.
 */
import { randomBytes } from 'node:crypto';
import { expect, type Locator, type Page, test } from '@playwright/test';
import {
  callTrpcMutation,
  callTrpcQuery,
  createTeamWithOwner,
  expectAccessible,
  expectAccessibleOnAllDevices,
  makePropertyWithoutRules,
  makeReservation,
  setLiveOrTestMode,
  signIn,
} from './support';

const steps = (page: Page) => page.getByRole('list', { name: 'Getting started' });
const step = (page: Page, text: string) => steps(page).getByRole('listitem').filter({ hasText: text });

test('from sign-up to a signed test certificate in at most ten clicks', { tag: '@smoke' }, async ({ page }) => {
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  const name = 'Nora Quist';
  await page.goto('/sign-up');
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Email').fill(`nora-${randomBytes(5).toString('hex')}@example.com`);
  await page.getByLabel('Password').fill('correct horse battery');
  await click(page.getByRole('button', { name: 'Create account' }));
  await page.getByLabel('Team or business').fill('Quist Stays');
  await click(page.getByRole('button', { name: 'Continue' }));

  await expect(page.getByText('0 of 4 done')).toBeVisible();
  await expectAccessibleOnAllDevices(page);
  await expect(page.getByRole('radio', { name: 'Live' })).toBeChecked();
  await click(step(page, 'Sign as a guest').getByRole('button', { name: 'Switch to test mode' }));
  await expect(page.getByRole('radio', { name: 'Test' })).toBeChecked();
  await expectAccessibleOnAllDevices(page);
  await click(step(page, 'Sign as a guest').getByRole('button', { name: 'Create a sample' }));

  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await click(page.getByRole('button', { name: 'Send', exact: true }));
  await click(page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }));
  const open = page.getByRole('link', { name: 'Open as guest' });
  await expect(open).toBeVisible();
  await expectAccessibleOnAllDevices(page);
  const tab = page.waitForEvent('popup');
  await click(open);
  const guest = await tab;
  for (const text of ['Sample apartment', 'No smoking indoors.', 'Late check-out', 'fire extinguisher'])
    await expect(guest.getByText(text).first()).toBeVisible();
  await guest.getByLabel('Your full name').fill(name);
  await click(guest.locator('#consent'));
  await click(guest.getByRole('button', { name: 'Review and sign' }));
  await click(guest.getByRole('button', { name: 'Sign now' }));
  await expect(guest.getByText('1234#')).toBeVisible();
  await guest.close();

  await expect(page.getByRole('link', { name: 'Download certificate' })).toBeVisible({ timeout: 40_000 });
  expect(clicks).toBeLessThanOrEqual(10);
  await page.goto('/');
  await expect(page.getByText('1 of 4 done')).toBeVisible();
  await expect(step(page, 'Sign as a guest')).toContainText('(done)');
});

test('the first steps never switch the mode by themselves, and disappear when all are done', async ({
  page,
  baseURL,
}) => {
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
  await page.goto('/');
  const live = ['Create a property', 'Write the house rules', 'Connect a calendar'];
  for (const name of live) {
    await expect(step(page, name)).toContainText('You do this step in live mode.');
    await expect(step(page, name).getByRole('button')).toHaveText('Switch to live mode');
    await expect(step(page, name).getByRole('link')).toHaveCount(0);
  }
  await step(page, 'Create a property').getByRole('button', { name: 'Switch to live mode' }).click();
  await expect(page.getByRole('radio', { name: 'Live' })).toBeChecked();
  // Without a property, these two steps have no link.
  await expect(step(page, 'Write the house rules').getByRole('link')).toHaveCount(0);
  await expect(step(page, 'Connect a calendar').getByRole('link')).toHaveCount(0);
  await step(page, 'Create a property').getByRole('link', { name: 'Create' }).click();
  await expect(page.getByRole('dialog', { name: 'Create a property' })).toBeVisible();

  const property = await makePropertyWithoutRules(page, 'live', 'Casa Azul');
  await page.goto('/');
  await expect(page.getByText('1 of 4 done')).toBeVisible();
  await step(page, 'Write the house rules').getByRole('link', { name: 'Write' }).click();
  await expect(page).toHaveURL(`/properties/${property}/packets/default`);
  await callTrpcMutation(page, 'live', 'packets.update_default', { id: property, rules: [{ text: 'No smoking.' }] });
  await page.goto('/');
  await step(page, 'Connect a calendar').getByRole('link', { name: 'Connect' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/calendars');

  const feed_url = 'https://calendar.example.com/feed.ics';
  await callTrpcMutation(page, 'live', 'sync_sources.create', {
    property_id: property,
    kind: 'channel_a_ical',
    feed_url,
  });
  await page.goto('/');
  await expect(page.getByText('3 of 4 done')).toBeVisible();
  const sample = await makePropertyWithoutRules(page, 'test', 'Sample');
  const signed = await makeReservation(page, 'test', sample, { guest_name: 'Ada Lovelace' });
  await callTrpcMutation(page, 'test', 'reservations.sign_manually', { id: signed });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Arrivals' })).toBeVisible();
  await expect(steps(page)).toHaveCount(0);
});

test('the first steps can be dismissed for good', async ({ page }) => {
  await signIn(page, await createTeamWithOwner(), '/');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(steps(page)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Arrivals' })).toBeVisible();
  await expect(steps(page)).toHaveCount(0);
});

test('empty house rules are not sent: the dialog names what is missing and links to it', async ({ page, baseURL }) => {
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
  const property = await makePropertyWithoutRules(page, 'test', 'Casa Azul');
  const id = await makeReservation(page, 'test', property, { guest_name: 'Ada Lovelace' });
  await page.goto(`/reservations/${id}`);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Send the house rules to Ada Lovelace?' });
  await expect(dialog).toContainText('The house rules have no rules and no fees yet.');
  await expect(dialog.getByRole('button', { name: 'Send' })).toHaveCount(0);
  await expectAccessible(page);
  await dialog.getByRole('link', { name: 'Write house rules' }).click();
  await expect(page).toHaveURL(new RegExp(`/properties/${property}/packets/`));
  await callTrpcMutation(page, 'test', 'packets.update_default', { id: property, rules: [{ text: 'No smoking.' }] });
  await page.goto(`/reservations/${id}`);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('button', { name: 'Links' }).click();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Open as guest' })).toHaveAttribute(
    'target',
    '_blank',
  );
  await expectAccessible(page);
});

test('a property is copied to test mode and back, without its guests', async ({ page }) => {
  await signIn(page, await createTeamWithOwner());
  const property = await makePropertyWithoutRules(page, 'live', 'Casa Azul');
  await callTrpcMutation(page, 'live', 'packets.update_default', { id: property, rules: [{ text: 'No smoking.' }] });
  await makeReservation(page, 'live', property, { guest_name: 'Ada Lovelace', checkin: 5 });
  await page.goto(`/properties/${property}`);
  await page.getByRole('button', { name: 'Copy to test mode' }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy to test mode' });
  await expect(dialog).toContainText('Guests, reservations, calendars and web addresses are not copied.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Copy to test mode' }).click();
  await page.getByRole('button', { name: 'Switch to test mode' }).click();
  await expect(page.getByRole('radio', { name: 'Test' })).toBeChecked();
  await page
    .getByRole('table', { name: 'Properties', exact: true })
    .getByRole('link', { name: 'Casa Azul', exact: true })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Casa Azul' })).toBeVisible();
  const found = await callTrpcQuery<{ data: unknown[] }>(page, 'test', 'reservations.list', { limit: 10 });
  expect(found.data).toEqual([]);
  await page.getByRole('button', { name: 'Copy to live mode' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy to live mode' }).click();
  await expect(
    page.getByText('Casa Azul is now in live mode too. Check its name, door code and Wi-Fi there.'),
  ).toBeVisible();
  const live = await callTrpcQuery<{ data: { name: string }[] }>(page, 'live', 'properties.list', { limit: 10 });
  expect(live.data.map(({ name }) => name)).toEqual(['Casa Azul', 'Casa Azul']);
});
