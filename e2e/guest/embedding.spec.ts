/**
 * Tests that a guest signs inside another site's page. The embedding portal has another origin, and
 * is written as /docs/embedding describes.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { FrameLocator, Page } from '@playwright/test';
import { build } from 'esbuild';
import { findCodeBlocks } from '../../src/docs/markdown';
import { extractPdfText, isProgramInstalled } from '../../src/modules/certificates/testing/tools';
import { createTeam, expect, test as withTeam } from '../fixtures';
import { type ApiClient, createApiClient } from '../support/api-client';
import { createSentReservation, expectNoAccessibilityViolations, getSigningLinkPath, signOnGuestPage } from './support';

/**
 * Each test has its own team, because a plan allows few properties and other specs of the same
 * worker create most of them.
 */
const test = withTeam.extend({
  api: async ({ baseURL }, use) => use(createApiClient(baseURL ?? '', (await createTeam()).test_key)),
});

/**
 * An embedding site. There are two, and the property allows only one of them. Browsers treat each
 * port as a separate origin.
 */
interface Site {
  origin: string;
  server: Server;
}
let portal: Site;
let stranger: Site;

const blocks = findCodeBlocks(readFileSync('docs/guide/embedding.md', 'utf8'));
const blockOf = (file: string) => blocks.find((block) => block.file === file)?.code ?? '';

const page = (url: string) => `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>Portal</title><script type="module" src="/portal.js"></script>
<h1>Your booking</h1><p>Welcome to the portal.</p>${blockOf('portal.html').replace('SIGNING_URL', url)}`;

async function startSite(script: string): Promise<Site> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname === '/portal.js')
      return void response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script);
    // This is the strictest policy that a portal can have. The framed page still learns its
    // embedding site.
    const headers = { 'Content-Type': 'text/html', 'Referrer-Policy': 'no-referrer' };
    response.writeHead(200, headers).end(page(url.searchParams.get('url') ?? ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://localhost:${(server.address() as AddressInfo).port}` };
}

test.beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: blockOf('portal.ts'), loader: 'ts', resolveDir: process.cwd() },
    alias: { '@threshold/client/sign': path.resolve('packages/client/src/sign.ts') },
    bundle: true,
    write: false,
    format: 'esm',
  });
  const script = outputFiles[0]?.text ?? '';
  portal = await startSite(script);
  stranger = await startSite(script);
});
test.afterAll(() => {
  portal.server.close();
  stranger.server.close();
});

async function certificateOf(api: ApiClient, reservation_id: string) {
  const { data } = await api.get('/certificates');
  const found = data.find((one: { reservation_id: string }) => one.reservation_id === reservation_id);
  return api.get(`/certificates/${found?.id}`);
}

/** Opens a page that embeds the URL. The page records the events that it receives, newest first. */
async function open(page: Page, site: Site, url: string) {
  await page.addInitScript(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    for (const type of ['threshold-ready', 'threshold-signed', 'threshold-closed'])
      document.addEventListener(type, () => heard.push(type));
    window.addEventListener('message', ({ data }) => heard.push(JSON.stringify(data)));
  });
  await page.goto(`${site.origin}/?url=${encodeURIComponent(url)}`);
  const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard);
  const frame = page.frameLocator('threshold-sign iframe');
  const height = async () => (await page.locator('threshold-sign iframe').boundingBox())?.height ?? 0;
  return { heard, frame, height };
}

/** Switches to German and back. Each language is a separate page in the frame. */
async function toGermanAndBack(frame: FrameLocator) {
  await frame.locator('.languages summary').click();
  await frame.getByRole('link', { name: 'Deutsch' }).click();
  await expect(frame.getByRole('button', { name: 'Schließen' })).toBeVisible();
  await frame.locator('.languages summary').click();
  await frame.getByRole('link', { name: 'English', exact: true }).click();
}

async function review(frame: FrameLocator) {
  await frame.getByLabel('Your full name').fill('Ada Lovelace');
  await frame.locator('#consent').check();
  await frame.getByRole('button', { name: 'Review and sign' }).click();
}

