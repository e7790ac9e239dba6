/** Adding, using and removing passkeys, with a software authenticator. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { setClock } from '@/shared/clock';
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
import { createTestPasskey } from '@/testing/passkey';
import { clearDatabase } from '@/testing/team';
import { computeTotp } from '@/testing/totp';
import { allowMailboxOwnerToTakeOverAccount } from '../confirmation/confirmation';
import { takeOverUnconfirmedAccount } from '../confirmation/confirmation.repository';
import { createTeam } from '../service';
import { readSessionContext } from '../session';
import { createPasswordResetLink, handleAuthRequest } from './auth';

const OWNER = { email: 'olga@example.com', password: 'a long password' };

beforeAll(async () => {
  await openTestDatabase();
  setConfig({ app_url: DASHBOARD_TEST_ORIGIN });
});
afterAll(async () => {
  setClock(null);
  await closeTestDatabase();
});
beforeEach(async () => {
  setClock(null);
  setConfig({ resend_api_key: undefined });
  await clearDatabase();
  await createTeam({ name: 'One', owner_email: OWNER.email, owner_password: OWNER.password });
});

const owner = () => signIn(OWNER.email, OWNER.password);
const passTime = async (minutes: number) => setClock({ now: () => new Date(Date.now() + minutes * 60_000) });
const cookie = (headers: Headers) => ({ cookie: headers.get('cookie') ?? '' });
const code = async (response: Response) => ((await response.json()) as { code?: string }).code;
const notices = async () =>
  (await systemDb().mailMessage.findMany({ where: { template: 'security_change' }, orderBy: { id: 'asc' } })).map(
    ({ to, subject }) => `${to}: ${subject}`,
  );
const audited = async (action: string) =>
  (await systemDb().auditLog.findMany({ where: { action }, orderBy: { id: 'asc' } })).map(({ data }) => data);
const ownKeys = async (headers: Headers) =>
  (await callDashboardRoute(headers, 'query', 'accounts.security')).data as {
    passkeys: { id: string; name: string }[];
    proof: string;
  };

describe('adding a passkey', () => {
  it('requires the password, mails the owner, and is in the audit log', async () => {
    const headers = await owner();
    const { response } = await addPasskey(headers, OWNER.password);
    expect([response.status, await response.json()]).toEqual([200, { status: true }]);
    // Registering a passkey does not count as a recent sign-in: the password is still required.
    expect(await ownKeys(headers)).toMatchObject({ passkeys: [{ name: 'Laptop' }], proof: 'password' });
    expect(await notices()).toEqual(['olga@example.com: A passkey was added to your account']);
    expect(await audited('user.passkey_added')).toEqual([{ name: 'Laptop' }]);
  });

  it('is refused without the password, or with a wrong one, which counts as an attempt', async () => {
    const headers = await owner();
    const missing = (await addPasskey(headers)).response;
    expect([missing.status, await code(missing)]).toEqual([403, 'PROOF_NEEDED']);
    const wrong = (await addPasskey(headers, 'not the password')).response;
    expect([wrong.status, await code(wrong)]).toEqual([400, 'INVALID_PASSWORD']);
    expect(await systemDb().tally.count()).toBe(2);
    expect(await systemDb().passkey.count()).toBe(0);
  });

  it('is refused without a session, without user verification, and for another site’s origin', async () => {
    expect((await postToAuthHandler('/passkey/generate-register-options', { password: OWNER.password })).status).toBe(
      401,
    );
    const headers = await owner();
    const lax = createTestPasskey(DASHBOARD_TEST_ORIGIN, { verifies: false });
    expect((await addPasskey(headers, OWNER.password, lax)).response.status).toBe(400);
    const other = createTestPasskey('http://evil.example');
    expect((await addPasskey(headers, OWNER.password, other)).response.status).toBe(400);
    const copy = createTestPasskey('http://localhost:4101');
    expect((await addPasskey(headers, OWNER.password, copy)).response.status).toBe(400);
    expect(await systemDb().passkey.count()).toBe(0);
  });

  it('is refused for another account’s credential, an invalid name and a malformed credential', async () => {
    const headers = await owner();
    const { key } = await addPasskey(headers, OWNER.password);
    const eve = await signUp({ name: 'Eve', email: 'eve@example.com', password: 'one that eve chose' });
    const again = (await addPasskey(eve, 'one that eve chose', key)).response;
    expect([again.status, await code(again)]).toEqual([400, 'PASSKEY_NOT_ADDED']);
    expect(
      (await addPasskey(eve, 'one that eve chose', createTestPasskey(DASHBOARD_TEST_ORIGIN), ' ')).response.status,
    ).toBe(400);
    for (const response of [null, 'x', {}, { id: { not: '' }, rawId: '', response: { clientDataJSON: '' } }]) {
      expect((await postToAuthHandler('/passkey/verify-authentication', { response })).status).toBe(400);
      expect(
        (await postToAuthHandler('/passkey/verify-registration', { response, name: 'x' }, cookie(eve))).status,
      ).toBe(400);
    }
    expect(await systemDb().passkey.count()).toBe(1);
  });

  it('accepts one response for each challenge', async () => {
    const headers = await owner();
    const asked = await postToAuthHandler(
      '/passkey/generate-register-options',
      { password: OWNER.password },
      cookie(headers),
    );
    const both = { cookie: `${headers.get('cookie')}; ${getCookieHeader(asked)}` };
    const options = (await asked.json()) as { challenge: string; authenticatorSelection: object };
    expect(options.authenticatorSelection).toMatchObject({ residentKey: 'required', userVerification: 'required' });
    const give = () =>
      postToAuthHandler(
        '/passkey/verify-registration',
        { response: createTestPasskey(DASHBOARD_TEST_ORIGIN).register(options), name: 'x' },
        both,
      );
    expect((await give()).status).toBe(200);
    expect((await give()).status).toBe(400);
  });
});

describe('signing in with a passkey', () => {
  it('requires neither password nor code, and is in the audit log', async () => {
    const { headers } = await enableTwoFactor(await owner(), OWNER.password);
    const { key } = await addPasskey(headers, OWNER.password);
    const { answer, headers: session } = await signInWithTestPasskey(key);
    const body = await answer.text();
    expect(answer.status).toBe(200);
    expect(Object.keys(JSON.parse(body))).toEqual(['status', 'user']);
    expect(await getSignedInUser(session)).toMatchObject({ email: OWNER.email });
    expect(await audited('user.signed_in')).toContainEqual({ with: 'passkey' });
    const rows = await systemDb().session.findMany({ orderBy: { createdAt: 'desc' } });
    expect(rows[0]?.signedInWith).toBe('passkey');
  });

  it('requests user verification, and accepts no response without it', async () => {
    const asked = await postToAuthHandler('/passkey/generate-authenticate-options', {});
    expect(await asked.json()).toMatchObject({ userVerification: 'required', rpId: 'localhost' });
    const key = createTestPasskey(DASHBOARD_TEST_ORIGIN);
    await addPasskey(await owner(), OWNER.password, key);
    const lax = { ...key, use: (options: { challenge: string }) => withoutUserVerified(key.use(options)) };
    expect((await signInWithTestPasskey(lax)).answer.status).toBeGreaterThanOrEqual(400);
  });

  it('is refused for an unknown passkey, a challenge used twice, and an unconfirmed account', async () => {
    const stranger = (await signInWithTestPasskey(createTestPasskey(DASHBOARD_TEST_ORIGIN))).answer;
    expect([stranger.status, await code(stranger)]).toEqual([401, 'PASSKEY_NOT_FOUND']);
    const { key } = await addPasskey(await owner(), OWNER.password);
    const asked = await postToAuthHandler('/passkey/generate-authenticate-options', {});
    const options = (await asked.json()) as { challenge: string };
    const give = () =>
      postToAuthHandler(
        '/passkey/verify-authentication',
        { response: key.use(options) },
        { cookie: getCookieHeader(asked) },
      );
    expect((await give()).status).toBe(200);
    expect((await give()).status).toBe(400);
    await systemDb().user.updateMany({ data: { emailVerified: false } });
    setConfig({ resend_api_key: 're_key' });
    expect((await signInWithTestPasskey(key)).answer.status).toBe(401);
  });

  it('cannot be started by GET, because it stores a challenge', async () => {
    for (const path of ['/passkey/generate-authenticate-options', '/passkey/list-user-passkeys'])
      expect((await handleAuthRequest(new Request(`${DASHBOARD_TEST_ORIGIN}/api/auth${path}`))).status).toBe(404);
    expect(await systemDb().verification.count()).toBe(0);
  });

  it('proves the user’s identity for ten minutes, during which no password is required', async () => {
    const { key } = await addPasskey(await owner(), OWNER.password);
    const { headers } = await signInWithTestPasskey(key);
    expect((await ownKeys(headers)).proof).toBe('nothing');
    expect((await addPasskey(headers)).response.status).toBe(200);
    setClock({ now: () => new Date(Date.now() + 11 * 60_000) });
    expect((await ownKeys(headers)).proof).toBe('password');
    expect((await addPasskey(headers)).response.status).toBe(403);
    await systemDb().account.deleteMany();
    expect((await ownKeys(headers)).proof).toBe('sign_in');
  });
});

describe('a passkey', () => {
  it('is renamed and removed only by its owner; removal requires the password and ends its other sessions', async () => {
    const { key } = await addPasskey(await owner(), OWNER.password);
    const { headers: elsewhere } = await signInWithTestPasskey(key);
    const { headers } = await signInWithTestPasskey(key);
    await passTime(11);
    const [{ id } = { id: '' }] = (await ownKeys(headers)).passkeys;
    const eve = await signUp({ name: 'Eve', email: 'eve@example.com', password: 'one that eve chose' });
    const remove = (password: string | undefined, by: Headers) =>
      postToAuthHandler('/passkey/delete-passkey', { id, password }, cookie(by));
    expect((await postToAuthHandler('/passkey/update-passkey', { id, name: 'Mine' }, cookie(eve))).status).toBe(401);
    expect((await remove('one that eve chose', eve)).status).toBe(401);
    expect((await postToAuthHandler('/passkey/update-passkey', { id, name: 'Phone' }, cookie(headers))).status).toBe(
      200,
    );
    expect((await remove(undefined, headers)).status).toBe(403);
    expect((await remove('wrong', headers)).status).toBe(400);
    expect((await getSignedInUser(elsewhere)).email).toBe(OWNER.email);
    expect((await remove(OWNER.password, headers)).status).toBe(200);
    expect((await readSessionContext(elsewhere)).signed_in).toBeNull();
    expect((await getSignedInUser(headers)).email).toBe(OWNER.email);
    expect((await signInWithTestPasskey(key)).answer.status).toBe(401);
    expect((await notices()).at(-1)).toBe('olga@example.com: A passkey was removed from your account');
    expect(await audited('user.passkey_removed')).toEqual([{ name: 'Phone' }]);
  });

  it('is removed by a password reset by mail, and two-factor stays enabled', async () => {
    const { headers } = await enableTwoFactor(await owner(), OWNER.password);
    const { key } = await addPasskey(headers, OWNER.password);
    const token = new URL((await createPasswordResetLink(OWNER.email)).url).searchParams.get('token');
    expect((await postToAuthHandler('/reset-password', { token, newPassword: 'another long one' })).status).toBe(200);
    expect((await signInWithTestPasskey(key)).answer.status).toBe(401);
    expect(await systemDb().passkey.count()).toBe(0);
    expect((await notices()).at(-1)).toBe('olga@example.com: Your password was reset');
    const answer = await postToAuthHandler('/sign-in/email', { email: OWNER.email, password: 'another long one' });
    expect(await answer.json()).toMatchObject({ twoFactorRedirect: true });
  });

  it('is deleted when its account is released or taken over', async () => {
    await addPasskey(await owner(), OWNER.password);
    await allowMailboxOwnerToTakeOverAccount(OWNER.email);
    expect(await systemDb().passkey.count()).toBe(0);
    const eve = await signUp({ name: 'Eve', email: 'eve@example.com', password: 'one that eve chose' });
    await addPasskey(eve, 'one that eve chose');
    expect(await systemDb().passkey.count()).toBe(1);
    await takeOverUnconfirmedAccount((await getSignedInUser(eve)).id, 'Grace');
    expect(await systemDb().passkey.count()).toBe(0);
  });
});

describe('an account with a second factor', () => {
  const paths = [
    '/two-factor/enable',
    '/two-factor/disable',
    '/two-factor/get-totp-uri',
    '/two-factor/generate-backup-codes',
    '/passkey/generate-register-options',
    '/passkey/delete-passkey',
  ];

  it('rejects changes of factors and address in a session that used only the password', async () => {
    await addPasskey(await owner(), OWNER.password);
    const thief = await owner();
    const [{ id } = { id: '' }] = (await ownKeys(thief)).passkeys;
    expect((await ownKeys(thief)).proof).toBe('sign_in');
    for (const path of paths) {
      const answer = await postToAuthHandler(path, { password: OWNER.password, id }, cookie(thief));
      expect([path, answer.status, await code(answer)]).toEqual([path, 403, 'PROOF_NEEDED']);
    }
    const renamed = await postToAuthHandler('/passkey/update-passkey', { id, name: 'x' }, cookie(thief));
    expect(renamed.status).toBe(403);
    setConfig({ resend_api_key: 're_key' });
    const input = { email: 'eve@example.com', password: OWNER.password };
    expect((await callDashboardRoute(thief, 'mutation', 'accounts.request_email_change', input)).status).toBe(400);
    expect(await systemDb().passkey.count()).toBe(1);
    expect(await systemDb().twoFactor.count()).toBe(0);
  });

  it('rejects a registration or code that a password-only session began before the factor was added', async () => {
    const [thief, headers] = [await owner(), await owner()];
    const asked = await postToAuthHandler(
      '/passkey/generate-register-options',
      { password: OWNER.password },
      cookie(thief),
    );
    const both = { cookie: `${thief.get('cookie')}; ${getCookieHeader(asked)}` };
    const options = (await asked.json()) as { challenge: string };
    const begun = await postToAuthHandler('/two-factor/enable', { password: OWNER.password }, cookie(thief));
    const { totpURI } = (await begun.json()) as { totpURI: string };
    await addPasskey(headers, OWNER.password);
    // The new passkey ended the thief's session. The thief signs in again below.
    expect((await readSessionContext(thief)).signed_in).toBeNull();
    const late = await owner();
    const response = createTestPasskey(DASHBOARD_TEST_ORIGIN).register(options);
    const name = 'x';
    const registered = await postToAuthHandler(
      '/passkey/verify-registration',
      { response, name },
      { cookie: both.cookie.replace(/threshold\.session_token=[^;]*/, late.get('cookie') ?? '') },
    );
    expect(registered.status).toBe(403);
    expect(
      (await postToAuthHandler('/two-factor/verify-totp', { code: computeTotp(totpURI, Date.now()) }, cookie(late)))
        .status,
    ).toBe(403);
    expect(await systemDb().passkey.count()).toBe(1);
  });

  it('keeps its secret and recovery codes while two-factor is on', async () => {
    const { headers } = await enableTwoFactor(await owner(), OWNER.password);
    const before = await systemDb().twoFactor.findFirst();
    const again = await postToAuthHandler('/two-factor/enable', { password: OWNER.password }, cookie(headers));
    expect([again.status, await code(again)]).toEqual([400, 'TWO_FACTOR_ALREADY_ENABLED']);
    expect(await systemDb().twoFactor.findFirst()).toEqual(before);
  });
});

