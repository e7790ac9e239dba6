/**
 * Tests that a refused form moves the focus to its error, and that the error disappears once it is
 * corrected.
 */
import { expect, type Locator, type Page, test } from '@playwright/test';
import { callTrpcMutation, createTeamWithOwner, makeProperty, setLiveOrTestMode, signIn } from '../support';

test.beforeEach(async ({ page, baseURL }) => {
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
});

/** The buttons that open a dialog and submit its empty form. */
const DIALOGS = [
  { path: '/properties', open: 'Create a property', send: 'Create property' },
  { path: '/reservations?new=1', send: 'Create' },
  { path: '/developers/api-keys', open: 'Create key', send: 'Create key' },
  { path: '/developers/webhooks', open: 'Create endpoint', send: 'Create endpoint' },
  { path: '/settings/members', open: 'Invite', send: 'Create link' },
  { path: '/calendars', open: 'Connect', send: 'Check calendar' },
] as const;

async function firstWrong(page: Page, dialog: Locator): Promise<void> {
  const wrong = dialog.locator('[aria-invalid="true"]').first();
  await expect(wrong).toBeFocused();
  const ids = (await wrong.getAttribute('aria-describedby'))?.split(' ') ?? [];
  const said = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()));
  expect(said.join(' ')).not.toBe('');
}

test('submitting an empty dialog focuses the first invalid field, which shows its error', async ({ page }) => {
  await makeProperty(page, 'test', 'Casa Azul');
  await makeProperty(page, 'test', 'Casa Verde');
  for (const dialog of DIALOGS) {
    await test.step(dialog.path, async () => {
      await page.goto(dialog.path);
      if ('open' in dialog) await page.getByRole('button', { name: dialog.open }).first().click();
      const shown = page.getByRole('dialog');
      await shown.getByRole('button', { name: dialog.send, exact: true }).click();
      await firstWrong(page, shown);
    });
  }
});

test('a URL that the server rejects gets the focus, the second time too', async ({ page }) => {
  await page.goto('/developers/webhooks');
  await page.getByRole('button', { name: 'Create endpoint' }).first().click();
  const dialog = page.getByRole('dialog');
  const address = dialog.getByLabel('URL');
  for (const url of ['ftp://example.com/hook', 'https://user:secret@example.com/hook']) {
    await address.fill(url);
    await dialog.getByRole('button', { name: 'Create endpoint' }).click();
    await expect(address).toHaveAttribute('aria-invalid', 'true');
    await expect(address).toBeFocused();
  }
});

test('the error of a field disappears once its value is valid', async ({ page }) => {
  await makeProperty(page, 'test', 'Casa Azul');
  await page.goto('/reservations?new=1');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  const name = dialog.getByLabel('Guest’s name');
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await name.fill('Ada Lovelace');
  await expect(name).not.toHaveAttribute('aria-invalid');
  await expect(dialog.getByLabel('Check-in')).toHaveAttribute('aria-invalid', 'true');

  await page.goto('/properties');
  await page.getByRole('button', { name: 'Create a property' }).first().click();
  await dialog.getByRole('button', { name: 'Create property' }).click();
  await dialog.getByLabel('Name').fill('Casa Rosa');
  await expect(dialog.getByLabel('Name')).not.toHaveAttribute('aria-invalid');
});

test('the reason for a rejected form is visible, however long the form is', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  const property = await makeProperty(page, 'test', 'Casa Azul');
  await page.goto(`/reservations?property=${property}&new=1`);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Guest’s name').fill('Ada Lovelace');
  await dialog.getByLabel('Check-in').fill('2027-05-01');
  await dialog.getByLabel('Check-out').fill('2027-05-04');
  await callTrpcMutation(page, 'test', 'properties.delete', { id: property });
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(dialog.getByRole('alert')).toBeInViewport({ ratio: 1 });
});
