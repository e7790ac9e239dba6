/** Tests an owner who has two teams open in two tabs of one browser. The tabs share the session. */
import { expect, type Page, test } from '@playwright/test';
import { createTeam } from '../../support/admin';
import { type CreatedTeamOwner, createTeamWithOwner, makeProperty, setLiveOrTestMode, signIn } from '../support';

/** Creates an owner of two teams. Sessions begin in the first team. */
async function ownerOfTwo(): Promise<CreatedTeamOwner & { second: string }> {
  const owner = await createTeamWithOwner();
  const second = `Second ${owner.team}`;
  await createTeam({ ...owner, name: second });
  return { ...owner, second };
}

/** Finds the button at the bottom of the sidebar, with the team's name. */
const shell = (page: Page, owner: CreatedTeamOwner) => page.getByRole('button', { name: new RegExp(owner.email) });

async function openTeam(page: Page, owner: CreatedTeamOwner, name: string): Promise<void> {
  await shell(page, owner).click();
  await page.getByRole('menuitemradio', { name, exact: true }).click();
  await expect(shell(page, owner)).toContainText(name);
}

/**
 * Returns the page's requests that did not contain its team and mode. Links contain them in the
 * address, all other requests in headers.
 */
function withoutPlace(page: Page): string[] {
  const found: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const { 'x-threshold-team': team, 'x-threshold-mode': mode } = request.headers();
    const said = (team ?? searchParams.get('team')) && (mode ?? searchParams.get('mode'));
    if (pathname.startsWith('/api/') && !said) found.push(pathname);
  });
  return found;
}

async function download(page: Page, name: string): Promise<URLSearchParams> {
  const link = page.getByRole('link', { name });
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(await file.failure()).toBeNull();
  return new URL(file.url()).searchParams;
}

test('a tab stays in its team when another tab opens a different team', async ({ page, context, baseURL }) => {
  test.slow();
  const owner = await ownerOfTwo();
  await signIn(page, owner);
  await makeProperty(page, 'live', 'Of the first team');
  await page.goto('/settings');
  await expect(shell(page, owner)).toContainText(owner.team);
  const other = await context.newPage();
  await other.goto('/');
  await openTeam(other, owner, owner.second);
  await setLiveOrTestMode(other, baseURL, 'test');

  const unplaced = withoutPlace(page);
  await page.getByRole('tab', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'Invite' }).click();
  const email = owner.email.replace('owner', 'member');
  await page.getByRole('dialog').getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  const members = { name: 'Members' };
  await expect(page.getByRole('list', members)).toContainText(email);
  await other.goto('/settings/members');
  await expect(other.getByRole('list', members)).toContainText(owner.email);
  await expect(other.getByRole('list', members)).not.toContainText(email);

  await page.getByRole('tab', { name: 'Data' }).click();
  await page.getByRole('button', { name: 'Prepare export' }).click();
  const places = [await download(page, 'Download the ZIP')];
  await page.getByRole('tab', { name: 'Audit log' }).click();
  places.push(await download(page, 'Export CSV'));
  expect(places.map((place) => place.get('mode'))).toEqual(['live', 'live']);
  await page.getByRole('link', { name: 'Properties' }).click();
  await expect(page.getByRole('link', { name: 'Of the first team', exact: true })).toBeVisible();
  await expect(shell(page, owner)).toContainText(owner.team);
  expect(unplaced).toEqual([]);

  // Saving makes the server render the layout for the session's team. The whole tab must then
  // change to this team.
  await page.getByRole('link', { name: 'Settings' }).click();
  const renamed = `Renamed ${owner.team}`;
  await page.getByLabel('Name', { exact: true }).fill(renamed);
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await expect(shell(page, owner)).toContainText(owner.second);
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(owner.second);
  await page.getByRole('link', { name: 'Properties' }).click();
  await expect(page.getByText('No properties yet')).toBeVisible();
  await openTeam(page, owner, renamed);
});

test('a tab whose team the user has left reloads in another team', async ({ page }) => {
  const owner = await ownerOfTwo();
  await signIn(page, owner, '/properties');
  const team = { 'x-threshold-team': 'team_left' };
  await page.route('**/api/trpc/**', (route) => route.continue({ headers: { ...route.request().headers(), ...team } }));
  const loaded = page.waitForEvent('load');
  await page.getByRole('link', { name: 'Emails', exact: true }).click();
  await loaded;
  await page.unroute('**/api/trpc/**');
  // The tab shows the old or the new page, depending on whether the reload or the navigation comes
  // first.
  await expect(page).toHaveURL(/\/(outbox|properties)$/);
  await expect(page.getByRole('heading', { level: 1, name: /^(Emails|Properties)$/ })).toBeVisible();
  await page.getByRole('link', { name: 'Emails', exact: true }).click();
  await expect(page.getByText('No emails yet')).toBeVisible();
});
