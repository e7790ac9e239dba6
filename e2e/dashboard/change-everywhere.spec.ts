/**
 * Tests changing one fee or rule in every packet that contains it, and copying a packet onto
 * others. No edit may be lost silently.
 */
import { expect, type Page, test } from '@playwright/test';
import { listTestModePacketsOfProperty, makePacket, retrieveTestModePacket } from './packet-data';
import {
  callTrpcMutation,
  callTrpcQuery,
  createTeamWithOwner,
  expectAccessible,
  expectAccessibleOnAllDevices,
  makeReservation,
  setLiveOrTestMode,
  signIn,
} from './support';

interface House {
  property: string;
  packet: string;
}

const feesOf = async (page: Page, id: string) =>
  (await retrieveTestModePacket(page, id)).fees.map(({ label, amount_cents }) => `${label} ${amount_cents}`);

/**
 * Creates two houses with a late check-out fee in euros, a variant of the first house's packet, and
 * a third house with a fee in pounds.
 */
async function makeHouses(page: Page): Promise<{ azul: House; verde: House; mews: House; winter: string }> {
  const azul = await makePacket(page, 'Casa Azul');
  const winter = await callTrpcMutation<{ id: string }>(page, 'test', 'packets.create', {
    ...{ id: azul.property, name: 'Winter', copy_from: azul.packet },
  });
  const verde = await makePacket(page, 'Casa Verde');
  const mews = await makePacket(page, 'The Mews');
  await callTrpcMutation(page, 'test', 'packets.update', {
    id: mews.packet,
    currency: 'GBP',
    fees: [
      { label: 'Late checkout', amount_cents: 4000, unit: 'per hour' },
      { label: 'Dog', amount_cents: 2500 },
    ],
  });
  return { azul, verde, mews, winter: winter.id };
}

test.beforeEach(async ({ page, baseURL }) => {
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
});

