/** What the dashboard's specs share: an owner made by the operator's command, signing in as a person does, and data made through the dashboard's own procedures. */
import { randomBytes } from 'node:crypto';
import AxeBuilder from '@axe-core/playwright';
import { type Browser, expect, type Page } from '@playwright/test';
import { admin } from '../support/admin';

export interface Owner {
  email: string;
  password: string;
  team: string;
}

/** A team on the Pro plan with an owner of its own, so that specs do not see each other's data. */
export async function createOwner(plan: 'pro' | 'free' = 'pro'): Promise<Owner> {
  const tag = randomBytes(5).toString('hex');
  const owner: Owner = { email: `owner-${tag}@example.com`, password: 'correct horse battery', team: `Team ${tag}` };
  const options = {
    '--name': owner.team,
    '--owner-email': owner.email,
    '--owner-password': owner.password,
    '--plan': plan,
  };
  await admin('team', 'create', ...Object.entries(options).flat());
  return owner;
}

export async function signIn(page: Page, owner: Owner, path = '/'): Promise<void> {
  await page.goto(path === '/' ? '/sign-in' : path);
  await page.getByLabel('E-mail').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname === path.split('?')[0]);
}

/** Sets the mode as the switch does; takes effect with the next page. */
export async function setMode(page: Page, origin: string | undefined, mode: 'live' | 'test'): Promise<void> {
  await page.context().addCookies([{ name: 'threshold_mode', value: mode, url: origin }]);
}

/** Calls a procedure with the page's session, as the dashboard does. */
export async function call<T>(page: Page, mode: 'live' | 'test', path: string, input: unknown): Promise<T> {
  const response = await page.request.post(`/api/trpc/${path}`, { headers: { 'x-threshold-mode': mode }, data: input });
  expect(response.ok(), `${path}: ${await response.text()}`).toBe(true);
  return (await response.json()).result.data as T;
}

/** Reads a procedure with the page's session. */
export async function query<T>(page: Page, mode: 'live' | 'test', path: string, input?: unknown): Promise<T> {
  const search = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  const response = await page.request.get(`/api/trpc/${path}${search}`, { headers: { 'x-threshold-mode': mode } });
  expect(response.ok(), `${path}: ${await response.text()}`).toBe(true);
  return (await response.json()).result.data as T;
}

/** Someone of the team who is no owner, signed in in a browser of their own. */
export async function joinAsMember(
  page: Page,
  browser: Browser,
  owner: Owner,
  origin: string | undefined,
): Promise<Page> {
  const email = owner.email.replace('owner', 'member');
  await call(page, 'test', 'accounts.create_invitation', { email, role: 'member' });
  const [invitation] = await query<{ id: string }[]>(page, 'test', 'accounts.list_invitations');
  const context = await browser.newContext();
  const member = await context.newPage();
  await member.goto(`/invite/${invitation?.id}`);
  await member.getByRole('link', { name: 'Create an account to accept' }).click();
  await member.getByLabel('Your name').fill('Mia');
  await member.getByLabel('Password').fill('a long password');
  await member.getByRole('button', { name: 'Create account' }).click();
  await member.getByRole('button', { name: 'Accept the invitation' }).click();
  await expect(member.getByRole('heading', { name: 'Hello, Mia' })).toBeVisible();
  await setMode(member, origin, 'test');
  return member;
}

/** `2026-12-24`, so many days from today. */
export const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

interface NewReservation {
  guest_name: string;
  /** Days from today. */
  checkin?: number;
  source?: string;
}

export async function makeProperty(page: Page, mode: 'live' | 'test', name: string): Promise<string> {
  const property = await call<{ id: string }>(page, mode, 'properties.create', { name, timezone: 'Europe/Lisbon' });
  return property.id;
}

export async function makeReservation(
  page: Page,
  mode: 'live' | 'test',
  property_id: string,
  { guest_name, checkin = 7, source = 'direct' }: NewReservation,
): Promise<string> {
  const reservation = await call<{ id: string }>(page, mode, 'reservations.create', {
    property_id,
    guest_name,
    guest_email: `${guest_name.toLowerCase().replace(/\W+/g, '.')}@example.com`,
    checkin_date: dayFromNow(checkin),
    checkout_date: dayFromNow(checkin + 3),
    source,
  });
  return reservation.id;
}

/**
 * Axe finds nothing to object to on the page as it is now. It runs in the page alone: a preview's frame runs no scripts,
 * so axe would wait there for an answer for ever. What the frame shows has tests of its own.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().options({ iframes: false }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
}

/** The page is no wider than its window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  // Less than nothing where room is kept for a scrollbar.
  expect(excess).toBeLessThanOrEqual(0);
}

/** What the preview of the guest's page says. Its frame runs no scripts, so it is read from the page around it. */
export const previewText = (page: Page): Promise<string> =>
  page
    .getByTitle('The signing page as a guest sees it')
    .filter({ visible: true })
    .evaluate((frame: HTMLIFrameElement) => frame.contentDocument?.body.innerText ?? '');

/** Nothing to object to on the page as it is now: in both schemes, and as wide as a phone. */
export async function expectGoodInEveryForm(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });
}
