/**
 * Sends malformed bodies to the dashboard's API in a real session. The API must never respond with
 * a 5xx.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resetRateLimiter } from '@/api/rest/rate-limit/process-limiter';
import { appRouter } from '@/api/router';
import { setConfig } from '@/config';
import { createTeam } from '@/modules/accounts/service';
import { LIVE_OR_TEST_MODE_HEADER_NAME } from '@/modules/accounts/session-headers';
import { handleAuthRequest } from '@/modules/accounts/sign-in/auth';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { POST } from './route';

const origin = 'http://localhost:3000';
const PASSWORD = 'correct horse battery';
let cookie: string;

beforeAll(async () => {
  await openTestDatabase();
  setConfig({ app_url: origin });
  await createTeam({ name: 'Sea View', owner_email: 'olga@example.com', owner_password: PASSWORD, plan: 'pro' });
  const response = await handleAuthRequest(
    new Request(`${origin}/api/auth/sign-in/email`, {
      method: 'POST',
      body: JSON.stringify({ email: 'olga@example.com', password: PASSWORD }),
      headers: { 'content-type': 'application/json', origin, 'x-threshold-client-ip': '127.0.0.1' },
    }),
  );
  cookie = response.headers
    .getSetCookie()
    .map((item) => item.split(';', 1)[0])
    .join('; ');
});
afterAll(closeTestDatabase);
// The tests below send more requests than a session's limit per minute.
beforeEach(resetRateLimiter);

const post = (path: string, body: string | null, type: string | null) =>
  POST(
    new Request(`${origin}/api/trpc/${path}`, {
      method: 'POST',
      body,
      headers: { cookie, [LIVE_OR_TEST_MODE_HEADER_NAME]: 'live', ...(type ? { 'content-type': type } : {}) },
    }),
  );

const mutations = Object.entries(appRouter._def.procedures)
  .filter(([, procedure]) => (procedure as unknown as { _def: { type: string } })._def.type === 'mutation')
  .map(([name]) => name);

describe('a mutation', () => {
  it('accepts a valid body', async () => {
    const answer = await post('properties.create', '{"name":"Harbour Loft"}', 'application/json');
    expect(answer.status).toBe(200);
  });

  it.each(['{', 'null'])('with the body %j never returns a 5xx, alone or in a batch', async (body) => {
    expect(mutations.length).toBeGreaterThan(20);
    for (const name of mutations) {
      // Skips procedures that end sessions, because the next requests need the session.
      if (/signOut|sign_out|revoke.*[sS]ession/.test(name)) continue;
      for (const path of [name, `${name}?batch=1`]) {
        const { status } = await post(path, body, 'application/json');
        expect({ path, body, server_error: status >= 500 }).toEqual({ path, body, server_error: false });
      }
    }
  });

  it('without a required body returns invalid_json', async () => {
    const answer = await post('properties.create', '', 'application/json');
    expect(answer.status).toBe(400);
    expect((await answer.json()).error.data.error).toMatchObject({ code: 'invalid_json' });
  });

  it('with text that cannot be stored returns 400, also for a user without a team', async () => {
    for (const name of ['accounts.create_team', 'properties.create']) {
      const answer = await post(name, '{"name":"a\\u0000b"}', 'application/json');
      expect(answer.status).toBe(400);
    }
  });

  it.each([null, 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'with the content type %s never returns a 5xx',
    async (type) => expect((await post('properties.create', 'x', type)).status).toBeLessThan(500),
  );
});
