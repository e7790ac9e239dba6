/** The owner's sign-in rules are enforced for each request, not only at sign-in. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import {
  addPasskey,
  callDashboardRoute,
  DASHBOARD_TEST_ORIGIN,
  enableTwoFactor,
  getCookieHeader,
  getSignedInUser,
  postToAuthHandler,
  signIn,
  signInWithTestPasskey,
  signUp,
} from '@/testing/auth';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase } from '@/testing/team';
import { computeTotp } from '@/testing/totp';
import { createTeam } from '../service';
import { readScopeUserAndQueryOfDownload, readSessionContext } from '../session';
import { TEAM_ID_HEADER } from '../session-headers';

const OWNER = { email: 'olga@example.com', password: 'a long password' };
const MIA = { name: 'Mia', email: 'mia@example.com', password: 'one that mia chose' };
const OIDC = {
  issuer: 'https://id.example',
  client_id: 'c',
  client_secret: 's',
  name: 'Casa accounts',
  trust_email: false,
};

beforeAll(async () => {
  await openTestDatabase();
});
afterAll(async () => {
  setConfig({ oidc: null });
  await closeTestDatabase();
});
let olga: Headers;
let mia: Headers;
let team_id: string;
beforeEach(async () => {
  setConfig({ app_url: DASHBOARD_TEST_ORIGIN, resend_api_key: undefined, oidc: null });
  await clearDatabase();
  team_id = (await createTeam({ name: 'One', owner_email: OWNER.email, owner_password: OWNER.password })).team.id;
  olga = await signIn(OWNER.email, OWNER.password);
  mia = await signUp(MIA);
  const { id } = await getSignedInUser(mia);
  await systemDb().member.create({ data: { id: 'mem_mia', organizationId: team_id, userId: id, role: 'owner' } });
});

const rules = (require_second_factor: boolean, require_company_account: boolean, by = olga) =>
  callDashboardRoute(by, 'mutation', 'accounts.update_sign_in_rules', {
    require_second_factor,
    require_company_account,
  });
/** Marks the session as a sign-in through the company's identity provider. */
const openedAtProvider = async (headers: Headers) => {
  const { session_id } = await getSignedInUser(headers);
  await systemDb().session.update({ where: { id: session_id }, data: { signedInWith: 'company_account' } });
};
const state = async (headers: Headers) => {
  const { scope, user, me, refused, signed_in } = await readSessionContext(headers);
  expect([user === null, me === null]).toEqual([scope === null, scope === null]);
  expect(signed_in).not.toBeNull();
  return scope ? 'in' : (refused?.need ?? 'out');
};
const read = async (headers: Headers) => (await callDashboardRoute(headers, 'query', 'accounts.list_members')).status;