describe('two sessions opened by password that add a second factor at the same time', () => {
  /** Returns a function that runs the last step of adding a passkey. */
  const lastStep = async (headers: Headers) => {
    const asked = await postToAuthHandler(
      '/passkey/generate-register-options',
      { password: OWNER.password },
      cookie(headers),
    );
    const both = { cookie: `${headers.get('cookie')}; ${getCookieHeader(asked)}` };
    const response = createTestPasskey(DASHBOARD_TEST_ORIGIN).register((await asked.json()) as { challenge: string });
    return () => postToAuthHandler('/passkey/verify-registration', { response, name: 'x' }, both);
  };
  const begun = async (headers: Headers) => {
    const answer = await postToAuthHandler('/two-factor/enable', { password: OWNER.password }, cookie(headers));
    const { totpURI } = (await answer.json()) as { totpURI: string };
    return () =>
      postToAuthHandler('/two-factor/verify-totp', { code: computeTotp(totpURI, Date.now()) }, cookie(headers));
  };

  it('add one passkey, and the other session ends', async () => {
    const steps = [await lastStep(await owner()), await lastStep(await owner())];
    const answers = await Promise.all(steps.map((step) => step()));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await systemDb().passkey.count()).toBe(1);
    expect(await systemDb().session.findMany()).toMatchObject([{ signedInWith: 'password_and_factor' }]);
  });

  it('set up one authenticator app: a second secret does not replace the first', async () => {
    const [first, second] = [await owner(), await owner()];
    const verify = await begun(first);
    const [verified, replaced] = await Promise.all([
      verify(),
      postToAuthHandler('/two-factor/enable', { password: OWNER.password }, cookie(second)),
    ]);
    // Whichever request arrives first, no unconfirmed secret may replace a confirmed one.
    expect(verified.ok && replaced.ok).toBe(false);
    expect(await systemDb().twoFactor.findMany()).toMatchObject([{ verified: verified.ok }]);
  });

  it('are not blocked by an earlier change that never ended', async () => {
    const headers = await owner();
    const { id: user_id } = await getSignedInUser(headers);
    const row = { id: `factor-change:${user_id}`, identifier: 'x', value: '', createdAt: new Date() };
    await systemDb().verification.create({ data: { ...row, expiresAt: new Date(Date.now() + 60_000) } });
    expect((await addPasskey(headers, OWNER.password)).response.status).toBe(409);
    await systemDb().verification.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
    expect((await addPasskey(headers, OWNER.password)).response.status).toBe(200);
  });
});