test('a fee changes in every packet in three clicks; guests with the old version get the new in two more', {
  tag: '@smoke',
}, async ({ page }) => {
  const { azul, verde, mews, winter } = await makeHouses(page);
  const sent = await makeReservation(page, 'test', azul.property, { guest_name: 'Ada Lovelace' });
  await callTrpcMutation(page, 'test', 'reservations.send', { id: sent });
  await makeReservation(page, 'test', verde.property, { guest_name: 'Grace Hopper' });
  await page.goto('/properties');
  let clicks = 0;
  const click = async (name: string | RegExp, role: 'button' | 'link' = 'button') => {
    clicks += 1;
    await page.getByRole(role, { name, exact: true }).click();
  };
  await click('Change a fee or rule', 'link');
  const dialog = page.getByRole('dialog', { name: 'Change a fee or rule everywhere' });
  clicks += 1;
  await dialog.getByLabel('What to change').selectOption({ label: 'Late check-out (4 places)' });
  const places = dialog.getByRole('list', { name: 'Where to change it' }).getByRole('listitem');
  await expect(places).toHaveCount(4);
  await expect(places.filter({ hasText: 'Winter' })).toContainText('€50.00 per hour');
  await expect(places.filter({ hasText: 'The Mews' })).toContainText('£40.00 per hour');
  await expect(dialog).toContainText('1 guest was sent the old version and has not signed it: Ada Lovelace.');
  await expect(dialog).toContainText('No guest with an upcoming stay has signed the old version.');
  await expect(dialog.getByRole('button', { name: 'Change in 4 places' })).toBeDisabled();
  await dialog.getByLabel('Amount in EUR').fill('6o');
  await expect(dialog.getByText('Enter an amount like 50 or 12.50.')).toBeVisible();
  await dialog.getByLabel('Amount in EUR').fill('60');
  // An amount in euros does not change fees in pounds.
  await expect(dialog.getByRole('button', { name: 'Change in 3 places' })).toBeEnabled();
  await dialog.getByLabel('Amount in GBP').fill('55.50');
  await expectAccessible(page);
  // Another user changes one of the packets while the dialog is open.
  await callTrpcMutation(page, 'test', 'packets.update', { id: verde.packet, welcome_message: 'Theirs' });
  await click('Change in 4 places');
  expect(clicks).toBe(3);
  await expect(dialog.getByText('Changed in 3 places.')).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Skipped' })).toContainText('Casa Verde');
  expect(await feesOf(page, azul.packet)).toEqual(['Late check-out 6000']);
  expect(await feesOf(page, winter)).toEqual(['Late check-out 6000']);
  expect(await feesOf(page, verde.packet)).toEqual(['Late check-out 5000']);
  expect(await feesOf(page, mews.packet)).toEqual(['Late checkout 5550', 'Dog 2500']);
  expect((await retrieveTestModePacket(page, azul.packet)).rules).toHaveLength(3);
  await expectAccessible(page);
  await click('Send again to 1 guest');
  await expect(page.getByRole('list', { name: 'Recipients' })).toContainText('ada.lovelace@example.com');
  await click('Send again to 1 guest');
  expect(clicks).toBe(5);
  await expect(page.getByText('Sent again to 1 guest.')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const mails = await callTrpcQuery<{ data: unknown[] }>(page, 'test', 'mail.list', { reservation: sent, limit: 10 });
  expect(mails.data).toHaveLength(2);
});

test('a rule changes from the editor in selected packets, and the editor continues with the new version', async ({
  page,
}) => {
  const { azul, verde, winter } = await makeHouses(page);
  await page.goto(`/properties/${azul.property}/packets/${azul.packet}`);
  await page.getByRole('button', { name: 'Change a fee or rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What to change').selectOption({ label: 'Quiet after ten. (4 places)' });
  const places = dialog.getByRole('list', { name: 'Where to change it' }).getByRole('listitem');
  await places.filter({ hasText: 'Casa Verde' }).getByRole('checkbox').uncheck();
  await dialog.getByLabel('Rule', { exact: true }).fill('Quiet after 21:00.');
  await expectAccessibleOnAllDevices(page);
  await dialog.getByRole('button', { name: 'Change in 3 places' }).click();
  await expect(dialog.getByText('Changed in 3 places.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const rule = page.getByRole('textbox', { name: 'Rule 2', exact: true });
  await expect(rule).toHaveValue('Quiet after 21:00.');
  await rule.fill('Quiet after 21:30.');
  await expect
    .poll(async () => (await retrieveTestModePacket(page, azul.packet)).rules[1]?.text, { timeout: 10_000 })
    .toBe('Quiet after 21:30.');
  expect((await retrieveTestModePacket(page, winter)).rules[1]?.text).toBe('Quiet after 21:00.');
  expect((await retrieveTestModePacket(page, verde.packet)).rules[1]?.text).toBe('Quiet after ten.');
});

test('copying shows beforehand what it would delete, with amounts, and variants can be selected', async ({ page }) => {
  const { azul, mews, winter } = await makeHouses(page);
  await page.goto(`/properties/${azul.property}/packets/${azul.packet}`);
  await page.getByRole('button', { name: 'Copy to other properties' }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy to other properties' });
  await dialog.getByLabel('House rules').uncheck();
  await dialog.getByLabel('Fees and currency').check();
  const targets = dialog.getByRole('list', { name: 'What would change' }).getByRole('listitem');
  const theirs = targets.filter({ hasText: 'The Mews' }).first();
  await expect(theirs.getByText('Deleted in the other property:')).toBeVisible();
  // The text is visible outside the collapsed list of changes too.
  await expect(theirs.getByRole('listitem').filter({ hasText: 'Dog, £25.00' })).toBeVisible();
  await expect(targets.filter({ hasText: 'Casa Azul: Winter' }).first()).toContainText('No changes');
  await expectAccessibleOnAllDevices(page);
  await dialog.getByRole('button', { name: 'Copy to 1 property' }).click();
  await expect(dialog).toBeHidden();
  expect(await feesOf(page, mews.packet)).toEqual(['Late check-out 5000']);

  await page.goto(`/properties/${mews.property}/packets/${mews.packet}`);
  await callTrpcMutation(page, 'test', 'packets.update', {
    id: winter,
    fees: [{ label: 'Sledge', amount_cents: 1250 }],
  });
  await page.getByRole('button', { name: 'Copy from another property' }).click();
  const take = page.getByRole('dialog');
  await take.getByLabel('Property').selectOption({ label: 'Casa Azul' });
  await take.getByRole('combobox', { name: 'Variant' }).selectOption({ label: 'Winter' });
  await take.getByLabel('Replace the existing content').check();
  const what = take.getByRole('region', { name: 'What will change in these house rules' });
  await expect(what).toContainText('Late check-out, €50.00');
  await expect(what).toContainText('Sledge, €12.50');
  await expectAccessible(page);
  await take.getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => feesOf(page, mews.packet)).toEqual(['Sledge 1250']);
  expect((await listTestModePacketsOfProperty(page, azul.property)).map(({ id }) => id)).toContain(winter);
});
