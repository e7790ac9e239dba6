/**
 * Measures the transfer size and the layout shifts of the dashboard's pages. A test fails when a
 * page exceeds its limit.
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, type Page, test } from '@playwright/test';
import { makeCertificate } from '../certificate';
import {
  callTrpcMutation,
  callTrpcQuery,
  createTeamWithOwner,
  expectPageLoaded,
  makeProperty,
  makeReservation,
  setLiveOrTestMode,
  signIn,
} from '../support';

/**
 * The maximum size of each page, including the files that it loads in the first five seconds after
 * it is shown. React and Next account for 137 kB. Another 46 kB are shared by all pages.
 */
const BUDGET_KB = 220;

/**
 * Adds up the layout shifts on each page from this call on, except shifts that follow a press.
 * Returns a function that returns the sum for the current page.
 */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    (window as unknown as { shifts: number[] }).shifts = shifts;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) shifts.push(entry.value);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () =>
    page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0));
}

/**
 * Counts the bytes that pages transfer from this call on. Returns a function that returns the
 * number so far.
 */
async function watchBytes(page: Page): Promise<() => number> {
  let bytes = 0;
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  return () => bytes;
}

interface Route {
  route: string;
  firstLoadChunkPaths: string[];
}

const sizes = new Map<string, number>();

/** Returns the compressed size of a build file. */
function sizeOf(file: string): number {
  const known = sizes.get(file) ?? gzipSync(readFileSync(file)).length;
  sizes.set(file, known);
  return known;
}

test('no page needs more JavaScript than its budget before it is usable', { tag: '@smoke' }, () => {
  const routes = JSON.parse(readFileSync('.next/diagnostics/route-bundle-stats.json', 'utf8')) as Route[];
  const table = routes
    .map(({ route, firstLoadChunkPaths }) => ({
      route,
      kb: firstLoadChunkPaths.reduce((sum, file) => sum + sizeOf(file), 0) / 1_000,
    }))
    .sort((a, b) => b.kb - a.kb);
  console.log(table.map(({ route, kb }) => `${kb.toFixed(1).padStart(7)} kB  ${route}`).join('\n'));
  expect(table.length).toBeGreaterThan(30);
  expect(table.filter(({ kb }) => kb > BUDGET_KB)).toEqual([]);
});

/**
 * Files that a page loads within this time after it is shown are counted. The browser loads them
 * when it is idle.
 */
const AFTER_MS = 5_000;
const AT_ONCE = 8;

test('no page exceeds its JavaScript budget, including what it loads in the next five seconds', async ({
  page,
  baseURL,
  context,
}) => {
  test.setTimeout(240_000);
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
  const certificate = await makeCertificate(page, 'Grace Hopper');
  const { reservation_id } = await callTrpcQuery<{ reservation_id: string }>(page, 'test', 'certificates.retrieve', {
    id: certificate,
  });
  const { property_id } = await callTrpcQuery<{ property_id: string }>(page, 'test', 'reservations.retrieve', {
    id: reservation_id,
  });
  const unsigned = await makeReservation(page, 'test', property_id, { guest_name: 'Ada Lovelace' });
  const property = `/properties/${property_id}`;
  const forwarded = { property_id, kind: 'forward_email' };
  const source = await callTrpcMutation<{ id: string }>(page, 'test', 'sync_sources.create', forwarded);
  // Nothing listens on this port.
  const receiver = { url: 'http://127.0.0.1:1024/hook', events: ['packet.updated'] };
  const endpoint = await callTrpcMutation<{ id: string }>(page, 'test', 'webhook_endpoints.create', receiver);
  const firstOf = async (list: string) =>
    (await callTrpcQuery<{ data: { id: string }[] }>(page, 'test', list, { limit: 1 })).data[0]?.id;
  const paths = [
    ...['/', '/reservations', `/reservations/${reservation_id}`, `/reservations/${unsigned}`, '/reservations/import'],
    ...['/certificates', `/certificates/${certificate}`, '/calendar', '/calendars', '/calendars/inbox', '/outbox'],
    ...['/properties', property, `${property}/packets/default`],
    ...['mails', 'settings', 'domains', 'delete'].map((tab) => `${property}?tab=${tab}`),
    ...[`/calendars/${source.id}`, `/outbox/${await firstOf('mail.list')}`, `/developers/webhooks/${endpoint.id}`],
    ...[`/developers/events/${await firstOf('events.list')}`, '/settings/sessions'],
    ...['/outbox/templates', '/sms', '/settings', '/settings/members', '/settings/security', '/settings/data'],
    ...['/settings/audit-log', '/settings/plan', '/settings/notifications', '/device', '/developers/api-keys'],
    ...['/developers/logs', '/developers/events', '/developers/webhooks', '/developers/test-clocks'],
  ];
  const table: { path: string; kb: number }[] = [];
  const measure = async (path: string) => {
    const tab = await context.newPage();
    await tab.goto(path);
    await expectPageLoaded(tab);
    await tab.waitForTimeout(AFTER_MS);
    const files = await tab.evaluate(() =>
      [...new Set(performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname))].filter((name) =>
        name.endsWith('.js'),
      ),
    );
    await tab.close();
    table.push({ path, kb: files.reduce((sum, file) => sum + sizeOf(file.replace('/_next/', '.next/')), 0) / 1_000 });
  };
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    await Promise.all(paths.slice(at, at + AT_ONCE).map(measure));
  }
  table.sort((a, b) => b.kb - a.kb);
  console.log(table.map(({ path, kb }) => `${kb.toFixed(1).padStart(7)} kB  ${path}`).join('\n'));
  expect(table.filter(({ kb }) => kb > BUDGET_KB)).toEqual([]);
});

