import { expect, test } from '@playwright/test';
import { createTeamWithOwner, expectPageLoaded, makeProperty, makeReservation, signIn } from '../support';

test('on a low screen the search field is not cut off, and the account menu is visible', async ({ page }) => {
  await signIn(page, await createTeamWithOwner());
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto('/reservations');
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
  const search = sidebar.getByRole('button', { name: /Search or go to/ });
  await expect(search).toBeVisible();
  expect((await search.boundingBox())?.height).toBeGreaterThanOrEqual(32);
  await expect(sidebar.getByRole('button', { name: /owner-/ })).toBeInViewport({ ratio: 1 });
});

test('on a low screen the reservation filters and the search fit in two rows', async ({ page }) => {
  await signIn(page, await createTeamWithOwner());
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto('/reservations');
  const filters = page.getByRole('search', { name: 'Filter reservations' });
  const tops = await filters
    .locator('input, button[role="combobox"], button[aria-haspopup]')
    .evaluateAll((controls) => controls.map((control) => Math.round(control.getBoundingClientRect().top)));
  expect(tops.length).toBeGreaterThanOrEqual(9);
  expect(new Set(tops).size).toBe(2);
  // The chosen date fits into its field.
  await filters.getByLabel('Check-in from').fill('2030-12-24');
  const cut = await filters
    .locator('input[type="date"]')
    .evaluateAll((inputs) => inputs.map((input) => input.scrollWidth - input.clientWidth));
  expect(Math.max(...cut)).toBeLessThanOrEqual(0);
});

test('on a low screen the seven filters of the request log fit in two rows', async ({ page }) => {
  await signIn(page, await createTeamWithOwner());
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto('/developers/logs');
  const tops = await page
    .getByRole('search', { name: 'Filter requests' })
    .locator('input, button[role="combobox"], button[aria-haspopup]')
    .evaluateAll((controls) => controls.map((control) => Math.round(control.getBoundingClientRect().top)));
  expect(tops).toHaveLength(7);
  expect(new Set(tops).size).toBe(2);
});

test('a phone shows the main navigation at the bottom, and the dates of a stay above its timeline', async ({
  page,
}) => {
  await signIn(page, await createTeamWithOwner());
  await page.setViewportSize({ width: 390, height: 844 });
  const property = await makeProperty(page, 'live', 'Casa Azul');
  const id = await makeReservation(page, 'live', property, { guest_name: 'Ada Lovelace' });
  await page.goto('/');
  const bar = page.getByRole('navigation', { name: 'Main navigation' });
  await expect(bar.getByRole('link')).toHaveText(['Home', 'Reservations', 'Calendar']);
  await expect(bar.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page');
  await bar.getByRole('link', { name: 'Reservations' }).click();
  await expect(page).toHaveURL('/reservations');
  await expect(bar.getByRole('link', { name: 'Reservations' })).toHaveAttribute('aria-current', 'page');
  await bar.getByRole('button', { name: 'More' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Settings' }).click();
  await expect(page).toHaveURL('/settings');
  await page.goto(`/reservations/${id}`);
  const top = async (name: string) => (await page.getByRole('heading', { name, exact: true }).boundingBox())?.y ?? 0;
  expect(await top('Stay')).toBeLessThan(await top('Timeline'));
  await page.setViewportSize({ width: 1280, height: 720 });
  await expect(bar).toBeHidden();
});

test('neither the sidebar nor the page moves behind a dialog, whatever the scroll position', async ({ page }) => {
  await signIn(page, await createTeamWithOwner());
  await page.setViewportSize({ width: 1280, height: 720 });
  const property = await makeProperty(page, 'live', 'Casa Azul');
  for (let day = 1; day <= 20; day++) {
    await makeReservation(page, 'live', property, { guest_name: `Guest ${day}`, checkin: day });
  }
  await page.goto('/reservations');
  await expectPageLoaded(page);
  await page.evaluate(() => window.scrollTo(0, 300));
  const sidebar = page.locator('aside').first();
  const row = page.locator('[data-row]').last();
  const places = async () => [await sidebar.boundingBox(), await row.boundingBox()];
  const before = await places();
  expect(before[0]).toMatchObject({ y: 0 });
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await places()).toEqual(before);
  // Scrolling over the dialog's backdrop does not scroll the page.
  await page.mouse.move(1200, 680);
  await page.mouse.wheel(0, 200);
  await page.waitForTimeout(200);
  expect(await places()).toEqual(before);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await places()).toEqual(before);
});
