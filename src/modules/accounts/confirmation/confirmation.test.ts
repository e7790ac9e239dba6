/**
 * Confirming an e-mail address: a stranger signs up with someone else's address and waits for its
 * owner to open the mail.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { POST as claimRoute } from '@/app/api/auth/claim-address/route';
import { POST as confirmRoute } from '@/app/api/auth/confirm-address/route';
import { POST as changeRoute } from '@/app/api/auth/confirm-email-change/route';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { setClock } from '@/shared/clock';
import {
  callDashboardRoute,
  createTestIpAddress,
  DASHBOARD_TEST_ORIGIN,
  enableTwoFactor,
  findMailedLink,
  getCookieHeader,
  getSignedInUser,
  postToAuthHandler,
  signIn,
} from '@/testing/auth';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase } from '@/testing/team';
import { createTeam } from '../service';
import { readSessionContext } from '../session';
import { createPasswordResetLink, handleAuthRequest } from '../sign-in/auth';
import { AUTH_POST_PATHS } from '../sign-in/auth-request';
import { loadEmailConfirmationView } from './confirmation';

const VICTIM = 'boss@example.com';
const STRANGER = { name: 'Eve', email: VICTIM, password: 'one that eve chose' };
const OWN = 'one that the boss chose';

beforeAll(async () => {
  await openTestDatabase();
  setConfig({ app_url: DASHBOARD_TEST_ORIGIN });
});
afterAll(async () => {
  setClock(null);
  setConfig({ operator_emails: [], resend_api_key: undefined });
  await closeTestDatabase();
});
beforeEach(async () => {
  setClock(null);
  setConfig({ operator_emails: [VICTIM], resend_api_key: 're_key' });
  await clearDatabase();
});

const isConfirmed = async () => (await systemDb().user.findUniqueOrThrow({ where: { email: VICTIM } })).emailVerified;
const mailedToken = async () =>
  new URL((await findMailedLink('verify_email', '/confirm-address?')).url).searchParams.get('token') ?? '';

const request = (path: string, body: unknown, cookie = '', type = 'application/json') =>
  new Request(`${DASHBOARD_TEST_ORIGIN}/api/auth${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': type, cookie, 'x-threshold-client-ip': createTestIpAddress() },
  });
const confirm = (body: object, cookie?: string) => confirmRoute(request('/confirm-address', body, cookie));
const claim = (body: object) => claimRoute(request('/claim-address', body));

/** Signs up. Returns the browser's cookies and the mailed link. */
async function signUpByMail(person = STRANGER) {
  const cookie = getCookieHeader(await postToAuthHandler('/sign-up/email', person));
  return { cookie, token: await mailedToken() };
}

describe('the link in the mail', () => {
  it('changes nothing when opened, by any path of better-auth or as the page', async () => {
    const { token } = await signUpByMail();
    const before = JSON.stringify([await systemDb().user.findMany(), await systemDb().verification.findMany()]);
    expect(await loadEmailConfirmationView(token, new Headers())).toEqual({
      email: VICTIM,
      name: 'Eve',
      state: 'open',
      this_browser: false,
    });
    const paths = [
      ...AUTH_POST_PATHS,
      '/verify-email',
      `/reset-password/${token}`,
      '/confirm-address',
      '/claim-address',
    ];
    for (const path of paths) {
      const query = `?token=${encodeURIComponent(token)}&callbackURL=%2F`;
      await handleAuthRequest(new Request(`${DASHBOARD_TEST_ORIGIN}/api/auth${path}${query}`));
    }
    expect(JSON.stringify([await systemDb().user.findMany(), await systemDb().verification.findMany()])).toBe(before);
    expect(await isConfirmed()).toBe(false);
  });

  it('does not confirm the address in a browser that did not sign up', async () => {
    const { token } = await signUpByMail();
    expect((await confirm({ token })).status).toBe(400);
    const own = getCookieHeader(
      await postToAuthHandler('/sign-up/email', { ...STRANGER, name: 'Boss', password: OWN }),
    );
    expect((await confirm({ token }, own)).status).toBe(400);
    expect((await confirm({ token, password: OWN }, own)).status).toBe(400);
    expect(await isConfirmed()).toBe(false);
  });

  it('confirms the address without the password in the browser that signed up, without signing in', async () => {
    const { token, cookie } = await signUpByMail({ ...STRANGER, name: 'Boss', password: OWN });
    expect(cookie).toMatch(/^threshold\.sign_up=[\w-]{32}$/);
    expect(await loadEmailConfirmationView(token, new Headers({ cookie }))).toMatchObject({ this_browser: true });
    const answer = await confirm({ token }, cookie);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
    expect(await isConfirmed()).toBe(true);
    expect(await loadEmailConfirmationView(token, new Headers())).toMatchObject({ state: 'confirmed' });
    expect(await getSignedInUser(await signIn(VICTIM, OWN))).toMatchObject({ email: VICTIM });
    expect(await systemDb().verification.count()).toBe(0);
  });

  it('confirms the address in any browser by the account’s password, with the guessing limits of sign-in', async () => {
    const { token } = await signUpByMail({ ...STRANGER, name: 'Boss', password: OWN });
    for (let turn = 0; turn < 4; turn += 1)
      expect(await (await confirm({ token, password: 'wrong' })).json()).toMatchObject({ code: 'INVALID_PASSWORD' });
    const started = performance.now();
    await Promise.all([confirm({ token, password: 'wrong' }), confirm({ token, password: 'wrong' })]);
    expect(performance.now() - started).toBeGreaterThan(995);
    await systemDb().tally.deleteMany();
    expect((await confirm({ token, password: OWN })).status).toBe(200);
    expect(await isConfirmed()).toBe(true);
  }, 60_000);

  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: DASHBOARD_TEST_ORIGIN },
  ])('is not followed from a page of another site: %j', async (headers) => {
    const { token, cookie } = await signUpByMail();
    for (const [path, route] of [
      ['/confirm-address', confirmRoute],
      ['/claim-address', claimRoute],
      ['/confirm-email-change', changeRoute],
    ] as const) {
      const post = request(path, { token }, cookie);
      for (const [name, value] of Object.entries(headers)) post.headers.set(name, value);
      const answer = await route(post);
      expect([path, answer.status, await answer.json()]).toMatchObject([path, 403, { code: 'INVALID_ORIGIN' }]);
    }
    expect(await isConfirmed()).toBe(false);
    const own = request('/confirm-address', { token }, cookie);
    own.headers.set('origin', DASHBOARD_TEST_ORIGIN);
    expect((await confirmRoute(own)).status).toBe(200);
  });

  it('works for a day, and not in a changed or different form', async () => {
    const { token, cookie } = await signUpByMail();
    const form = request('/confirm-address', { token }, cookie, 'application/x-www-form-urlencoded');
    expect((await confirmRoute(form)).status).toBe(415);
    for (const wrong of [undefined, 7, '', 'x', `${token}x`])
      expect((await confirm({ token: wrong }, cookie)).status).toBe(400);
    // The cookie's hash expires with the mailed link, after 24 hours.
    setClock({ now: () => new Date(Date.now() + 25 * 3_600_000) });
    expect((await confirm({ token }, cookie)).status).toBe(400);
    expect(await isConfirmed()).toBe(false);
  });
});

