/** Signing in through OpenID Connect, tested with a third-party provider. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { executeCommand } from '@/operator/execute';
import {
  callDashboardRoute,
  DASHBOARD_TEST_ORIGIN,
  enableTwoFactor,
  getCookieHeader,
  getSignedInUser,
  postToAuthHandler,
  signIn,
  signUp,
} from '@/testing/auth';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { startOidcProvider, type TestOidcProvider } from '@/testing/providers/oidc-provider';
import { clearDatabase } from '@/testing/team';
import { createTeam } from '../service';
import { createPasswordResetLink, handleAuthRequest } from './auth';
import { isIdTokenForSubject } from './company-account';

const OWNER = { email: 'olga@example.com', password: 'a long password' };
const GRACE = { sub: 'u-1', email: 'Grace@Example.com', email_verified: true, name: 'Grace Hopper' };

let provider: TestOidcProvider;

beforeAll(async () => {
  await openTestDatabase();
  provider = await startOidcProvider(`${DASHBOARD_TEST_ORIGIN}/api/auth/oauth2/callback/oidc`);
});
afterAll(async () => {
  setConfig({ oidc: null });
  await provider.stop();
  await closeTestDatabase();
});
beforeEach(async () => {
  configure();
  await clearDatabase();
  await createTeam({ name: 'One', owner_email: OWNER.email, owner_password: OWNER.password });
});

function configure(changes: Partial<{ trust_email: boolean; client_secret: string; issuer: string }> = {}): void {
  const { issuer, client_id, client_secret } = provider;
  const oidc = { issuer, client_id, client_secret, name: 'Casa accounts', trust_email: false, ...changes };
  setConfig({ app_url: DASHBOARD_TEST_ORIGIN, oidc });
}

const begin = (body: object = {}) => postToAuthHandler('/sign-in/oauth2', { callbackURL: '/reservations', ...body });

/** Requests the provider's callback URL with the browser's cookies. */
const bring = (url: string, cookie: string) =>
  handleAuthRequest(new Request(url, { headers: { cookie, 'x-threshold-client-ip': '198.51.100.7' } }));

/** Runs the whole sign-in. Returns the final URL, and the session if one was opened. */
async function round() {
  const begun = await begin();
  const { url } = (await begun.json()) as { url: string };
  const back = await provider.visit(url);
  const response = await bring(back, getCookieHeader(begun));
  return {
    url,
    back,
    begun,
    to: response.headers.get('location'),
    session: new Headers({ cookie: getCookieHeader(response) }),
  };
}

const accounts = () => systemDb().account.findMany({ where: { providerId: 'oidc' } });