it('a first passkey, added after signing in with the company account, ends the sessions opened by password', async () => {
  const [headers, elsewhere] = [await owner(), await owner()];
  const { session_id: id } = await getSignedInUser(headers);
  await systemDb().session.update({ where: { id }, data: { signedInWith: 'company_account' } });
  await addPasskey(headers, OWNER.password);
  expect((await readSessionContext(elsewhere)).signed_in).toBeNull();
  expect(await systemDb().session.findMany()).toMatchObject([{ id, signedInWith: 'company_account' }]);
});

it('an account has at most twenty passkeys', async () => {
  const headers = await owner();
  const { id: userId } = await getSignedInUser(headers);
  const row = { publicKey: 'x', counter: 0, deviceType: 'singleDevice', backedUp: false, userId };
  await systemDb().passkey.createMany({
    data: Array.from({ length: 19 }, (_, index) => ({ ...row, id: `k${index}`, credentialID: `k${index}` })),
  });
  const { session_id: id } = await getSignedInUser(headers);
  await systemDb().session.update({ where: { id }, data: { signedInWith: 'passkey' } });
  expect((await addPasskey(headers, OWNER.password)).response.status).toBe(200);
  const refused = (await addPasskey(headers, OWNER.password)).response;
  expect([refused.status, await code(refused)]).toEqual([400, 'PASSKEY_NOT_ADDED']);
  expect(await systemDb().passkey.count()).toBe(20);
});

/**
 * Converts an authenticator's response to one without user verification. This also invalidates the
 * signature.
 */
function withoutUserVerified(credential: ReturnType<ReturnType<typeof createTestPasskey>['use']>) {
  const response = credential.response as { authenticatorData: string };
  const data = Buffer.from(response.authenticatorData, 'base64url');
  data[32] = 1;
  return { ...credential, response: { ...response, authenticatorData: data.toString('base64url') } };
}
