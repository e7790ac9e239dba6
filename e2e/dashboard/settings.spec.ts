import { createHmac } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { call, createOwner, expectAccessible, signIn } from './support';

/** The six digits an authenticator app shows for a key (RFC 6238: SHA-1, 30 seconds). */
function totp(key: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...key].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac('sha1', secret).update(counter).digest();
  return String((digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

test('two-factor is turned on with an app, and signing in then asks for its code', async ({ page }) => {
  const owner = await createOwner();
  await signIn(page, owner, '/settings');
  await page.getByRole('tab', { name: 'Security' }).click();
  await page.getByRole('button', { name: 'Turn it on' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password').fill('not the password');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('The password is wrong.')).toBeVisible();
  await dialog.getByLabel('Password').fill(owner.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByAltText('QR code for the authenticator app')).toBeVisible();
  await expectAccessible(page);
  const key = (await dialog.getByTitle('key', { exact: true }).textContent()) ?? '';
  await dialog.getByLabel('Code', { exact: true }).fill(totp(key));
  await dialog.getByRole('button', { name: 'Turn it on' }).click();
  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const recovery = (await codes.first().textContent()) ?? '';
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByText('On', { exact: true })).toBeVisible();

  await page.context().clearCookies();
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recovery);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Hello');
});

test('a member who was invited joins the team, and cannot do what only an owner may', async ({ page, browser }) => {
  const owner = await createOwner();
  await signIn(page, owner, '/settings');
  await page.getByRole('tab', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'Invite' }).click();
  const email = owner.email.replace('owner', 'member');
  await page.getByRole('dialog').getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(
    page.getByRole('list', { name: 'Members' }).getByRole('listitem').filter({ hasText: email }),
  ).toContainText('Invited as member');

  const response = await page.request.get('/api/trpc/accounts.list_invitations', {
    headers: { 'x-threshold-mode': 'live' },
  });
  const [invitation] = (await response.json()).result.data as { id: string }[];
  const context = await browser.newContext();
  const guest = await context.newPage();
  await guest.goto(`/invite/${invitation?.id}`);
  await expect(guest.getByRole('heading')).toContainText(`Join ${owner.team}`);
  await guest.getByRole('link', { name: 'Create an account to accept' }).click();
  await guest.getByLabel('Your name').fill('Mia');
  await expect(guest.getByLabel('E-mail')).toHaveValue(email);
  await guest.getByLabel('Password').fill('a long password');
  await guest.getByRole('button', { name: 'Create account' }).click();
  await guest.getByRole('button', { name: 'Accept the invitation' }).click();
  await expect(guest.getByRole('heading', { name: 'Hello, Mia' })).toBeVisible();

  await guest.goto('/settings');
  await guest.getByRole('tab', { name: 'Members' }).click();
  await expect(guest.getByRole('button', { name: 'Invite' })).toHaveAttribute('aria-disabled', 'true');
  const refused = await guest.request.post('/api/trpc/accounts.update_team', {
    headers: { 'x-threshold-mode': 'live' },
    data: { name: 'Mine now' },
  });
  expect(refused.status()).toBe(403);

  const me = await call<unknown>(page, 'live', 'accounts.update_team', { name: `${owner.team} renamed` });
  expect(me).toMatchObject({ name: `${owner.team} renamed` });
  await context.close();
});