test('Home includes its data and does not shift while loading, even the first time', async ({ page }) => {
  const owner = await createTeamWithOwner();
  // The sign-in page stores the browser's time zone, which Home needs.
  await page.goto('/sign-in');
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
  await signIn(page, owner);
  const property = await makeProperty(page, 'live', 'Casa Azul');
  for (let day = 1; day <= 8; day++) {
    await makeReservation(page, 'live', property, { guest_name: `Guest ${day}`, checkin: day });
  }
  const shift = await watchShifts(page);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/trpc')) asked.push(request.url());
  });
  const bytes = await watchBytes(page);
  const document = await page.goto('/');
  expect(await document?.text()).toContain('Guest 3');
  await expectPageLoaded(page);
  await page.waitForLoadState('networkidle');
  console.log(`Home, all it transfers until it is idle: ${(bytes() / 1_000).toFixed(0)} kB`);
  expect(asked).toEqual([]);
  expect(await shift()).toBeLessThan(0.05);
});

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`a signed reservation does not shift while loading, ${viewport.width} pixels wide`, async ({
    page,
    baseURL,
  }) => {
    const owner = await createTeamWithOwner();
    await page.goto('/sign-in');
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
    await signIn(page, owner);
    await setLiveOrTestMode(page, baseURL, 'test');
    await page.setViewportSize(viewport);
    const certificate = await makeCertificate(page, 'Grace Hopper');
    const { reservation_id } = await callTrpcQuery<{ reservation_id: string }>(page, 'test', 'certificates.retrieve', {
      id: certificate,
    });
    const shift = await watchShifts(page);
    const document = await page.goto(`/reservations/${reservation_id}`);
    expect(await document?.text()).toContain('Certificate sealed');
    await expectPageLoaded(page);
    await page.waitForLoadState('networkidle');
    const moved = await shift();
    console.log(`A signed reservation, ${viewport.width} pixels wide: layout shift ${moved.toFixed(3)}`);
    expect(moved).toBeLessThan(0.05);
  });
}

/**
 * The maximum size of the sign-in page. Only its form and picture are not shared with other pages.
 */
const SIGN_IN_KB = 400;
const SIGN_IN_HTML_KB = 12;

test('the sign-in page shows what the product is, and stays within its size budget', async ({ page }) => {
  const bytes = await watchBytes(page);
  const shift = await watchShifts(page);
  const document = await page.goto('/sign-in');
  const html = gzipSync((await document?.body()) ?? '').length / 1_000;
  await page.waitForLoadState('networkidle');
  console.log(`Sign-in: ${html.toFixed(1)} kB of HTML, ${(bytes() / 1_000).toFixed(0)} kB with all it loads`);
  expect(html).toBeLessThan(SIGN_IN_HTML_KB);
  expect(bytes() / 1_000).toBeLessThan(SIGN_IN_KB);
  expect(await shift()).toBeLessThan(0.05);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const about = page.getByRole('complementary');
    await expect(about.locator('p').first()).toBeInViewport();
    await expect(about.locator('svg').first()).toBeVisible();
  }
});
