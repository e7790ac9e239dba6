/**
 * Code that the dashboard's specs share. Creates an owner with the operator's command, signs in,
 * and creates data through the dashboard's procedures.
 */
import { randomBytes } from 'node:crypto';
import { type Browser, expect, type Page, test } from '@playwright/test';
import {
  renderBookingDescription,
  renderTestCalendarFeed,
  startFeedServer,
} from '../../src/modules/sync-sources/testing/feed-server';
import { createTeam, runAdminCommand } from '../support/admin';
import { findAccessibilityViolations } from '../support/axe';
import { INBOUND_SECRET } from '../support/global-setup';

export interface CreatedTeamOwner {
  email: string;
  password: string;
  team: string;
}

/** Creates a team on the Pro plan with its own owner, so that specs do not share data. */
export async function createTeamWithOwner(plan: 'pro' | 'free' = 'pro'): Promise<CreatedTeamOwner> {
  const tag = randomBytes(5).toString('hex');
  const owner: CreatedTeamOwner = {
    email: `owner-${tag}@example.com`,
    password: 'correct horse battery',
    team: `Team ${tag}`,
  };
  await createTeam({ ...owner, name: owner.team }, plan);
  return owner;
}

/**
 * Signs in without the form, which sign-in.spec.ts tests, and opens a page if one is given. Each
 * call uses another client address, because the server limits sign-ins per address.
 */
