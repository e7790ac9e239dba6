import { expect, test } from '@playwright/test';
import { computePreviousTotpOfKey, computeTotpOfKey } from '@/testing/totp';
import {
  callTrpcMutation,
  callTrpcQuery,
  createTeamWithOwner,
  expectAccessible,
  signIn,
  signUpInvitedMemberInNewBrowser,
} from './support';

test('two-factor is turned on with an app, and signing in then requires its code', async ({ page, browser }) => {
  const owner = await createTeamWithOwner();
  await signIn(page, owner, '/settings');
  await page.getByRole('tab', { name: 'Security' }).click();
  await page.getByRole('button', { name: 'Turn on' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password').fill('not the password');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('The password is incorrect.')).toBeVisible();
  await dialog.getByLabel('Password').fill(owner.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByAltText('QR code for the authenticator app')).toBeVisible();
  await expectAccessible(page);
  const key = (await dialog.getByTitle('key', { exact: true }).textContent()) ?? '';
  // The current code is needed below.
  await dialog.getByLabel('Code', { exact: true }).fill(await computePreviousTotpOfKey(key));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const recovery = (await codes.first().textContent()) ?? '';
  await dialog.getByRole('button', { name: 'I have saved the codes' }).click();
  await expect(page.getByText('On', { exact: true })).toBeVisible();

  await page.context().clearCookies();
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recovery);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Hello');

  // A recovery code works only once. A code from the app still works.
  const context = await browser.newContext();
  const again = await context.newPage();
  await again.goto('/sign-in');
  await again.getByLabel('Email').fill(owner.email);
  await again.getByLabel('Password').fill(owner.password);
  await again.getByRole('button', { name: 'Sign in', exact: true }).click();
  await again.getByRole('button', { name: 'Use a recovery code' }).click();
  await again.getByLabel('Recovery code').fill(recovery);
  await again.getByRole('button', { name: 'Continue' }).click();
  await expect(again.getByText('This recovery code is incorrect or was already used.')).toBeVisible();
  await again.getByRole('button', { name: 'Use the authenticator app' }).click();
  await again.getByLabel('Code', { exact: true }).fill(computeTotpOfKey(key));
  await again.getByRole('button', { name: 'Continue' }).click();
  await expect(again.getByRole('heading', { level: 1 })).toContainText('Hello');
  await context.close();

  // Irreversible actions also require a code.
  await page.goto('/settings/data');
  await page.getByRole('button', { name: 'Delete the team' }).click();
  await dialog.getByLabel(/^Type/).fill(owner.team);
  await dialog.getByLabel('Your password').fill(owner.password);
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(dialog.getByText('Enter the code.')).toBeVisible();
  await dialog.getByLabel('Code', { exact: true }).fill('000000');
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(dialog.getByText('The code is incorrect.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Keep the team' }).click();

  await page.goto('/settings/security');
  await page.getByRole('button', { name: 'Turn off' }).click();
  await dialog.getByLabel('Password').fill(owner.password);
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByText('Two-factor is off.')).toBeVisible();
  await page.goto('/settings/audit-log');
  const log = page.getByRole('table', { name: 'Audit log' });
  for (const words of ['Turned two-factor on', 'with: password and recovery code', 'with: password and code']) {
    await expect(log.getByRole('row').filter({ hasText: words })).toHaveCount(1);
  }
  await expect(log.getByRole('row').nth(1)).toContainText('Turned two-factor off');
});