describe('the mailbox’s owner, if a stranger signed up with the address', () => {
  it('chooses a password from the page, which ends everything that the stranger set up', async () => {
    // Without a mail provider, users can sign in without confirming the address.
    setConfig({ resend_api_key: undefined });
    await postToAuthHandler('/sign-up/email', STRANGER);
    const eve = await signIn(VICTIM, STRANGER.password);
    expect((await callDashboardRoute(eve, 'mutation', 'accounts.create_team', { name: 'Eve' })).status).toBe(200);
    const key = await callDashboardRoute(eve, 'mutation', 'api_keys.create', { name: 'Eve', scopes: null });
    expect(key.status).toBe(200);
    const { headers: eves } = await enableTwoFactor(eve, STRANGER.password);
    const user = await systemDb().user.findUniqueOrThrow({ where: { email: VICTIM }, include: { members: true } });
    const waiting = {
      device_code_hash: 'd',
      user_code_hash: 'u',
      key_mode: 'test',
      interval_s: 5,
    } as const;
    const times = { created_at: new Date(), expires_at: new Date(Date.now() + 600_000) };
    await systemDb().deviceLogin.create({ data: { ...waiting, ...times, member_id: user.members[0]?.id ?? '' } });
    const half = getCookieHeader(await postToAuthHandler('/sign-in/email', STRANGER));
    setConfig({ resend_api_key: 're_key' });

    await postToAuthHandler('/send-verification-email', { email: VICTIM });
    const { url } = (await (await claim({ token: await mailedToken() })).json()) as { url: string };
    expect(url).toMatch(/^http:\/\/localhost:4100\/reset-password\?token=/);
    expect(await isConfirmed()).toBe(false);
    const token = new URL(url).searchParams.get('token');
    expect((await postToAuthHandler('/reset-password', { token, newPassword: OWN })).status).toBe(200);

    expect((await readSessionContext(eves)).signed_in).toBeNull();
    expect((await postToAuthHandler('/sign-in/email', STRANGER)).status).toBe(401);
    expect(half).not.toBe('');
    const left = {
      sessions: await systemDb().session.count(),
      second_factors: await systemDb().twoFactor.count(),
      device_logins: await systemDb().deviceLogin.count(),
      keys: await systemDb().apiKey.count({ where: { revoked_at: null } }),
      ways_in: await systemDb().verification.count({ where: { value: user.id } }),
    };
    expect(left).toEqual({ sessions: 0, second_factors: 0, device_logins: 0, keys: 0, ways_in: 0 });
    const boss = await signIn(VICTIM, OWN);
    expect(await getSignedInUser(boss)).toMatchObject({ email_verified: true, two_factor_enabled: false });
    const log = await systemDb().auditLog.findMany({ where: { action: 'user.address_claimed' } });
    expect(log).toMatchObject([{ data: { count: 1 } }]);
  }, 60_000);

  it('gets a password link only from the mailed link, before the confirmation, and five times an hour', async () => {
    const { token, cookie } = await signUpByMail();
    expect((await claim({ token: 'x' })).status).toBe(400);
    const answers = await Promise.all(Array.from({ length: 50 }, () => claim({ token })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    await confirm({ token }, cookie);
    await systemDb().tally.deleteMany();
    expect((await claim({ token })).status).toBe(400);
  });
});

describe('a reset of an address that was confirmed', () => {
  beforeEach(async () => {
    await createTeam({ name: 'One', owner_email: VICTIM, owner_password: OWN });
  });

  it('ends sessions, device logins and unfinished sign-ins, and keeps the second factor and team keys', async () => {
    const boss = await signIn(VICTIM, OWN);
    await callDashboardRoute(boss, 'mutation', 'api_keys.create', { name: 'CI', scopes: null });
    const { headers } = await enableTwoFactor(boss, OWN);
    await postToAuthHandler('/sign-in/email', { email: VICTIM, password: OWN });
    const { id } = await systemDb().user.findFirstOrThrow();
    const waysIn = () => systemDb().verification.count({ where: { value: id } });
    expect(await waysIn()).toBe(1);
    await postToAuthHandler('/request-password-reset', { email: VICTIM });
    await postToAuthHandler('/request-password-reset', { email: VICTIM });
    expect(await waysIn()).toBe(3);
    const token = new URL((await findMailedLink('reset_password', '/reset-password')).url).searchParams.get('token');
    expect((await postToAuthHandler('/reset-password', { token, newPassword: 'the next password' })).status).toBe(200);
    expect((await readSessionContext(headers)).signed_in).toBeNull();
    expect(await waysIn()).toBe(0);
    const next = await postToAuthHandler('/sign-in/email', { email: VICTIM, password: 'the next password' });
    expect(await next.json()).toMatchObject({ twoFactorRedirect: true });
    expect(await systemDb().apiKey.count({ where: { revoked_at: null } })).toBe(1);
  });

  it.each([
    ['an address', { email: 'eve@example.com' }],
    ['that the address is confirmed', { name: 'x', emailVerified: true, email_verified: true }],
    ['that there is no second factor', { name: 'x', twoFactorEnabled: false, two_factor_enabled: false }],
    ['a picture', { name: 'x', image: 'javascript:alert(1)' }],
    ['a picture alone', { image: 'https://elsewhere.example/p.png' }],
  ])('cannot be avoided by setting %s, which changes nothing', async (_what, body) => {
    const { headers } = await enableTwoFactor(await signIn(VICTIM, OWN), OWN);
    const facts = async () => {
      const { email, emailVerified, twoFactorEnabled, image } = await systemDb().user.findFirstOrThrow();
      return { email, emailVerified, twoFactorEnabled, image };
    };
    const before = await facts();
    await postToAuthHandler('/update-user', body, { cookie: headers.get('cookie') ?? '' });
    await postToAuthHandler(
      '/change-email',
      { newEmail: 'eve@example.com', ...body },
      { cookie: headers.get('cookie') ?? '' },
    );
    expect(await facts()).toEqual(before);
    expect(before).toEqual({ email: VICTIM, emailVerified: true, twoFactorEnabled: true, image: null });
  });
});

describe('a password reset link', () => {
  const OLD = { email: VICTIM, password: 'a long password' };
  const resetTo = (token: string, newPassword: string) => postToAuthHandler('/reset-password', { token, newPassword });
  const link = async () => new URL((await createPasswordResetLink(VICTIM)).url).searchParams.get('token') ?? '';
  beforeEach(() => createTeam({ name: 'Sea View', owner_email: OLD.email, owner_password: OLD.password }));

  it('becomes invalid when the password is changed', async () => {
    const token = await link();
    const session = await signIn(OLD.email, OLD.password);
    const change = { currentPassword: OLD.password, newPassword: 'another long password' };
    expect((await postToAuthHandler('/change-password', change, { cookie: session.get('cookie') ?? '' })).status).toBe(
      200,
    );
    expect((await resetTo(token, 'by the old link')).status).toBe(400);
  });

  it('works once among several, even when all are opened concurrently', async () => {
    const tokens = [await link(), await link(), await link()];
    const answers = await Promise.all(tokens.map((token, index) => resetTo(token, `a long password ${index}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });
});

it('a sign-up can set neither a picture nor a confirmed address', async () => {
  const body = { ...STRANGER, image: 'javascript:alert(1)', emailVerified: true, sign_up_browser: 'x' };
  await postToAuthHandler('/sign-up/email', body);
  const user = await systemDb().user.findFirstOrThrow();
  expect(user).toMatchObject({ image: null, emailVerified: false });
  expect((await systemDb().verification.findFirstOrThrow()).value).toMatch(/^[0-9a-f]{64}$/);
});