export async function signIn(
  page: Page,
  { email, password }: Pick<CreatedTeamOwner, 'email' | 'password'>,
  path?: string,
): Promise<void> {
  const address = `203.0.113.${1 + ((randomBytes(1)[0] ?? 0) % 254)}`;
  const { origin } = new URL((await page.request.get('/healthz')).url());
  const answer = await page.request.post('/api/auth/sign-in/email', {
    headers: { origin, 'x-forwarded-for': address },
    data: { email, password },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  if (path) await page.goto(path);
}

/** Sets the mode as the dashboard's switch does. The change takes effect on the next page. */
export async function setLiveOrTestMode(page: Page, origin: string | undefined, mode: 'live' | 'test'): Promise<void> {
  await page.context().addCookies([{ name: 'threshold_mode', value: mode, url: origin }]);
}

/**
 * Signs in a new owner in test mode for all tests of a file. `prepare` creates the data that they
 * share.
 */
export function setUpSignedInOwner(
  prepare: (page: Page, owner: CreatedTeamOwner) => Promise<unknown> = async () => {},
): void {
  let cookies: Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>;
  test.beforeAll(async ({ browser }) => {
    const owner = await createTeamWithOwner();
    const page = await browser.newPage();
    await signIn(page, owner);
    await prepare(page, owner);
    cookies = await page.context().cookies();
    await page.close();
  });
  test.beforeEach(async ({ page, baseURL }) => {
    await page.context().addCookies(cookies);
    await setLiveOrTestMode(page, baseURL, 'test');
  });
}

/** Calls a procedure with the page's session, as the dashboard does. */
export async function callTrpcMutation<T>(page: Page, mode: 'live' | 'test', path: string, input: unknown): Promise<T> {
  const response = await page.request.post(`/api/trpc/${path}`, { headers: { 'x-threshold-mode': mode }, data: input });
  expect(response.ok(), `${path}: ${await response.text()}`).toBe(true);
  return (await response.json()).result.data as T;
}

/** Runs a query procedure with the page's session. */
export async function callTrpcQuery<T>(page: Page, mode: 'live' | 'test', path: string, input?: unknown): Promise<T> {
  const search = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  const response = await page.request.get(`/api/trpc/${path}${search}`, { headers: { 'x-threshold-mode': mode } });
  expect(response.ok(), `${path}: ${await response.text()}`).toBe(true);
  return (await response.json()).result.data as T;
}

/**
 * Returns the path of an invitation's link. The operator's command creates the link, because there
 * is no mail provider.
 */
export async function findInvitationPath(page: Page, email: string): Promise<string> {
  const { team } = await callTrpcQuery<{ team: { id: string } }>(page, 'live', 'accounts.me');
  const { url } = await runAdminCommand<{ url: string }>('team', 'invite', '--team', team.id, '--email', email);
  return new URL(url).pathname;
}

/** Signs in a member of the team who is not its owner, in a separate browser. */
export async function signUpInvitedMemberInNewBrowser(
  page: Page,
  browser: Browser,
  owner: CreatedTeamOwner,
  origin: string | undefined,
): Promise<Page> {
  const email = owner.email.replace('owner', 'member');
  const invitation = await findInvitationPath(page, email);
  const context = await browser.newContext();
  const member = await context.newPage();
  await member.goto(invitation);
  await member.getByRole('link', { name: 'Create an account to accept' }).click();
  await member.getByLabel('Your name').fill('Mia');
  await member.getByLabel('Password').fill('a long password');
  await member.getByRole('button', { name: 'Create account' }).click();
  await member.getByRole('button', { name: 'Accept invitation' }).click();
  await expect(member.getByRole('heading', { name: 'Hello, Mia' })).toBeVisible();
  await setLiveOrTestMode(member, origin, 'test');
  return member;
}

/** Returns a date as `2026-12-24`, the given number of days from today. */
export const getDateDaysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

interface NewReservation {
  guest_name: string;
  /** The check-in, in days from today. */
  checkin?: number;
  source?: string;
}

/** Creates a property with one house rule, so that its reservations can be sent. */
export async function makeProperty(page: Page, mode: 'live' | 'test', name: string): Promise<string> {
  const id = await makePropertyWithoutRules(page, mode, name);
  await callTrpcMutation(page, mode, 'packets.update_default', { id, rules: [{ text: 'No smoking.' }] });
  return id;
}

/** Creates a property without rules and fees. */
export async function makePropertyWithoutRules(page: Page, mode: 'live' | 'test', name: string): Promise<string> {
  const property = await callTrpcMutation<{ id: string }>(page, mode, 'properties.create', {
    name,
    timezone: 'Europe/Lisbon',
  });
  return property.id;
}

export async function makeReservation(
  page: Page,
  mode: 'live' | 'test',
  property_id: string,
  { guest_name, checkin = 7, source = 'direct' }: NewReservation,
): Promise<string> {
  const reservation = await callTrpcMutation<{ id: string }>(page, mode, 'reservations.create', {
    property_id,
    guest_name,
    guest_email: `${guest_name.toLowerCase().replace(/\W+/g, '.')}@example.com`,
    checkin_date: getDateDaysFromNow(checkin),
    checkout_date: getDateDaysFromNow(checkin + 3),
    source,
  });
  return reservation.id;
}

/**
 * Creates two bookings for the same nights in test mode, one from an Airbnb calendar and one by
 * hand. Returns their ids. The calendar is served only once.
 */
export async function makeDoubleBooking(page: Page, property_id: string, from = 9): Promise<[string, string]> {
  const feed = await startFeedServer();
  const nights = { from: getDateDaysFromNow(from), to: getDateDaysFromNow(from + 3) };
  try {
    feed.serve(
      renderTestCalendarFeed([{ uid: 'a@a', ...nights, description: renderBookingDescription('HMSAME0001') }]),
    );
    const source = { property_id, kind: 'channel_a_ical', feed_url: feed.url };
    const { id } = await callTrpcMutation<{ id: string }>(page, 'test', 'sync_sources.create', source);
    const by_hand = await makeReservation(page, 'test', property_id, { guest_name: 'Jane Doe', checkin: from });
    await callTrpcMutation(page, 'test', 'sync_sources.run', { id });
    const filters = { limit: 10, attention: 'same_nights' };
    let found: { id: string }[] = [];
    await expect
      .poll(async () => {
        found = (await callTrpcQuery<{ data: { id: string }[] }>(page, 'test', 'reservations.list', filters)).data;
        return found.length;
      })
      .toBe(2);
    return [found.find((row) => row.id !== by_hand)?.id ?? '', by_hand];
  } finally {
    await feed.close();
  }
}

/**
 * Waits until transitions of colours and sizes have ended. Does not wait for endless animations
 * such as a spinner.
 */
async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    const moving = () =>
      document.getAnimations().some(({ playState, effect }) => {
        return playState === 'running' && effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY;
      });
    // The end of a transition may start another one, because children inherit their parent's
    // colour.
    for (let still = 0; still < 3; still = moving() ? 0 : still + 1) await frame();
  });
}

