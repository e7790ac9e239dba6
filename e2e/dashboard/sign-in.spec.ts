import { expect, test } from '@playwright/test';
import { type CreatedTeamOwner, createTeamWithOwner, expectAccessible, signIn } from './support';

let owner: CreatedTeamOwner;
test.beforeAll(async () => {
  owner = await createTeamWithOwner();
});

test('a wrong password shows an error, and the right one opens the page that was requested', { tag: '@smoke' }, async ({
  page,
}) => {
  await page.goto('/reservations?status=signed');
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('The email address or the password is incorrect.')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/reservations\?status=signed$/);
  await expect(page.getByRole('heading', { name: 'Reservations', level: 1 })).toBeVisible();
});

test('a password never appears in the URL, even before the page’s scripts have loaded', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await page.getByLabel('Password').fill(owner.password);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeDisabled();
  await page.getByLabel('Password').press('Enter');
  await expect(page).toHaveURL(/\/sign-in$/);
  await context.close();
});

test('a signed-in user sees no sign-in or sign-up form', async ({ page }) => {
  await signIn(page, owner);
  for (const path of ['/sign-in', '/sign-up']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Hello');
  }
});

test('signing in never redirects to another site', async ({ page }) => {
  await page.goto('/sign-in?next=//evil.example/');
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Hello');
});

test('signing out ends the session', async ({ page }) => {
  await signIn(page, owner, '/');
  await page.getByRole('button', { name: new RegExp(owner.team) }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  await page.goto('/reservations');
  await expect(page).toHaveURL(/\/sign-in\?next=/);
});

test('an ended session leads to the sign-in page, and back to the same page', async ({ page, browser }) => {
  await signIn(page, owner, '/reservations');
  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await signIn(other, owner, '/settings');
  await other.getByRole('tab', { name: 'Sessions' }).click();
  await other.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(other.getByText('You are signed out everywhere else.')).toBeVisible();
  await page.getByRole('button', { name: 'Status: Any status' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Signed', exact: true }).click();
  await expect(page).toHaveURL(/\/sign-in\?next=%2Freservations/);
  await elsewhere.close();
});

test('a new account names its team and opens an empty dashboard', { tag: '@smoke' }, async ({ page }) => {
  const email = `new-${Date.now()}@example.com`;
  await page.goto('/sign-up');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Enter your name.')).toBeVisible();
  await page.getByLabel('Your name').fill('Nora');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('a long password');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByLabel('Team or business').fill('Nora’s Houses');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Hello, Nora' })).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Email is not set up' })).toBeVisible();
  await expect(page.getByText('You are on Free')).toBeVisible();
  await expectAccessible(page);
});

test('form input survives an ended session and a lost network', async ({ page }) => {
  const other = await createTeamWithOwner();
  await signIn(page, other, '/properties');
  await page.getByRole('button', { name: 'Create a property' }).first().click();
  await page.getByLabel('Name').fill('Typed for long');
  await page.context().setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText('You are offline.')).toHaveCount(0);
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Create property' }).click();
  await expect(page.getByText('Your session has ended.')).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue('Typed for long');
  await signIn(page, other);
  await page.getByRole('button', { name: 'Create property' }).click();
  await expect(page.getByRole('heading', { name: 'Typed for long' })).toBeVisible();
});

test('without a mail service the password reset page promises no mail', async ({ page }) => {
  await page.goto('/reset-password');
  await expect(page.getByText('This installation sends no email.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveCount(0);
  await expectAccessible(page);
});

test('a missing page is a 404 with a link home', async ({ page }) => {
  const response = await page.goto('/no-such-page');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('link', { name: 'Go to the dashboard' })).toBeVisible();
  // Opens an invitation link that does not exist. The page has the same layout as the sign-in page.
  expect((await page.goto('/invite/none'))?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
  await expect(page.getByRole('main')).toHaveCount(1);
  await expectAccessible(page);
});

test('the content security policy allows only the page’s own scripts', async ({ page }) => {
  const response = await page.goto('/sign-in');
  const policy = response?.headers()['content-security-policy'] ?? '';
  expect(policy).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic'(;|$)/);
  expect(policy).toContain("frame-ancestors 'none'");
  const again = await page.goto('/sign-in');
  expect(again?.headers()['content-security-policy']).not.toBe(policy);
});

test('a call without the dashboard’s own header is rejected, so that no other site can make it', async ({ page }) => {
  await signIn(page, owner);
  const response = await page.request.post('/api/trpc/accounts.revoke_other_sessions');
  expect(response.status()).toBe(403);
});