test('the portal is notified when the guest has signed, and the certificate names the portal', async ({
  page,
  api,
  baseURL,
}, info) => {
  const sent = await createSentReservation(api, { embed_origins: [portal.origin, 'https://other.example'] });
  const { heard, frame, height } = await open(page, portal, `${baseURL}${sent.path}`);
  await expect(frame.getByRole('heading', { level: 1 })).toContainText('Harbour Loft');
  await expect(page.locator('threshold-sign iframe')).toHaveAttribute('title', 'House rules of Harbour Loft');
  // The frame is as high as its page, so that nothing scrolls inside it.
  await expect.poll(height).toBeGreaterThan(1_200);
  expect(await frame.locator('html').evaluate((html) => html.scrollHeight - html.clientHeight)).toBeLessThan(2);
  await expectNoAccessibilityViolations(page);

  // Another language loads another page in the frame. That page still knows its embedding site.
  await toGermanAndBack(frame);

  await review(frame);
  const confirm = frame.getByRole('button', { name: 'Sign now' });
  // The dialog appears in the visible part. The middle of the frame is several screens further
  // down.
  await expect(confirm).toBeInViewport();
  await page.screenshot({ path: info.outputPath('review.png') });
  await confirm.click();
  await expect(frame.getByRole('heading', { level: 1 })).toContainText('Thank you');
  await expect.poll(heard).toContain('threshold-signed');
  await expect(page.locator('#said')).toContainText('Your door code is on its way');
  await expect(page.getByRole('heading', { name: 'Your booking' })).toBeAttached();

  // The messages contain nothing about the guest, the stay or the link.
  const messages = (await heard()).filter((one) => one.startsWith('{')).map((one) => JSON.parse(one));
  for (const { type, height: high, ...more } of messages) {
    expect(type).toMatch(/^threshold:(ready|signed|resize)$/);
    expect([typeof high, more]).toEqual([type === 'threshold:resize' ? 'number' : 'undefined', {}]);
  }
  // Pages that other sites may not embed open in a new tab.
  await expect(frame.getByRole('link', { name: 'Open your copy' })).toHaveAttribute('target', '_blank');

  await frame.getByRole('button', { name: 'Close' }).click();
  await expect(page.locator('threshold-sign')).toHaveCount(0);
  expect(await heard()).toContain('threshold-closed');
  await expect(page.locator('#said')).toContainText('Your door code is on its way');

  const certificate = () => certificateOf(api, sent.reservation_id);
  await expect.poll(async () => (await certificate()).pdf_available, { timeout: 30_000 }).toBe(true);
  const { audit_trail } = await certificate();
  const told = audit_trail.entries.filter((entry: { data: { embedded_in?: string } }) => entry.data.embedded_in);
  expect(told.map(({ type }: { type: string }) => type)).toEqual(
    expect.arrayContaining(['reservation.clicked', 'consent.given', 'reservation.signed']),
  );
  for (const { data } of told) expect(data.embedded_in).toBe(portal.origin);
  test.skip(!isProgramInstalled('pdftotext'), 'There is no pdftotext here.');
  const { copyUrl } = await api.get(`/reservations/${sent.reservation_id}/copy-link`);
  const pdf = await page.request.get(`${new URL(copyUrl).pathname}/certificate.pdf`);
  expect(extractPdfText(await pdf.body())).toContain(`as reported by the browser: ${portal.origin}`);
});

test('a frame below the fold of the portal does not count as seen', async ({ page, api, baseURL }) => {
  const { path: link, reservation_id } = await createSentReservation(api, { embed_origins: [portal.origin] });
  const status = async () => (await api.get(`/reservations/${reservation_id}`)).status;
  await page.addInitScript(() => {
    if (window.parent === window)
      document.addEventListener('DOMContentLoaded', () => {
        document.body.style.paddingTop = '4000px';
      });
  });
  const { heard, frame } = await open(page, portal, `${baseURL}${link}`);
  await expect.poll(heard).toContain('threshold-ready');
  await page.waitForTimeout(2_500);
  expect(await status()).toBe('sent');
  await page.locator('threshold-sign').scrollIntoViewIfNeeded();
  await expect.poll(status).toBe('clicked');
  await frame.getByRole('button', { name: 'Close' }).click();
  await expect(page.locator('#said')).toHaveText('You can sign later: the link is in your mail.');
});

