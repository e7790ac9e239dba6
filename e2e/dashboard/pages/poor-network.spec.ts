/**
 * Tests the dashboard when the network is slow or fails, or the server was updated while the page
 * was open.
 */
import { expect, type Page, test } from '@playwright/test';
import {
  callTrpcMutation,
  createTeamWithOwner,
  expectAccessible,
  makeProperty,
  makeReservation,
  setLiveOrTestMode,
  signIn,
} from '../support';

let property: string;

async function openActions(page: Page) {
  // The first pointer movement loads the code of the notifications. The press loads the code of the
  // menu.
  await page.getByRole('button', { name: 'More actions' }).hover();
  await expect(page.locator('section[aria-label^="Notifications"]')).toBeAttached();
  await page.getByRole('button', { name: 'More actions' }).click();
}

test.beforeEach(async ({ page, baseURL }) => {
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
  property = await makeProperty(page, 'test', 'Harbour Loft');
  const id = await makeReservation(page, 'test', property, { guest_name: 'Dorothy Vaughan' });
  await page.goto(`/reservations/${id}`);
  await openActions(page);
});

const edit = (page: Page) => page.getByRole('menuitem', { name: 'Edit' }).click();
const guest = (page: Page) => page.getByRole('dialog').getByLabel('Guest’s name');
const not_reached = 'The server could not be reached.';

test('a dialog that fails to load shows why, and opens when the network is back', async ({ page }) => {
  await page.context().setOffline(true);
  await edit(page);
  await expect(page.getByText(not_reached)).toBeVisible();
  await expect(page.getByText('The page will open as soon as the server responds.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Dorothy Vaughan' })).toBeVisible();
  // Moves the pointer away from the disabled button, so that its tooltip closes.
  await page.mouse.move(0, 0);
  await expectAccessible(page);
  const tried = page.waitForEvent('requestfailed', (request) => request.url().includes('/_next/static/chunks/'));
  await page.getByRole('button', { name: 'Try again' }).click();
  await tried;
  await expect(page.getByText(not_reached)).toBeVisible();
  await page.context().setOffline(false);
  await expect(guest(page)).toHaveValue('Dorothy Vaughan');
  await expect(page.getByText(not_reached)).toHaveCount(0);
});

test('a dialog whose code was removed by an update offers to reload the page', async ({ page }) => {
  const parts = '**/_next/static/chunks/*.js';
  await page.route(parts, (route) => route.abort());
  await edit(page);
  await expect(page.getByText('A newer version of the dashboard may be available.')).toBeVisible();
  await page.unroute(parts);
  const reloaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await reloaded;
  await openActions(page);
  await edit(page);
  await expect(guest(page)).toHaveValue('Dorothy Vaughan');
});

for (const packets of [1, 2]) {
  test(`the dialog does not shift while ${packets === 1 ? 'its only packet loads' : 'its packets load'}`, async ({
    page,
  }) => {
    // The property already has its first packet.
    for (let number = 2; number <= packets; number += 1) {
      await callTrpcMutation(page, 'test', 'packets.create', { id: property, name: `Packet ${number}` });
    }
    let release = () => {};
    const late = new Promise<void>((done) => {
      release = done;
    });
    await page.route('**/api/trpc/*packets.list*', async (route) => {
      await late;
      await route.continue();
    });
    await edit(page);
    await expect(guest(page)).toBeFocused();
    const packet = page.getByRole('dialog').getByRole('combobox', { name: 'House rules' });
    const places = () =>
      page.getByRole('dialog').evaluate((dialog) =>
        [dialog, ...dialog.querySelectorAll('input, [role="combobox"]')].map((part) => {
          const { x, y, width, height } = part.getBoundingClientRect();
          return { x, y, width, height };
        }),
      );
    const before = await places();
    await expect(packet).toBeDisabled();
    release();
    await expect(packet).toBeEnabled();
    expect(await places()).toEqual(before);
    await packet.click();
    await expect(page.getByRole('option')).toHaveCount(1 + packets);
  });
}
