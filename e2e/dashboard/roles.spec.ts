import { type Browser, expect, type Page, test } from '@playwright/test';
import {
  callTrpcMutation,
  callTrpcQuery,
  createTeamWithOwner,
  expectAccessibleOnAllDevices,
  makeProperty,
  makeReservation,
  signIn,
} from './support';

/** Accepts an invitation through its link, in a separate browser with a new account. */
async function join(browser: Browser, link: string, name: string): Promise<Page> {
  const context = await browser.newContext();
  const guest = await context.newPage();
  await guest.goto(link);
  await guest.getByRole('link', { name: 'Create an account to accept' }).click();
  await guest.getByLabel('Your name').fill(name);
  await guest.getByLabel('Password').fill('a long password');
  await guest.getByRole('button', { name: 'Create account' }).click();
  await guest.getByRole('button', { name: 'Accept invitation' }).click();
  await expect(guest.getByRole('heading', { name: `Hello, ${name}` })).toBeVisible();
  return guest;
}

test('a co-host is invited for one property in four clicks and sees only that property', { tag: '@smoke' }, async ({
  page,
  browser,
}) => {
  test.slow();
  const owner = await createTeamWithOwner();
  await signIn(page, owner);
  const loft = await makeProperty(page, 'live', 'Harbour Loft');
  const villa = await makeProperty(page, 'live', 'Hill Villa');
  const shown = await makeReservation(page, 'live', loft, { guest_name: 'Ada Lovelace', checkin: 2 });
  const hidden = await makeReservation(page, 'live', villa, { guest_name: 'Grace Hopper', checkin: 2 });
  await page.goto('/settings/members');
  let clicks = 0;
  const click = async (name: string, role: 'button' | 'radio' | 'checkbox' | 'menuitem' = 'button') => {
    clicks += 1;
    await page.getByRole(role, { name, exact: true }).click();
  };
  await click('Invite');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill(owner.email.replace('owner', 'cohost'));
  await click('Co-host', 'radio');
  await dialog.getByLabel('Email').press('Enter');
  await expect(dialog.getByText('Choose at least one property.')).toBeVisible();
  await click('Harbour Loft', 'checkbox');
  await expectAccessibleOnAllDevices(page);
  await click('Create link');
  expect(clicks).toBe(4);
  const link = (await dialog.getByTitle('invitation link').textContent()) ?? '';
  await page.getByRole('button', { name: 'Done' }).click();

  const cohost = await join(browser, link, 'Mia');
  await expect(cohost.getByText('Ada Lovelace').first()).toBeVisible();
  await expect(cohost.getByText('Grace Hopper')).toHaveCount(0);
  await expect(cohost.getByRole('link', { name: 'Webhooks' })).toHaveCount(0);
  await expect(cohost.getByRole('main').getByRole('alert')).toHaveCount(0);
  await expectAccessibleOnAllDevices(cohost);
  await cohost.goto('/reservations');
  await expect(cohost.getByRole('table').getByText('Ada Lovelace').first()).toBeVisible();
  await expect(cohost.getByText('Grace Hopper')).toHaveCount(0);
  await cohost.goto(`/reservations/${hidden}`);
  await expect(cohost.getByText('Grace Hopper')).toHaveCount(0);
  await expect(cohost.getByRole('link', { name: 'Import' })).toHaveCount(0);
  await cohost.goto(`/properties/${loft}`);
  await expect(cohost.getByRole('link', { name: 'View house rules' })).toBeVisible();
  await expect(cohost.getByRole('tab')).toHaveText(['House rules']);
  await expect(cohost.getByRole('button', { name: /New variant|Rename|Delete/ })).toHaveCount(0);
  await cohost.getByRole('link', { name: 'View house rules' }).click();
  await expect(cohost.getByText('Your role can read these house rules but not change them.')).toBeVisible();
  await expect(cohost.getByRole('textbox', { name: 'Rule 1' })).toBeDisabled();
  await cohost.goto('/calendars');
  await expect(cohost.getByText('No calendar feeds yet')).toBeVisible();
  await expect(cohost.getByRole('button', { name: 'Connect' })).toHaveCount(0);
  await callTrpcMutation(cohost, 'live', 'reservations.send', { id: shown });
  const refused = await cohost.request.post('/api/trpc/reservations.send', {
    headers: { 'x-threshold-mode': 'live' },
    data: { id: hidden },
  });
  expect(refused.status()).toBe(404);

  // The owner makes the co-host a developer.
  const row = page.getByRole('list', { name: 'Members' }).getByRole('listitem').filter({ hasText: 'Mia' });
  await page.reload();
  await expect(row).toContainText('Co-host');
  clicks = 0;
  await click('Actions for Mia');
  await click('Change role', 'menuitem');
  await click('Developer', 'radio');
  await click('Save');
  expect(clicks).toBe(4);
  await expect(row).toContainText('Developer');
  await cohost.goto('/reservations');
  await expect(cohost.getByRole('link', { name: 'Webhooks' })).toBeVisible();
  await expect(cohost.getByRole('table').getByText('Hill Villa')).toBeVisible();
  await expect(cohost.getByText(/Lovelace|Hopper/)).toHaveCount(0);
  await expect(cohost.getByRole('link', { name: 'New reservation' })).toHaveCount(0);
  await cohost.goto('/');
  await expect(cohost.getByRole('listitem').filter({ hasText: 'Hill Villa' })).toBeVisible();
  await expect(cohost.getByRole('button', { name: /^(Send|Copy link)/ })).toHaveCount(0);
  await cohost.goto(`/reservations/${shown}`);
  await expect(cohost.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  await expect(cohost.getByRole('button', { name: /Resend|Links|More actions/ })).toHaveCount(0);
  await expect(cohost.getByRole('main').getByRole('alert')).toHaveCount(0);
  const list = await callTrpcQuery<{ data: { guest_name: string }[] }>(cohost, 'live', 'reservations.list', {});
  expect(list.data.map(({ guest_name }) => guest_name)).toEqual(['••••••', '••••••']);
  await cohost.context().close();
});