describe('a team that requires a second factor', () => {
  it('refuses sessions without one from the next request on, until the user sets one up', async () => {
    expect([await state(mia), await read(mia)]).toEqual(['in', 200]);
    expect((await rules(true, false)).status).toBe(200);
    expect([await state(mia), await read(mia)]).toEqual(['second_factor', 401]);
    const download = new Request(`${DASHBOARD_TEST_ORIGIN}/x?team=${team_id}&mode=live`, { headers: mia });
    expect((await readScopeUserAndQueryOfDownload(download)).scope).toBeNull();
    expect((await readSessionContext(mia)).refused).toMatchObject({ team_name: 'One', other_teams: [] });

    const { headers } = await enableTwoFactor(mia, MIA.password);
    expect([await state(headers), await read(headers)]).toEqual(['in', 200]);
    // The owner's session did not use a second factor either, so it is refused too.
    expect(await state(olga)).toBe('second_factor');
  });

  it('accepts what the session proved, not what the account added later', async () => {
    const elsewhere = await signIn(MIA.email, MIA.password);
    const { id, session_id } = await getSignedInUser(elsewhere);
    const row = await systemDb().session.findUniqueOrThrow({ where: { id: session_id } });
    const { headers } = await enableTwoFactor(mia, MIA.password);
    // Enabling a second factor ended the other sessions. The test restores one of them, to simulate
    // a session that was never ended.
    expect((await readSessionContext(elsewhere)).signed_in).toBeNull();
    await systemDb().session.create({ data: row });
    expect((await getSignedInUser(elsewhere)).id).toBe(id);
    await rules(true, false);
    expect([await state(headers), await state(elsewhere)]).toEqual(['in', 'second_factor']);
    const cookie = headers.get('cookie') ?? '';
    const off = await postToAuthHandler('/two-factor/disable', { password: MIA.password }, { cookie });
    expect(await state(new Headers({ cookie: getCookieHeader(off) }))).toBe('second_factor');
  });

  it('accepts a code or a recovery code entered at sign-in', async () => {
    const { totpURI, backupCodes } = await enableTwoFactor(mia, MIA.password);
    await rules(true, false);
    for (const [path, code] of [
      ['/two-factor/verify-totp', computeTotp(totpURI, Date.now())],
      ['/two-factor/verify-backup-code', backupCodes[0]],
    ] as const) {
      const half = await postToAuthHandler('/sign-in/email', MIA);
      const whole = await postToAuthHandler(path, { code }, { cookie: getCookieHeader(half) });
      expect([path, await state(new Headers({ cookie: getCookieHeader(whole) }))]).toEqual([path, 'in']);
    }
  });

  it('accepts a passkey when it is added or used to sign in, but not the same account’s password', async () => {
    await rules(true, false);
    const { key } = await addPasskey(mia, MIA.password);
    expect(await state(mia)).toBe('in');
    expect(await state((await signInWithTestPasskey(key)).headers)).toBe('in');
    expect(await state(await signIn(MIA.email, MIA.password))).toBe('second_factor');
  });

  it('no longer accepts a passkey that was removed', async () => {
    await rules(true, false);
    await addPasskey(mia, MIA.password);
    const security = (await callDashboardRoute(mia, 'query', 'accounts.security')).data as {
      passkeys: { id: string }[];
    };
    const id = security.passkeys[0]?.id;
    const cookie = mia.get('cookie') ?? '';
    expect(
      (await postToAuthHandler('/passkey/delete-passkey', { id, password: MIA.password }, { cookie })).status,
    ).toBe(200);
    expect(await state(mia)).toBe('second_factor');
  });

  it('lets a refused member list and end own sessions, and no one else’s', async () => {
    const elsewhere = await signIn(MIA.email, MIA.password);
    await rules(true, false);
    expect(await state(mia)).toBe('second_factor');
    const listed = await callDashboardRoute(mia, 'query', 'accounts.list_sessions');
    expect([listed.status, (listed.data as unknown[]).length]).toEqual([200, 2]);
    const theirs = (await getSignedInUser(olga)).session_id;
    expect((await callDashboardRoute(mia, 'mutation', 'accounts.revoke_session', { id: theirs })).status).toBe(404);
    const { session_id: id } = await getSignedInUser(elsewhere);
    expect((await callDashboardRoute(mia, 'mutation', 'accounts.revoke_session', { id })).status).toBe(200);
    expect((await readSessionContext(elsewhere)).signed_in).toBeNull();
    const again = await signIn(MIA.email, MIA.password);
    expect((await callDashboardRoute(mia, 'mutation', 'accounts.revoke_other_sessions')).status).toBe(200);
    expect((await readSessionContext(again)).signed_in).toBeNull();
    expect(await systemDb().auditLog.count({ where: { team_id, action: { startsWith: 'session.revoked' } } })).toBe(2);
  });

  it('does not affect the member’s other teams', async () => {
    const made = await callDashboardRoute(mia, 'mutation', 'accounts.create_team', { name: 'Mia’s' });
    const { id } = made.data as { id: string };
    await rules(true, false);
    expect((await readSessionContext(mia)).scope?.team_id).toBe(id);
    expect((await callDashboardRoute(mia, 'mutation', 'accounts.switch_team', { team_id })).status).toBe(200);
    expect((await readSessionContext(mia)).refused?.other_teams).toEqual([{ id, name: 'Mia’s' }]);
  });
});

