/**
 * Tests tasks that involve a mail: confirming an address, resetting a password, accepting an
 * invitation. Uses a separate server, whose mails this file receives.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page, test } from '@playwright/test';
import { findFreePort, startTestServer, type TestServer } from '../../src/testing/server';
import { type CreatedTeamOwner, callTrpcMutation, expectAccessible, signIn } from './support';

interface Mail {
  to: string;
  subject: string;
  text: string;
}

const port = await findFreePort();
const origin = `http://localhost:${port}`;
const owner: CreatedTeamOwner = { email: 'olga@example.com', password: 'correct horse battery', team: 'Sea View' };
const mails: Mail[] = [];
let provider: Server;
let server: TestServer;

test.describe.configure({ mode: 'serial' });
test.use({ baseURL: origin });

test.beforeAll(async () => {
  test.setTimeout(120_000);
  provider = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      mails.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ id: `m_${mails.length}` }));
    });
  });
  await new Promise<void>((listening) => provider.listen(0, '127.0.0.1', listening));
  const RESEND_BASE_URL = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const env = { RESEND_API_KEY: 're_test', RESEND_BASE_URL };
  server = await startTestServer({ with_pages: true, built: true, port, env });
  const { email, password, team } = owner;
  await server.createTeam({ name: team, email, password });
});
test.afterAll(async () => {
  await server?.stop();
  provider?.close();
});

/**
 * Waits for the newest mail to an address that contains a link beginning with this path. Returns
 * the link.
 */
async function mailedLink(to: string, path: string): Promise<string> {
  const find = () =>
    mails
      .filter((mail) => mail.to === to)
      .flatMap((mail) => mail.text.split(/\s+/))
      .findLast((word) => word.startsWith(origin + path));
  await expect.poll(find, { timeout: 20_000 }).toBeTruthy();
  return find() ?? '';
}

async function submitSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function signUp(page: Page, name: string, email: string): Promise<void> {
  await page.goto('/sign-up');
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('a long password');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
}

test('the confirmation link shows the address, and the browser that signed up confirms it with one click', {
  tag: '@smoke',
}, async ({ page }) => {
  const email = 'nora@example.com';
  await signUp(page, 'Nora', email);
  await expectAccessible(page);
  await page.goto('/');
  await expect(page).toHaveURL(/\/sign-in/);
  const link = await mailedLink(email, '/confirm-address?token=');
  await page.goto(link);
  await expect(page.getByText(email)).toBeVisible();
  await expect(page.getByLabel('Password')).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Confirm email address' }).click();
  await expect(page.getByText('Your email address is confirmed.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByLabel('Password').fill('a long password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Team or business').fill('Nora’s Houses');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Hello, Nora' })).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Email address not confirmed' })).toHaveCount(0);
});

test('in another browser the confirmation link asks for the password, then signs in', async ({ page, browser }) => {
  const email = 'otto@example.com';
  await signUp(page, 'Otto', email);
  const context = await browser.newContext({ baseURL: origin });
  const phone = await context.newPage();
  await phone.goto(await mailedLink(email, '/confirm-address?token='));
  await phone.getByLabel('Password').fill('not the password');
  await phone.getByRole('button', { name: 'Confirm email address' }).click();
  await expect(phone.getByText('The password is incorrect.')).toBeVisible();
  await expectAccessible(phone);
  await phone.getByLabel('Password').fill('a long password');
  await phone.getByRole('button', { name: 'Confirm email address' }).click();
  await expect(phone.getByLabel('Team or business')).toBeVisible();
  await context.close();
});

test('a mailbox owner who did not sign up sets a new password, and the stranger’s password stops working', async ({
  page,
  browser,
}) => {
  const email = 'victim@example.com';
  await signUp(page, 'Eve', email);
  const context = await browser.newContext({ baseURL: origin });
  const own = await context.newPage();
  const link = await mailedLink(email, '/confirm-address?token=');
  await own.goto(link);
  await own.getByRole('button', { name: 'Choose a new password' }).click();
  await own.getByLabel('New password').fill('one of my own');
  await own.getByRole('button', { name: 'Change password' }).click();
  await expect(own.getByRole('heading', { name: 'Password changed' })).toBeVisible();
  await submitSignIn(page, email, 'a long password');
  await expect(page.getByText('The email address or the password is incorrect.')).toBeVisible();
  await submitSignIn(own, email, 'one of my own');
  await expect(own.getByLabel('Team or business')).toBeVisible();
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Your email address is confirmed.' })).toBeVisible();
  await page.goto('/confirm-address?token=x');
  await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
  await expectAccessible(page);
  await context.close();
});

test('signing up with a taken address shows the same page, and its owner gets a mail', async ({ page }) => {
  await page.goto('/sign-up');
  await page.getByLabel('Your name').fill('Eve');
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password').fill('something eve chose');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await mailedLink(owner.email, '/sign-in');
});

test('the mailed link resets a forgotten password once, and ends every session', async ({ page, browser }) => {
  const before = await browser.newContext({ baseURL: origin });
  const signed_in = await before.newPage();
  await signIn(signed_in, owner, '/properties');

  await page.goto('/sign-in');
  await page.getByRole('link', { name: /forgot/i }).click();
  await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible();
  // The response does not reveal whether the address has an account.
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await expect(page.getByRole('status')).toContainText('If there is an account for nobody@example.com');
  await page.goto('/reset-password');
  await page.getByLabel('Email').fill(owner.email);
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await expect(page.getByRole('status')).toContainText(owner.email);
  const link = await mailedLink(owner.email, '/reset-password?token=');
  await page.goto(link);
  await expectAccessible(page);
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('The password needs at least 8 characters.')).toBeVisible();
  await page.getByLabel('New password').fill('the next password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible();

  await signed_in.goto('/reservations');
  await expect(signed_in).toHaveURL(/\/sign-in\?next=/);
  await before.close();
  await submitSignIn(page, owner.email, owner.password);
  await expect(page.getByText('The email address or the password is incorrect.')).toBeVisible();
  await submitSignIn(page, owner.email, 'the next password');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Hello');

  await page.goto(link);
  await page.getByLabel('New password').fill('once more please');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('This link was already used or has expired.')).toBeVisible();
  await page.goto('/settings/audit-log');
  const log = page.getByRole('table', { name: 'Audit log' });
  await expect(log.getByRole('row').filter({ hasText: 'Reset the password by email' })).toHaveCount(1);
});

test('an invitation arrives by mail, lets the invitee join, and works once', async ({ page, browser }) => {
  await signIn(page, { ...owner, password: 'the next password' });
  const email = 'mia@example.com';
  await callTrpcMutation(page, 'live', 'accounts.create_invitation', { email, role: 'manager' });
  const link = await mailedLink(email, '/invite/');
  const context = await browser.newContext({ baseURL: origin });
  const guest = await context.newPage();
  await guest.goto(link);
  await expect(guest.getByRole('heading')).toContainText('Join Sea View');
  await expectAccessible(guest);
  await guest.getByRole('link', { name: 'Create an account to accept' }).click();
  await guest.getByLabel('Your name').fill('Mia');
  await guest.getByLabel('Password').fill('a long password');
  await guest.getByRole('button', { name: 'Create account' }).click();
  await guest.getByRole('button', { name: 'Accept invitation' }).click();
  await expect(guest.getByRole('heading', { name: 'Hello, Mia' })).toBeVisible();
  await guest.goto(link);
  await expect(guest.getByRole('button', { name: 'Accept invitation' })).toHaveCount(0);
  await context.close();
});
