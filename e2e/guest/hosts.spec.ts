/** Tests custom host names over raw HTTP, because a browser would normalize paths and hosts. */
import { request as send } from 'node:http';
import { expect, test } from '../fixtures';
import { createSentReservation } from './support';

function get(port: number, host: string, path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const request = send({ host: '127.0.0.1', port, path, headers: { Host: host } }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (part) => {
        body += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.on('error', reject);
    request.end();
  });
}

test('a subdomain serves signing pages and nothing else, whatever the spelling of the path', async ({
  api,
  baseURL,
}) => {
  const port = Number(new URL(baseURL ?? '').port);
  const subdomain = `loft-${Math.random().toString(36).slice(2, 10)}`;
  const { path } = await createSentReservation(api, { subdomain });
  const host = `${subdomain}.localhost:${port}`;
  const page = await get(port, host, path);
  expect(page.status).toBe(200);
  expect(page.body).toContain('Harbour Loft');
  expect((await get(port, host.toUpperCase(), path)).status).toBe(200);
  for (const other of [
    '/',
    '/sign-in',
    '/sign-up',
    '/reservations',
    '/v1/properties',
    '/api/trpc/accounts.me',
    '/api/auth/get-session',
    '/docs',
    '/c/abc',
    '/verify/abc',
    '/sign/../sign-in',
    '/sign/%2e%2e/sign-in',
    '/sign/..%2fsign-in',
    '/sign/../v1/properties',
    '/sign/../api/auth/get-session',
    '//sign-in',
  ]) {
    const answer = await get(port, host, other);
    expect(answer.status, other).toBe(404);
    expect(answer.body, other).not.toContain('Password');
  }
});

test('an unknown host is a plain 404, and the TLS check refuses a certificate for it', async ({ api, baseURL }) => {
  const port = Number(new URL(baseURL ?? '').port);
  const subdomain = `loft-${Math.random().toString(36).slice(2, 10)}`;
  const custom_domain = `rules-${subdomain}.example.com`;
  const { path } = await createSentReservation(api, { subdomain, custom_domain });
  // A claimed domain serves nothing until its DNS is verified.
  for (const host of ['nobody.localhost', custom_domain, 'evil.example.com']) {
    expect(await get(port, host, path), host).toEqual({ status: 404, body: 'Not found' });
  }
  const allowed = async (domain: string) =>
    (await get(port, `localhost:${port}`, `/api/tls-allowed?domain=${domain}`)).status;
  expect(await allowed(`${subdomain}.localhost`)).toBe(200);
  expect(await allowed(custom_domain)).toBe(404);
  expect(await allowed('nobody.localhost')).toBe(404);
});
