/** Tests that members must set up a second factor before they can open a team that requires one. */
import { expect, test } from '@playwright/test';
import { createTeamWithOwner, expectAccessible, signIn } from './support';

test('a team requires a second factor, and a passkey lets its owner back in', async ({ page }) => {
  const owner = await createTeamWithOwner();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await signIn(page, owner, '/settings/security');
  await page.getByRole('switch', { name: 'Everyone needs a second factor' }).click();
  // The rule applies from the next request on, even for the owner.
  await expect(page).toHaveURL(/\/team-access$/);
  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('dialog').getByLabel('Password').fill(owner.password);
  await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Hello');
});