test('in a browser without ancestorOrigins the page still identifies the embedding portal', async ({
  page,
  api,
  baseURL,
}) => {
  await page.route('**/guest-assets/*.js', async (route) => {
    const script = await (await route.fetch()).text();
    expect(script).toContain('ancestorOrigins');
    await route.fulfill({ contentType: 'text/javascript', body: script.replaceAll('ancestorOrigins', 'notThere') });
  });
  const { path: link, reservation_id } = await createSentReservation(api, {
    embed_origins: [portal.origin, 'https://other.example'],
  });
  const { heard, frame } = await open(page, portal, `${baseURL}${link}`);
  // A link and then a form load new pages in the frame. Their referrer is the frame itself, and not
  // the portal.
  await toGermanAndBack(frame);
  await review(frame);
  await frame.getByRole('button', { name: 'Sign now' }).click();
  await expect.poll(heard).toContain('threshold-signed');
  const { audit_trail } = await certificateOf(api, reservation_id);
  const signed = audit_trail.entries.find(({ type }: { type: string }) => type === 'reservation.signed');
  expect(signed.data.embedded_in).toBe(portal.origin);
});

test('the browser blocks a frame on an unlisted site, and every frame of a property that lists none', async ({
  page,
  api,
  baseURL,
}) => {
  const listed = await createSentReservation(api, { embed_origins: [portal.origin] });
  const other = await createSentReservation(api);
  const refusals: string[] = [];
  page.on('console', (message) => {
    if (/frame-ancestors/.test(message.text())) refusals.push(message.text());
  });
  for (const [site, { path }] of [
    [stranger, listed],
    [portal, other],
  ] as const) {
    refusals.length = 0;
    const { heard, frame } = await open(page, site, `${baseURL}${path}`);
    await expect.poll(() => refusals.length).toBeGreaterThan(0);
    await expect(frame.getByText('Harbour Loft')).toHaveCount(0);
    expect((await heard()).filter((one) => one !== '{}')).toEqual([]);
  }
});

test('the browser blocks a frame in a listed page that an unlisted site embeds', async ({ page, api, baseURL }) => {
  const { path } = await createSentReservation(api, { embed_origins: [portal.origin] });
  const inner = `${portal.origin}/?url=${encodeURIComponent(`${baseURL}${path}`)}`;
  await page.goto(`${stranger.origin}/`);
  const refused = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
  await page.evaluate((src) => {
    const frame = document.createElement('iframe');
    frame.src = src;
    document.body.append(frame);
  }, inner);
  await refused;
});

test('the element opens no javascript: URL, and accepts messages only from its frame', async ({
  page,
  api,
  baseURL,
}) => {
  const { path } = await createSentReservation(api, { embed_origins: [portal.origin] });
  const { heard } = await open(page, portal, 'javascript:parent.heard.push("ran")');
  await expect(page.locator('threshold-sign')).toBeAttached();
  await expect(page.locator('threshold-sign iframe')).toHaveCount(0);
  await page.evaluate(() => window.postMessage({ type: 'threshold:signed' }, '*'));
  await page
    .locator('threshold-sign')
    .evaluate((element, url) => element.setAttribute('url', url), `${baseURL}${path}`);
  await expect.poll(heard).toContain('threshold-ready');
  await page.evaluate(() => window.postMessage({ type: 'threshold:signed' }, '*'));
  await expect.poll(async () => (await heard()).filter((one) => /threshold:signed/.test(one)).length).toBe(2);
  expect(await heard()).not.toContain('threshold-signed');
  expect(await heard()).not.toContain('ran');
});

test('the same link works normally in a window of its own', async ({ page, api }) => {
  const { path, reservation_id } = await createSentReservation(api, { embed_origins: [portal.origin] });
  // Opens an address that was copied from a frame.
  await page.goto(`${path}?embedded_in=${encodeURIComponent(portal.origin)}`);
  await expect(page.getByRole('button', { name: 'Close' })).toBeHidden();
  await signOnGuestPage(page);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Thank you');
  const { audit_trail } = await certificateOf(api, reservation_id);
  expect(JSON.stringify(audit_trail)).not.toContain('embedded_in');
  expect(await getSigningLinkPath(api, reservation_id)).toBe(path);
});