describe('an operator', () => {
  it('has no operator access in a session that fails the rules of any of their teams', async () => {
    setConfig({ operator_emails: [OWNER.email] });
    const made = await callDashboardRoute(olga, 'mutation', 'accounts.create_team', { name: 'Second' });
    const page = new Headers([...olga, [TEAM_ID_HEADER, (made.data as { id: string }).id]]);
    expect((await readSessionContext(page)).me?.operator).toBe(true);
    await systemDb().team.update({ where: { id: team_id }, data: { require_second_factor: true } });
    expect((await readSessionContext(page)).me).toMatchObject({ team: { name: 'Second' }, operator: false });
    setConfig({ operator_emails: [] });
  });
});

describe('changing the rules', () => {
  it('is mailed to every owner, and relaxing a rule requires the password', async () => {
    const { headers } = await enableTwoFactor(olga, OWNER.password);
    expect((await rules(true, false, headers)).status).toBe(200);
    const told = () => systemDb().mailMessage.findMany({ where: { subject: { startsWith: 'The sign-in rules' } } });
    expect((await told()).map(({ to }) => to).sort()).toEqual([MIA.email, OWNER.email]);
    const relax = (password?: string) =>
      callDashboardRoute(headers, 'mutation', 'accounts.update_sign_in_rules', {
        require_second_factor: false,
        require_company_account: false,
        password,
      });
    for (const password of [undefined, 'wrong']) {
      const { status, error } = await relax(password);
      expect([status, error?.param]).toEqual([400, 'password']);
    }
    expect((await relax(OWNER.password)).status).toBe(200);
    expect(await told()).toHaveLength(4);
  });
});

describe('signing in only through the company’s provider', () => {
  it('can be required only when a provider is configured, by an owner whose session used it', async () => {
    expect((await rules(false, true)).status).toBe(403);
    setConfig({ oidc: OIDC });
    expect((await rules(false, true)).status).toBe(403);
    await openedAtProvider(olga);
    expect((await rules(false, true)).status).toBe(200);
    const log = await systemDb().auditLog.findMany({ where: { action: 'team.sign_in_rules_changed' } });
    expect(log).toMatchObject([{ data: { require_company_account: true, require_second_factor: false } }]);
  });

  it('refuses passwords and passkeys from the next request on, while the provider is configured', async () => {
    setConfig({ oidc: OIDC });
    const { key } = await addPasskey(mia, MIA.password);
    const { headers } = await signInWithTestPasskey(key);
    await openedAtProvider(olga);
    expect([await state(mia), await state(headers)]).toEqual(['in', 'in']);
    await rules(false, true);
    expect([await state(mia), await read(mia), await state(headers)]).toEqual([
      'company_account',
      401,
      'company_account',
    ]);
    expect([await state(olga), await read(olga)]).toEqual(['in', 200]);
    setConfig({ oidc: null });
    expect(await state(mia)).toBe('in');
  });

  it('does not affect API keys, and only owners can configure it', async () => {
    setConfig({ oidc: OIDC });
    await systemDb().member.update({ where: { id: 'mem_mia' }, data: { role: 'member' } });
    expect((await rules(true, false, mia)).status).toBe(403);
    expect((await callDashboardRoute(mia, 'query', 'accounts.sign_in_rules')).status).toBe(403);
    expect((await callDashboardRoute(olga, 'query', 'accounts.sign_in_rules')).data).toMatchObject({
      company: 'Casa accounts',
    });
    await callDashboardRoute(olga, 'mutation', 'api_keys.create', { name: 'CI', scopes: null });
    await openedAtProvider(olga);
    await rules(true, true);
    expect(await systemDb().apiKey.count({ where: { revoked_at: null } })).toBe(1);
  });
});