/**
 * Checks that axe finds no violations on the page in its current state. With `rules`, checks only
 * these.
 */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  await untilStill(page);
  await expect(page).toHaveTitle(/./);
  expect(await findAccessibilityViolations(page, rules)).toEqual([]);
}

/** Checks that the page does not scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  // `excess` is negative where space is reserved for a scrollbar.
  expect(excess).toBeLessThanOrEqual(0);
}

/**
 * Returns the text in the preview of the guest's page. Its frame runs no scripts, so the text is
 * read from the page around it.
 */
export const readGuestPagePreviewText = (page: Page): Promise<string> =>
  page
    .getByTitle('The signing page as a guest sees it')
    .filter({ visible: true })
    // While the frame loads, its document has no body.
    .evaluate((frame: HTMLIFrameElement) => (frame.contentDocument?.body as HTMLElement | null)?.innerText ?? '');

/** Waits until nothing on the page is loading. */
export async function expectPageLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeAttached();
  await expect(page.locator('[data-skeleton]')).toHaveCount(0);
}

/** Rules that check colors. Other rules give the same result in both color schemes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Checks that the current page has no accessibility violations, in the light and the dark color
 * scheme.
 */
export async function expectNoViolationsInBothColorSchemes(page: Page): Promise<void> {
  await expectNoSidewaysScroll(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, COLOUR_RULES);
  await page.emulateMedia({ colorScheme: 'light' });
}

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };

/**
 * Checks that the current page has no accessibility violations in any combination of color scheme,
 * desktop and phone.
 */
export async function expectAccessibleOnAllDevices(page: Page): Promise<void> {
  await expectNoViolationsInBothColorSchemes(page);
  await page.setViewportSize(PHONE);
  await expectNoViolationsInBothColorSchemes(page);
  await page.setViewportSize(DESKTOP);
}

/** Opens the pages one after the other on a phone, and checks each in both color schemes. */
export async function expectAccessibleOnPhone(page: Page, paths: readonly string[]): Promise<void> {
  await page.setViewportSize(PHONE);
  for (const path of paths) {
    await page.goto(path);
    await expectPageLoaded(page);
    await expectNoViolationsInBothColorSchemes(page);
  }
}

/** Sends a message to the server, as a mail server does when mail for the address arrives. */
export async function deliverInboundMail(
  page: Page,
  to: string,
  subject: string,
  lines: readonly string[],
  signed_by?: string,
): Promise<void> {
  const from = signed_by ? `no-reply@${signed_by}` : 'Ada Lovelace <ada@example.com>';
  const head = [`From: ${from}`, `To: ${to}`, `Subject: ${subject}`, `Date: ${new Date().toUTCString()}`];
  if (signed_by) head.push(`Authentication-Results: mx.threshold.example; dkim=pass header.d=${signed_by}`);
  const raw = [...head, `Message-ID: <${subject.length}.${Date.now()}@example.com>`, '', ...lines, ''].join('\r\n');
  const response = await page.request.post(`/api/inbound/email?to=${encodeURIComponent(to)}`, {
    headers: { authorization: `Bearer ${INBOUND_SECRET}`, 'content-type': 'message/rfc822' },
    data: raw,
  });
  expect(response.ok(), await response.text()).toBe(true);
}
