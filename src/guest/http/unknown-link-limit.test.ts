/**
 * Tests guessing link tokens from one IP address. Guesses are limited, but valid links still work.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { resetRateLimiter } from '@/api/rest/rate-limit/process-limiter';
import { CLIENT_IP_ADDRESS_HEADER } from '@/modules/accounts/session-headers';
import { insertSentReservation } from '@/modules/certificates/testing/signed';
import { deriveLinkToken } from '@/modules/links/urls';
import { handleSharedDeliveriesPage } from '@/portal/http';
import { setClock } from '@/shared/clock';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { findGuestPageRoute, handleGuestLinkRequest } from './serve';

let time: FakeClock;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  resetRateLimiter();
  time = installFakeClock('2026-06-01T10:00:00Z');
});
afterEach(() => setClock(null));

async function look(path: string, ip: string): Promise<Response> {
  const request = new Request(`http://localhost${path}?lang=de`, { headers: { [CLIENT_IP_ADDRESS_HEADER]: ip } });
  if (path.startsWith('/portal/')) return handleSharedDeliveriesPage(request, path.split('/').at(-1) ?? '');
  const page = findGuestPageRoute(path);
  return handleGuestLinkRequest(
    request,
    () => page?.methods.GET?.(request, page.token) ?? Promise.reject(new Error(path)),
  );
}
const guess = (n: number) => deriveLinkToken('signing', `guess_${n}`);

it.each([
  '/sign/:token',
  '/c/:token',
  '/c/:token/certificate.pdf',
  '/verify/:token',
  '/verify/:token/certificate.pdf',
  '/verify/:token/inclusion.tlog-proof',
  '/portal/:token',
])('%s: too many guesses from one address get 429, in the language of the page', async (address) => {
  const statuses: number[] = [];
  for (let n = 0; n < 130; n += 1)
    statuses.push((await look(address.replace(':token', guess(n)), '203.0.113.7')).status);
  expect(statuses.slice(0, 60).every((status) => status === 404)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
  const told = await (await look(address.replace(':token', guess(999)), '203.0.113.7')).text();
  if (!address.startsWith('/portal')) expect(told).toContain('lang="de"');
  // Requests from another IP address, or a minute later, are not limited.
  expect((await look(address.replace(':token', guess(1)), '203.0.113.8')).status).toBe(404);
  time.advance(120_000);
  expect((await look(address.replace(':token', guess(1)), '203.0.113.7')).status).toBe(404);
});

it('a guest at the same address can still open a valid link', async () => {
  const { reservation_id } = await insertSentReservation(await insertTeam());
  for (let n = 0; n < 130; n += 1) await look(`/sign/${guess(n)}`, '203.0.113.7');
  expect((await look(`/sign/${guess(1)}`, '203.0.113.7')).status).toBe(429);
  expect((await look(`/sign/${deriveLinkToken('signing', reservation_id, 1)}`, '203.0.113.7')).status).toBe(200);
});
