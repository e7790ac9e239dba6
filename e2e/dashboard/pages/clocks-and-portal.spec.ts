/**
 * Tests a developer's work in the dashboard with a test clock, and with the page that shares an
 * endpoint's deliveries.
 */
import { expect, test } from '@playwright/test';
import {
  callTrpcMutation,
  createTeamWithOwner,
  expectAccessible,
  expectAccessibleOnAllDevices,
  makeProperty,
  makePropertyWithoutRules,
  setLiveOrTestMode,
  signIn,
} from '../support';

test('a test clock is created and assigned to a property, and advancing it sends the packet', async ({
  page,
  baseURL,
}) => {
  await signIn(page, await createTeamWithOwner());
  await page.goto('/developers/test-clocks');
  await expect(page.getByText('Available in test mode')).toBeVisible();
  await setLiveOrTestMode(page, baseURL, 'test');
  const property_id = await makeProperty(page, 'test', 'Harbour Loft');
  await callTrpcMutation(page, 'test', 'properties.update', { id: property_id, auto_send_packet: true });
  await page.goto('/developers/test-clocks');
  await page.getByRole('button', { name: 'Create clock' }).first().click();
  await page.getByLabel('Name').fill('A whole stay');
  await page.getByLabel('Start time').fill('2030-12-01T09:00');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create clock' }).click();
  await expect(page.getByText('1 Dec 2030, 09:00 UTC')).toBeVisible();
  await page.getByLabel('Add a property').selectOption({ label: 'Harbour Loft' });
  await expect(page.getByRole('link', { name: 'Harbour Loft' })).toBeVisible();
  const reservation = await callTrpcMutation<{ id: string }>(page, 'test', 'reservations.create', {
    ...{ property_id, guest_name: 'Ada Lovelace', guest_email: 'ada@example.com' },
    ...{ checkin_date: '2030-12-24', checkout_date: '2030-12-28' },
  });
  await page.getByRole('button', { name: 'Advance' }).click();
  await page.getByLabel('To', { exact: true }).fill('2030-12-22T00:00');
  await page.getByRole('dialog').getByRole('button', { name: 'Advance', exact: true }).click();
  await expect(page.getByText('22 Dec 2030, 00:00 UTC')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText('Stopped')).toBeVisible();
  await expectAccessibleOnAllDevices(page);
  await page.goto(`/reservations/${reservation.id}`);
  await expect(page.getByText('Sent', { exact: true }).first()).toBeVisible();
  await page.goto('/developers/test-clocks');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete clock' }).click();
  await expect(page.getByText('No clocks yet')).toBeVisible();
});

test('a shared link shows an endpoint’s deliveries without an account, until it is revoked', async ({
  page,
  baseURL,
  browser,
}) => {
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
  const url = 'http://127.0.0.1:59999/hooks?token=in-the-url';
  const { id } = await callTrpcMutation<{ id: string }>(page, 'test', 'webhook_endpoints.create', {
    url,
    events: ['*'],
  });
  await makePropertyWithoutRules(page, 'test', 'Harbour Loft');
  await page.goto(`/developers/webhooks/${id}`);
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByLabel('Valid for').selectOption('1');
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = (await page.getByText('/portal/').innerText()).trim();
  await page.getByRole('button', { name: 'Done' }).click();

  const stranger = await (await browser.newContext()).newPage();
  const complaints: string[] = [];
  stranger.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await stranger.goto(link);
  await expect(stranger.getByRole('heading', { level: 1 })).toHaveText('Deliveries to http://127.0.0.1:59999/hooks?…');
  await expect(async () => {
    await stranger.reload();
    await stranger.locator('summary', { hasText: 'property.created' }).first().click({ timeout: 1_000 });
  }).toPass();
  await expect(stranger.getByText('"Harbour Loft"').first()).toBeVisible();
  await expectAccessibleOnAllDevices(stranger);
  expect(complaints).toEqual([]);

  await page.getByRole('button', { name: 'Withdraw link' }).click();
  await expect(page.getByText('There is no link.')).toBeVisible();
  expect((await stranger.goto(link))?.status()).toBe(404);
  await expect(stranger.getByText('This link does not work')).toBeVisible();
  await stranger.context().close();
});
