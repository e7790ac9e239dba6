/** Tests exporting a team's data and deleting the account. */
import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { unpackZip } from '../../src/testing/unzip';
import { createApiClient } from '../support/api-client';
import { makeCertificate } from './certificate';
import {
  type CreatedTeamOwner,
  callTrpcMutation,
  createTeamWithOwner,
  expectAccessible,
  expectAccessibleOnAllDevices,
  makeProperty,
  setLiveOrTestMode,
  signIn,
  signUpInvitedMemberInNewBrowser,
} from './support';

async function openDeletion(page: Page, owner: CreatedTeamOwner) {
  await page.goto('/settings/data');
  await page.getByRole('button', { name: 'Delete the team' }).click();
  const dialog = page.getByRole('dialog', { name: `Delete ${owner.team}?` });
  return {
    dialog,
    fill: async (name: string, password: string) => {
      await dialog.getByLabel(/^Type/).fill(name);
      await dialog.getByLabel('Your password').fill(password);
      await dialog.getByRole('button', { name: 'Delete permanently' }).click();
    },
  };
}

test('an export is a ZIP with each certificate’s PDF and every table', { tag: '@smoke' }, async ({ page, baseURL }) => {
  const owner = await createTeamWithOwner();
  await signIn(page, owner);
  await setLiveOrTestMode(page, baseURL, 'test');
  const id = await makeCertificate(page, 'Ada Lovelace');
  await page.goto('/settings/data');
  await expect(page.getByText('1 property, 1 reservation and 1 certificate will be deleted')).toBeVisible();
  await page.getByRole('button', { name: 'Prepare export' }).click();
  await expect(page.getByText('The link works in this session')).toContainText('14 min left');
  await expectAccessibleOnAllDevices(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download the ZIP' }).click(),
  ]);
  const files = unpackZip(await readFile(await download.path()));
  expect(files.get(`test/certificates/${id}.pdf`)?.subarray(0, 5).toString()).toBe('%PDF-');
  const { rows } = JSON.parse(files.get('contents.json')?.toString() ?? '');
  expect(rows).toMatchObject({ 'test/reservations': 1, 'test/certificates': 1, 'live/reservations': 0 });
  expect(files.get('test/reservations.json')?.toString()).toContain('Ada Lovelace');
});

test('a manager can erase guests, but can neither export the data nor delete the team', async ({
  page,
  browser,
  baseURL,
}) => {
  const owner = await createTeamWithOwner();
  await signIn(page, owner);
  const member = await signUpInvitedMemberInNewBrowser(page, browser, owner, baseURL);
  await member.goto('/settings/data');
  await expect(member.getByRole('heading', { name: 'Erase a guest’s data' })).toBeVisible();
  await expect(member.getByRole('button', { name: 'Delete the team' })).toHaveCount(0);
  for (const [path, input] of [
    ['team_data.create_export', {}],
    ['team_data.delete_team', { name: owner.team, password: 'a long password' }],
  ] as const) {
    const headers = { 'x-threshold-mode': 'live' };
    const refused = await member.request.post(`/api/trpc/${path}`, { headers, data: input });
    expect(refused.status(), path).toBe(403);
  }
  await member.goto('/settings/audit-log');
  await expect(member.getByText('Only owners can see the audit log')).toBeVisible();
  await member.context().close();
});

test('a legal hold prevents the deletion of the team', async ({ page, baseURL }) => {
  const owner = await createTeamWithOwner();
  await signIn(page, owner);
  await setLiveOrTestMode(page, baseURL, 'test');
  const id = await makeCertificate(page, 'Grace Hopper');
  await callTrpcMutation(page, 'test', 'certificates.set_legal_hold', { id, legal_hold: true });
  await page.goto('/settings/data');
  await expect(page.getByText('One certificate is under legal hold')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete the team' })).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(page);
  const headers = { 'x-threshold-mode': 'test' };
  const data = { name: owner.team, password: owner.password };
  const refused = await page.request.post('/api/trpc/team_data.delete_team', { headers, data });
  expect(refused.status()).toBe(409);
});

test('deleting the team ends its sessions, keys and sign-ins', async ({ page, browser, baseURL }) => {
  const owner = await createTeamWithOwner();
  await signIn(page, owner);
  await makeProperty(page, 'live', 'Lighthouse');
  const { key } = await callTrpcMutation<{ key: string }>(page, 'live', 'api_keys.create', {
    name: 'CI',
    scopes: null,
  });
  const api = createApiClient(baseURL ?? '', key);
  expect((await api.call('GET', '/properties')).status).toBe(200);
  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await signIn(other, owner);

  const { dialog, fill } = await openDeletion(page, owner);
  await expectAccessible(page);
  await fill('Another team', owner.password);
  await expect(dialog.getByText('This is not the team’s name.')).toBeVisible();
  await fill(owner.team, 'not the password');
  await expect(dialog.getByText('The password is incorrect.')).toBeVisible();
  await fill(owner.team, owner.password);
  await expect(page).toHaveURL(/\/sign-in$/);

  expect((await api.call('GET', '/properties')).status).toBe(401);
  await other.goto('/properties');
  await expect(other).toHaveURL(/\/sign-in\?next=/);
  await other.getByLabel('Email').fill(owner.email);
  await other.getByLabel('Password').fill(owner.password);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(other.getByText('The email address or the password is incorrect.')).toBeVisible();
  await elsewhere.close();
});