test('an invited member joins the team, and cannot do what only an owner may', { tag: '@smoke' }, async ({
  page,
  browser,
}) => {
  const owner = await createTeamWithOwner();
  await signIn(page, owner, '/settings');
  await page.getByRole('tab', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'Invite' }).click();
  const email = owner.email.replace('owner', 'member');
  await page.getByRole('dialog').getByLabel('Email').fill(email);
  // This server sends no mail. The owner sees the link once and passes it on.
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = page.getByRole('dialog').getByTitle('invitation link');
  await expect(link).toContainText('/invite/');
  const invitation = (await link.textContent()) ?? '';
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(
    page.getByRole('list', { name: 'Members' }).getByRole('listitem').filter({ hasText: email }),
  ).toContainText('Invited as manager');

  const context = await browser.newContext();
  const guest = await context.newPage();
  await guest.goto(invitation);
  await expect(guest.getByRole('heading')).toContainText(`Join ${owner.team}`);
  await guest.getByRole('link', { name: 'Create an account to accept' }).click();
  await guest.getByLabel('Your name').fill('Mia');
  await expect(guest.getByLabel('Email')).toHaveValue(email);
  await guest.getByLabel('Password').fill('a long password');
  await guest.getByRole('button', { name: 'Create account' }).click();
  await guest.getByRole('button', { name: 'Accept invitation' }).click();
  await expect(guest.getByRole('heading', { name: 'Hello, Mia' })).toBeVisible();

  await guest.goto('/settings');
  await guest.getByRole('tab', { name: 'Members' }).click();
  await expect(guest.getByRole('button', { name: 'Invite' })).toHaveAttribute('aria-disabled', 'true');
  const refused = await guest.request.post('/api/trpc/accounts.update_team', {
    headers: { 'x-threshold-mode': 'live' },
    data: { name: 'Mine now' },
  });
  expect(refused.status()).toBe(403);

  const me = await callTrpcMutation<unknown>(page, 'live', 'accounts.update_team', { name: `${owner.team} renamed` });
  expect(me).toMatchObject({ name: `${owner.team} renamed` });
  await context.close();
});

test('a role changes, the last owner stays an owner, and a removed member loses access immediately', async ({
  page,
  browser,
  baseURL,
}) => {
  const owner = await createTeamWithOwner();
  await signIn(page, owner);
  const member = await signUpInvitedMemberInNewBrowser(page, browser, owner, baseURL);
  await page.goto('/settings/members');
  const row = page.getByRole('list', { name: 'Members' }).getByRole('listitem').filter({ hasText: 'Mia' });
  await row.getByRole('button', { name: 'Actions for Mia' }).click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  await page.getByRole('dialog').getByRole('radio', { name: 'Owner' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('Owner');
  await member.goto('/settings/members');
  await expect(member.getByRole('button', { name: 'Invite' })).not.toHaveAttribute('aria-disabled', 'true');

  await row.getByRole('button', { name: 'Actions for Mia' }).click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  await page.getByRole('dialog').getByRole('radio', { name: 'Manager' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('Manager');
  const [own] = await callTrpcQuery<{ id: string; email: string }[]>(page, 'live', 'accounts.list_members');
  const headers = { 'x-threshold-mode': 'live' };
  const data = { id: own?.id, role: 'manager' };
  const refused = await page.request.post('/api/trpc/accounts.update_member', { headers, data });
  expect(refused.status()).toBe(400);

  await row.getByRole('button', { name: 'Actions for Mia' }).click();
  await page.getByRole('menuitem', { name: 'Remove from the team' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  // Tests cannot find elements behind an open dialog.
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(row).toHaveCount(0);
  await member.goto('/reservations');
  await expect(member).toHaveURL('/welcome');
  await member.context().close();
});

test('a single other session can be ended', async ({ page, browser }) => {
  const owner = await createTeamWithOwner();
  await signIn(page, owner, '/settings/sessions');
  const context = await browser.newContext();
  const other = await context.newPage();
  await signIn(other, owner);
  await page.reload();
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect(sessions).toHaveCount(2);
  await sessions.getByRole('button', { name: 'Sign out' }).click();
  await expect(sessions).toHaveCount(1);
  await expect(sessions).toContainText('This session');
  await other.goto('/reservations');
  await expect(other).toHaveURL(/\/sign-in\?next=/);
  await context.close();
});

test('a new password ends all other sessions', async ({ page, browser }) => {
  const owner = await createTeamWithOwner();
  await signIn(page, owner, '/settings/security');
  const context = await browser.newContext();
  const other = await context.newPage();
  await signIn(other, owner);
  await page.getByLabel('Current password').fill(owner.password);
  await page.getByLabel('New password').fill('the next password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('You are signed out everywhere else.')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await other.goto('/reservations');
  await expect(other).toHaveURL(/\/sign-in\?next=/);
  await context.close();
});
