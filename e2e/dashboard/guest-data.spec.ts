import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import {
  callTrpcMutation,
  createTeamWithOwner,
  expectAccessibleOnAllDevices,
  makeProperty,
  makeReservation,
  signIn,
} from './support';

test('a guest’s data is erased in three clicks, with a receipt', { tag: '@smoke' }, async ({ page }) => {
  test.slow();
  await signIn(page, await createTeamWithOwner());
  const property = await makeProperty(page, 'live', 'Harbour Loft');
  const sent = await makeReservation(page, 'live', property, { guest_name: 'Ada Lovelace' });
  await callTrpcMutation(page, 'live', 'reservations.send', { id: sent });
  const draft = await makeReservation(page, 'live', property, { guest_name: 'Ada Lovelace', checkin: 20 });
  const other = await makeReservation(page, 'live', property, { guest_name: 'Grace Hopper' });
  await page.goto('/settings/data');
  let clicks = 0;
  const click = async (name: string, within = page.locator('body')) => {
    clicks += 1;
    await within.getByRole('button', { name, exact: true }).click();
  };
  await page.getByLabel('Guest’s email address').fill('ADA.lovelace@example.com');
  await click('Find');
  await expect(page.getByText('2 reservations found')).toBeVisible();
  await expect(page.getByText('Grace Hopper')).toHaveCount(0);
  await expectAccessibleOnAllDevices(page);
  await click('Erase permanently');
  await click('Erase permanently', page.getByRole('alertdialog').or(page.getByRole('dialog')));
  expect(clicks).toBe(3);
  await expect(page.getByText('The guest’s data has been erased.')).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download receipt' }).first().click();
  const receipt = await readFile(await (await download).path(), 'utf8');
  expect(receipt).toContain('Reservations: 2');
  for (const id of [sent, draft]) expect(receipt).toContain(id);
  expect(receipt).not.toMatch(/Ada|Lovelace/);
  await page.goto('/reservations');
  await expect(page.getByText('Ada Lovelace')).toHaveCount(0);
  await page.goto(`/reservations/${other}`);
  await expect(page.getByRole('heading', { name: 'Grace Hopper' })).toBeVisible();
});

test('the page of a reservation leads to erasing its guest, already found', async ({ page }) => {
  await signIn(page, await createTeamWithOwner());
  const property = await makeProperty(page, 'live', 'Harbour Loft');
  const id = await makeReservation(page, 'live', property, { guest_name: 'Ada Lovelace' });
  await page.goto(`/reservations/${id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Erase guest’s data' }).click();
  await expect(page.getByLabel('Guest’s name')).toHaveValue('Ada Lovelace');
  await expect(page.getByText('1 reservation found')).toBeVisible();
  await page.getByRole('button', { name: 'Erase permanently' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Erase permanently' }).click();
  await expect(page.getByText('The guest’s data has been erased.')).toBeVisible();
  await expect(page.getByLabel('Guest’s name')).toHaveValue('');
});

test('a search without a match explains how to enter the guest’s name', async ({ page }) => {
  await signIn(page, await createTeamWithOwner(), '/settings/data');
  await page.getByLabel('Guest’s name').fill('Lovelace');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByText('Enter the whole name exactly as it is in the reservation')).toBeVisible();
});

test('a month of reservations is exported in two clicks', { tag: '@smoke' }, async ({ page }) => {
  test.slow();
  await signIn(page, await createTeamWithOwner());
  const property = await makeProperty(page, 'live', 'Harbour Loft');
  const id = await makeReservation(page, 'live', property, { guest_name: 'Ada Lovelace', checkin: 0 });
  await page.goto('/reservations');
  let clicks = 0;
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  clicks += 1;
  await expectAccessibleOnAllDevices(page);
  const download = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('link', { name: 'Download' }).click();
  clicks += 1;
  expect(clicks).toBe(2);
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^reservations-20\d\d-\d\d\.csv$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toContain(id);
  expect(text.charCodeAt(0)).toBe(0xfeff);
  // The dialog also exports the other two kinds of data for the same month.
  for (const kind of ['Fees', 'Certificates']) {
    await page.getByRole('combobox', { name: 'What to export' }).click();
    await page.getByRole('option', { name: kind }).click();
    const next = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('link', { name: 'Download' }).click();
    expect((await next).suggestedFilename()).toMatch(new RegExp(`^${kind.toLowerCase()}-20`));
  }
});