describe('signing in by OpenID Connect', () => {
  it('signs up the provider’s user with name and confirmed address, and signs the user in the next time', async () => {
    provider.person({ ...GRACE, picture: 'https://elsewhere.example/p.png' });
    const first = await round();
    expect(first.to).toBe('/reservations');
    expect(await getSignedInUser(first.session)).toMatchObject({
      name: 'Grace Hopper',
      email: 'grace@example.com',
      opened: { signedInWith: 'company_account' },
    });
    const second = await round();
    expect(second.to).toBe('/reservations');
    const users = await systemDb().user.findMany({ where: { email: 'grace@example.com' } });
    expect(users).toHaveLength(1);
    expect(users[0]).toMatchObject({ emailVerified: true, image: null });
  });

  it('identifies a user by the provider’s subject, so that a changed address creates no new account', async () => {
    provider.person(GRACE);
    await round();
    provider.person({ ...GRACE, email: 'hopper@example.com' });
    expect(await getSignedInUser((await round()).session)).toMatchObject({ email: 'grace@example.com' });
    expect(await accounts()).toHaveLength(1);
  });

  it('stores none of the provider’s tokens', async () => {
    provider.person(GRACE);
    await round();
    await round();
    const [account] = await accounts();
    const { accessToken, refreshToken, idToken } = account!;
    expect({ accessToken, refreshToken, idToken }).toEqual({ accessToken: null, refreshToken: null, idToken: null });
  });

  it('opens the address’s existing account if both sides confirmed it, and records that in the audit log', async () => {
    await systemDb().user.updateMany({ where: { email: OWNER.email }, data: { emailVerified: true } });
    provider.person({ sub: 'u-2', email: OWNER.email, email_verified: true, name: 'Olga at work' });
    const { session } = await round();
    const me = await getSignedInUser(session);
    expect(me.id).toBe((await getSignedInUser(await signIn(OWNER.email, OWNER.password))).id);
    const entries = await systemDb().auditLog.findMany({
      where: { action: 'user.signed_in' },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ data }) => data)).toContainEqual({ with: 'company account' });
  });

  it('takes over an unconfirmed account: ends its sessions and its password', async () => {
    const mallory = await signUp({ name: 'Mallory', email: 'grace@example.com', password: 'waiting for grace' });
    const { headers } = await enableTwoFactor(mallory, 'waiting for grace');
    await callDashboardRoute(headers, 'mutation', 'accounts.create_team', { name: 'M' });
    await callDashboardRoute(headers, 'mutation', 'api_keys.create', { name: 'M', scopes: null });
    provider.person(GRACE);
    const { to, session } = await round();
    expect(to).toBe('/reservations');
    expect(await getSignedInUser(session)).toMatchObject({ name: 'Grace Hopper', two_factor_enabled: false });
    await expect(getSignedInUser(headers)).rejects.toThrow();
    const old = { email: 'grace@example.com', password: 'waiting for grace' };
    expect((await postToAuthHandler('/sign-in/email', old)).status).toBe(401);
    expect(await systemDb().apiKey.count({ where: { revoked_at: null } })).toBe(0);
    expect(await systemDb().twoFactor.count()).toBe(0);
    const rows = await systemDb().account.findMany({ where: { user: { email: 'grace@example.com' } } });
    expect(rows.map(({ providerId }) => providerId)).toEqual(['oidc']);
    expect(await systemDb().auditLog.count({ where: { action: 'user.address_claimed' } })).toBe(1);
    expect((await round()).to).toBe('/reservations');
  });

  it('does not open the account of the address’s previous holder, neither by the provider nor by a reset', async () => {
    provider.person(GRACE);
    const { session } = await round();
    await callDashboardRoute(session, 'mutation', 'accounts.create_team', { name: 'Grace’s' });
    provider.person({ sub: 'u-99', email: GRACE.email, email_verified: true, name: 'The next one' });
    const next = await round();
    expect(next.to).toBe(`${DASHBOARD_TEST_ORIGIN}/sign-in?error=address_of_another`);
    await expect(getSignedInUser(next.session)).rejects.toThrow();
    expect(await accounts()).toHaveLength(1);
    const [entry] = await systemDb().auditLog.findMany({ where: { action: 'user.identity_refused' } });
    expect(entry).toMatchObject({ data: { email: 'grace@example.com' } });
    await postToAuthHandler('/request-password-reset', { email: GRACE.email });
    expect(await systemDb().mailMessage.count({ where: { template: 'reset_password' } })).toBe(0);
    provider.person(GRACE);
    expect((await round()).to).toBe('/reservations');
    // Without a provider, a password reset by mail is the only way to sign in.
    setConfig({ oidc: null });
    await postToAuthHandler('/request-password-reset', { email: GRACE.email });
    expect(await systemDb().mailMessage.count({ where: { template: 'reset_password' } })).toBe(1);
  });

  it('deletes the reset links mailed before the account was linked', async () => {
    provider.person({ ...GRACE, email: OWNER.email });
    const token = new URL((await createPasswordResetLink(OWNER.email)).url).searchParams.get('token');
    expect((await round()).to).toBe('/reservations');
    expect((await postToAuthHandler('/reset-password', { token, newPassword: 'by the link of before' })).status).toBe(
      400,
    );
  });

  it('accepts UserInfo only about the person of the ID token', () => {
    const idToken = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.e30`;
    expect(isIdTokenForSubject(idToken({ sub: 'a' }), 'a')).toBe(true);
    for (const other of [idToken({ sub: 'b' }), idToken({}), 'no token', '', undefined])
      expect(isIdTokenForSubject(other, 'a')).toBe(false);
  });

  it('after the operator releases an account, admits the address’s next holder, not the previous one', async () => {
    provider.person(GRACE);
    const { session } = await round();
    await callDashboardRoute(session, 'mutation', 'accounts.create_team', { name: 'Grace’s' });
    await callDashboardRoute(session, 'mutation', 'api_keys.create', { name: 'G', scopes: null });
    await executeCommand({ name: 'user release', options: { email: GRACE.email } });
    await expect(getSignedInUser(session)).rejects.toThrow();
    provider.person({ sub: 'u-99', email: GRACE.email, email_verified: true, name: 'The next one' });
    const next = await round();
    expect(await getSignedInUser(next.session)).toMatchObject({ name: 'The next one', email: 'grace@example.com' });
    expect(await systemDb().apiKey.count({ where: { revoked_at: null } })).toBe(0);
    provider.person(GRACE);
    expect((await round()).to).toBe(`${DASHBOARD_TEST_ORIGIN}/sign-in?error=address_of_another`);
    await expect(executeCommand({ name: 'user release', options: { email: 'x@example.com' } })).rejects.toThrow(
      /no account/,
    );
  });

  it('never links two identities to one account, nor one identity to two accounts, under concurrent sign-ins', async () => {
    provider.person(GRACE);
    await round();
    const [row] = await accounts();
    const other = await systemDb().user.findUniqueOrThrow({ where: { email: OWNER.email } });
    const again = { ...row!, id: 'acct_2' };
    await expect(systemDb().account.create({ data: { ...again, accountId: 'u-77' } })).rejects.toThrow();
    await expect(systemDb().account.create({ data: { ...again, userId: other.id } })).rejects.toThrow();
  });

  it('accepts an address that the provider has not confirmed only if the operator configured that', async () => {
    provider.person({ ...GRACE, email_verified: false });
    expect((await round()).to).toBe('/sign-in?error=user_info_is_missing');
    provider.person({ sub: 'u-1', email: GRACE.email, name: GRACE.name });
    expect((await round()).to).toBe('/sign-in?error=user_info_is_missing');
    expect(await accounts()).toEqual([]);
    configure({ trust_email: true });
    expect((await round()).to).toBe('/reservations');
  });

  it('gives a user without a usable name a default one', async () => {
    provider.person({ sub: 'u-3', email: 'ada@example.com', email_verified: true, name: '\u202e \u0000' });
    expect(await getSignedInUser((await round()).session)).toMatchObject({ name: 'ada' });
  });

  it('accepts a callback only from the browser that started it, once and unchanged', async () => {
    provider.person(GRACE);
    const begun = await begin();
    const { url } = (await begun.json()) as { url: string };
    const back = await provider.visit(url);
    expect((await bring(back, '')).headers.get('location')).toMatch(/error=/);
    const changed = new URL(back);
    changed.searchParams.set('state', 'another');
    expect((await bring(changed.href, getCookieHeader(begun))).headers.get('location')).toMatch(/error=/);
    const mixed_up = new URL(back);
    mixed_up.searchParams.set('iss', 'https://another.example');
    const mixed = await begin();
    const other = new URL(await provider.visit(((await mixed.json()) as { url: string }).url));
    other.searchParams.set('iss', 'https://another.example');
    expect((await bring(other.href, getCookieHeader(mixed))).headers.get('location')).toMatch(/error=issuer_mismatch/);
    expect((await bring(back, getCookieHeader(begun))).headers.get('location')).toBe('/reservations');
    expect((await bring(back, getCookieHeader(begun))).headers.get('location')).toMatch(/error=/);
    expect(await systemDb().session.count()).toBe(1);
  });

  it('lets a browser return only to a page of this site', async () => {
    provider.person(GRACE);
    const { url } = (await (
      await begin({ providerId: 'another', scopes: ['admin'], errorCallbackURL: 'https://evil.example' })
    ).json()) as { url: string };
    expect(new URL(url).searchParams.get('scope')).toBe('openid email profile');
    expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256');
    for (const callbackURL of ['https://evil.example', '//evil.example', '/\\evil.example'])
      expect((await begin({ callbackURL })).status).toBe(403);
  });

  it('returns to the sign-in page when the provider refuses or is unreachable', async () => {
    const begun = await begin();
    const { url } = (await begun.json()) as { url: string };
    const state = new URL(url).searchParams.get('state');
    const refused = await bring(
      `${DASHBOARD_TEST_ORIGIN}/api/auth/oauth2/callback/oidc?error=access_denied&state=${state}`,
      getCookieHeader(begun),
    );
    expect(refused.headers.get('location')).toBe(`${DASHBOARD_TEST_ORIGIN}/sign-in?error=access_denied`);
    configure({ client_secret: 'a wrong one' });
    provider.person(GRACE);
    expect((await round()).to).toBe('/sign-in?error=oauth_code_verification_failed');
    const again = await begin();
    const back = await provider.visit(((await again.json()) as { url: string }).url);
    configure({ issuer: 'http://127.0.0.1:9' });
    expect((await begin()).status).toBe(503);
    expect((await bring(back, getCookieHeader(again))).headers.get('location')).toBe(
      `${DASHBOARD_TEST_ORIGIN}/sign-in?error=provider_away`,
    );
  });

  it('is not available unless configured', async () => {
    setConfig({ oidc: null });
    expect((await begin()).status).toBe(404);
    expect((await bring(`${DASHBOARD_TEST_ORIGIN}/api/auth/oauth2/callback/oidc?code=1&state=2`, '')).status).toBe(404);
  });
});
