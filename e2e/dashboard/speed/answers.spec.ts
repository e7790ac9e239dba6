/** Measures the compressed size of the dashboard's responses. */
import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, type Page, test } from '@playwright/test';
import { createTeamWithOwner, makeProperty, makeReservation, signIn } from '../support';

/**
 * Sends one request with the page's session. Returns the number of received bytes before
 * decompression.
 */
async function ask(
  page: Page,
  path: string,
  { accepts = 'gzip, deflate, br', body }: { accepts?: string; body?: unknown } = {},
) {
  const { origin } = new URL((await page.request.get('/healthz')).url());
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const headers = {
    cookie,
    'x-threshold-mode': 'live',
    'accept-encoding': accepts,
    'content-type': 'application/json',
  };
  return new Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }>((done, fail) => {
    const sent = request(`${origin}${path}`, { method: body ? 'POST' : 'GET', headers }, (answer) =>
      buffer(answer).then((bytes) => done({ headers: answer.headers, bytes }), fail),
    );
    sent.on('error', fail).end(body && JSON.stringify(body));
  });
}

test('a list is compressed for browsers that accept compression, and sent plain to others', async ({ page }) => {
  await signIn(page, await createTeamWithOwner());
  const property = await makeProperty(page, 'live', 'Casa Azul');
  for (let day = 1; day <= 10; day++) {
    await makeReservation(page, 'live', property, { guest_name: `Guest ${day}`, checkin: day });
  }
  const list = `/api/trpc/reservations.list?input=${encodeURIComponent('{"limit":50}')}`;
  const plain = await ask(page, list, { accepts: 'identity' });
  expect(plain.headers['content-encoding']).toBeUndefined();
  const packed = await ask(page, list);
  console.log(`10 reservations: ${plain.bytes.length} bytes, compressed ${packed.bytes.length}`);
  expect(packed.headers).toMatchObject({ 'content-type': 'application/json', 'content-encoding': 'gzip' });
  expect(packed.headers.vary).toMatch(/accept-encoding/i);
  expect(JSON.parse(gunzipSync(packed.bytes).toString())).toEqual(JSON.parse(plain.bytes.toString()));
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 4);
});

test('a response that shows a secret once is not compressed', async ({ page }) => {
  await signIn(page, await createTeamWithOwner());
  const made = await ask(page, '/api/trpc/webhook_endpoints.create', {
    body: { url: 'https://example.com/hook', events: ['reservation.signed'] },
  });
  expect(JSON.parse(made.bytes.toString()).result.data.signing_secret).toMatch(/^whsec_/);
  expect(made.headers['content-encoding']).toBeUndefined();
});
