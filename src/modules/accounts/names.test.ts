/** Account procedures return 400, never 500, for text that cannot be stored. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { callDashboardRoute, DASHBOARD_TEST_ORIGIN, signUp } from '@/testing/auth';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { accountsRouter } from './dashboard.router';
import { createTeam } from './service';

let headers: Headers;
beforeAll(async () => {
  await openTestDatabase();
  setConfig({ app_url: DASHBOARD_TEST_ORIGIN, rate_limit_write_per_minute: 100_000 });
  headers = await signUp({ name: 'Eve', email: 'eve@example.com', password: 'a long password' });
  await callDashboardRoute(headers, 'mutation', 'accounts.create_team', { name: 'One' });
});
afterAll(closeTestDatabase);

const UNUSABLE = ['a\u0000b', 'a\ud800b', '', '   ', 'x'.repeat(201)];
const mutations = Object.entries(
  accountsRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>,
)
  .filter(([, { _def }]) => _def.type === 'mutation')
  .map(([name]) => name);

it('the tested account procedures include those with text input', () => {
  expect(mutations).toEqual(expect.arrayContaining(['create_team', 'update_team', 'switch_team', 'create_invitation']));
});

it.each(mutations)('%s responds to unusable text without an internal error', async (name) => {
  for (const text of UNUSABLE) {
    for (const field of ['name', 'id', 'token', 'team_id', 'email']) {
      const { status } = await callDashboardRoute(headers, 'mutation', `accounts.${name}`, { [field]: text });
      // Procedures without input ignore the field. The other procedures find no object with this id
      // and return 404.
      expect(status, `${field}: ${JSON.stringify(text)}`).toBeLessThan(500);
    }
  }
});

it.each(UNUSABLE)('a team cannot be named %j', async (name) => {
  for (const path of ['accounts.create_team', 'accounts.update_team']) {
    expect((await callDashboardRoute(headers, 'mutation', path, { name })).status).toBe(400);
  }
  await expect(
    createTeam({ name, owner_email: 'o@example.com', owner_password: 'a long password' }),
  ).rejects.toMatchObject({
    param: expect.stringMatching(/^name$/),
  });
});
