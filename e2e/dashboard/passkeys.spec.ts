/**
 * Tests passkeys with Chromium's software authenticator. Counts the clicks needed to add and to use
 * a passkey.
 */
import { type CDPSession, expect, type Page, test } from '@playwright/test';
import { type CreatedTeamOwner, createTeamWithOwner, expectAccessible, signIn } from './support';

let owner: CreatedTeamOwner;
test.beforeEach(async () => {
  owner = await createTeamWithOwner();
});

async function addAuthenticator(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return session;
}

function clicks(page: Page) {
  let count = 0;
  return {
    /**
     * Clicks the last element with the name. A dialog's elements come after those of the page that
     * it covers.
     */
    click: async (name: string) => {
      count += 1;
      await page.getByRole('button', { name, exact: true }).last().click();
    },
    count: () => count,
  };
}

/** Adds a passkey in the security settings, with the browser's own authenticator. */
async function addPasskey(page: Page, name: string, click = clicks(page).click): Promise<void> {
  await click('Add passkey');
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  await page.getByRole('dialog').getByLabel('Password').fill(owner.password);
  await expectAccessible(page);
  await click('Add passkey');
  await expect(page.getByText('Passkey added.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText(name);
}

test('a passkey is added in two clicks, and signs in with one, without password or code', { tag: '@smoke' }, async ({
  page,
}) => {
  await addAuthenticator(page);
  await signIn(page, owner, '/settings/security');
  const adding = clicks(page);
  await addPasskey(page, 'Front desk', adding.click);
  expect(adding.count()).toBe(2);

  await page.context().clearCookies();
  await page.goto('/sign-in');
  const signing = clicks(page);
  // Chromium's software authenticator may accept the field's suggestion without a click. If it does
  // not, the test clicks the button.
  await page.waitForURL('**/', { timeout: 5_000 }).catch(() => signing.click('Sign in with a passkey'));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Hello');
  expect(signing.count()).toBeLessThanOrEqual(1);
});

test('a passkey is renamed and removed', async ({ page }) => {
  await addAuthenticator(page);
  await signIn(page, owner, '/settings/security');
  await addPasskey(page, 'Front desk');
  await page.getByRole('button', { name: 'Actions for Front desk' }).click();
  await page.getByRole('menuitem', { name: 'Rename passkey' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Back office');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Actions for Back office' }).click();
  await page.getByRole('menuitem', { name: 'Remove passkey' }).click();
  await page.getByRole('dialog').getByLabel('Password').fill(owner.password);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click();
  await expect(page.getByText('Passkey removed.')).toBeVisible();
  await expect(page.getByText('No passkeys yet')).toBeVisible();
});
