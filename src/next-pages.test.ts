/**
 * Tests the dashboard over HTTP during its build: first a page that reloads itself, then Next,
 * without a restart.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { createDashboardPageServer, type NextJsApplication, type RunningDashboardBuild } from './next-pages';

let server: Server | undefined;
afterEach(() => void server?.close());

async function serve(build: RunningDashboardBuild | null, load: () => Promise<NextJsApplication>) {
  const pages = createDashboardPageServer(build, load);
  server = createServer((request, response) => void pages.handler(request, response));
  await new Promise<void>((listening) => server?.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { ...pages, get: (path = '/', method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method }) };
}

function openBuild(progress = '') {
  let finish = () => {};
  let fail = (_reason: Error) => {};
  const done = new Promise<void>((resolve, reject) => {
    [finish, fail] = [resolve, reject];
  });
  return { build: { done, progress: () => progress, began: Date.now() - 12_000 }, finish, fail };
}

const close = vi.fn(async () => {});
const NEXT: NextJsApplication = { handler: (_request, response) => void response.end('Next'), close };

it('pages return 503 with the build’s progress during the build, and are served by Next afterwards', async () => {
  const { build, finish } = openBuild('Generating pages <12/48> & more');
  const load = vi.fn(async () => NEXT);
  const { get } = await serve(build, load);
  for (const path of ['/', '/reservations', '/api/trpc/home.list']) {
    const answer = await get(path);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('3');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const text = await answer.text();
    expect(text).toContain('<meta http-equiv="refresh" content="3">');
    expect(text).toContain('12 seconds so far: <code>Generating pages &#60;12/48&#62; &#38; more</code>');
    expect(text).toMatch(
      /<html lang="en">[\s\S]*<title>The dashboard is being built<\/title>[\s\S]*color-scheme:light dark/,
    );
    expect(text).not.toContain('<script');
  }
  expect(await (await get('/', 'HEAD')).text()).toBe('');
  finish();
  await build.done;
  expect(load).not.toHaveBeenCalled();
  for (const answer of await Promise.all([get('/reservations'), get('/')]))
    expect([answer.status, await answer.text()]).toEqual([200, 'Next']);
  expect(load).toHaveBeenCalledTimes(1);
});

it('the build page’s policy allows only its own style', async () => {
  const { build } = openBuild();
  const answer = await (await serve(build, async () => NEXT)).get();
  const style = /<style>([\s\S]*)<\/style>/.exec(await answer.text())?.[1] ?? '';
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))).toString('base64');
  expect(answer.headers.get('content-security-policy')).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
});

it('after a failed build the page reports the failure and no longer reloads', async () => {
  const { build, fail } = openBuild();
  const load = vi.fn(async () => NEXT);
  const { get, close: closePages } = await serve(build, load);
  fail(new Error('No space left'));
  await expect(build.done).rejects.toThrow('No space left');
  const answer = await get();
  const text = await answer.text();
  expect([answer.status, text.includes('could not be built'), text.includes('refresh')]).toEqual([503, true, false]);
  expect(load).not.toHaveBeenCalled();
  await closePages();
});

it('Next is loaded for the first page, again if loading failed, and closed with the server', async () => {
  const load = vi.fn(async () => NEXT).mockRejectedValueOnce(new Error('Not now'));
  const pages = createDashboardPageServer(null, load);
  await pages.close();
  expect(load).not.toHaveBeenCalled();
  const { request, response } = { request: {} as IncomingMessage, response: { end: vi.fn() } };
  const page = () => pages.handler(request, response as unknown as ServerResponse);
  await expect(page()).rejects.toThrow('Not now');
  await page();
  expect(response.end).toHaveBeenCalledWith('Next');
  expect(close).not.toHaveBeenCalled();
  await pages.close();
  expect(close).toHaveBeenCalledTimes(1);
});
