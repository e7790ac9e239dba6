/**
 * Signing in: guessed passwords, what pages reveal about an account, and the lifetime of sessions.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { hashToken } from '@/infra/encryption';
import { setClock } from '@/shared/clock';
import {
  callDashboardRoute,
  createTestIpAddress,
  DASHBOARD_TEST_ORIGIN,
  enableTwoFactor,
  findMailedLink,
  getCookieHeader,
  postToAuthHandler,
  signIn,
  signUp,
} from '@/testing/auth';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readLastOutboundMail, readOutboundMails } from '@/testing/mail';
import { setPasswordCost } from '@/testing/password-cost';
import { clearDatabase } from '@/testing/team';
import { computeTotp } from '@/testing/totp';
import { countAttemptAndGetWindowTotal } from '../attempt-counters/attempt-counter.repository';
import { createTeam } from '../service';
import { readSessionContext } from '../session';
import { getBetterAuth } from './auth';
import { verifySecondFactorCode } from './second-factor';
import { SignInAttemptQueue } from './sign-in-attempt-queue';

const OWNER = { email: 'olga@example.com', password: 'a long password' };
const WRONG = { email: OWNER.email, password: 'not the password' };
const from = (ip = createTestIpAddress()) => ({ 'x-threshold-client-ip': ip });
const HOUR = 3_600_000;

/** The delays of attempts. They are recorded instead of waited for. */
const delays_ms: number[] = [];

beforeAll(async () => {
  await openTestDatabase();
  setConfig({ app_url: DASHBOARD_TEST_ORIGIN });
});
afterAll(async () => {
  setClock(null);
  vi.restoreAllMocks();
  await closeTestDatabase();
});
beforeEach(async () => {
  setClock(null);
  delays_ms.length = 0;
  vi.spyOn(SignInAttemptQueue.prototype, 'wait').mockImplementation(async (_client, milliseconds) => {
    delays_ms.push(milliseconds);
    return true;
  });
  setConfig({ resend_api_key: undefined });
  await clearDatabase();
  await createTeam({ name: 'One', owner_email: OWNER.email, owner_password: OWNER.password });
});

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const started = performance.now();
  return [await work(), performance.now() - started];
}
const fail = async (count: number, credentials = WRONG) => {
  for (let index = 0; index < count; index++) await postToAuthHandler('/sign-in/email', credentials, from());
};
/** Sets the subject's count of failures. `count` must be more than one. */
async function failures(count: number, subject: string): Promise<void> {
  await countAttemptAndGetWindowTotal(subject, HOUR);
  await systemDb().tally.updateMany({ where: { count: 1 }, data: { count } });
}
const mails = async (template: string) =>
  (await systemDb().mailMessage.findMany({ where: { template } })).map(({ to }) => to);
const whoseIs = async (headers: Headers) => (await readSessionContext(headers)).signed_in?.email ?? null;

describe('wrong passwords', () => {
  it('are counted by account, from any address and in any spelling, and delay the next attempt', async () => {
    await fail(2);
    await fail(3, { ...WRONG, email: 'OLGA@example.com' });
    expect((await postToAuthHandler('/sign-in/email', WRONG, from())).status).toBe(401);
    expect(delays_ms).toEqual([0, 0, 0, 250, 500, 1_000]);
  });

  it('are counted by client address too, across accounts', async () => {
    await failures(23, 'client:203.0.113.77');
    const somebody = { email: 'nobody@example.com', password: 'x' };
    await postToAuthHandler('/sign-in/email', { ...somebody, email: 'b@example.com' }, from('203.0.113.77'));
    expect(delays_ms).toEqual([1_000]);
  });

  it('are recorded for the client address', async () => {
    await postToAuthHandler('/sign-in/email', WRONG, from('203.0.113.78'));
    expect(await countAttemptAndGetWindowTotal('client:203.0.113.78', HOUR)).toBe(2);
  });

  it('never lock the owner out: the right password works after a delay and resets the count', async () => {
    await failures(1_000, `password:${OWNER.email}`);
    expect((await postToAuthHandler('/sign-in/email', OWNER, from())).status).toBe(200);
    expect(delays_ms).toEqual([5_000]);
    expect(await countAttemptAndGetWindowTotal(`password:${OWNER.email}`, HOUR)).toBe(1);
  });

  it('include requests without a password, which are counted and notify the owner', async () => {
    await failures(9, `password:${OWNER.email}`);
    const answer = await postToAuthHandler('/sign-in/email', { email: OWNER.email }, from());
    expect(answer.status).toBe(400);
    expect(await countAttemptAndGetWindowTotal(`password:${OWNER.email}`, HOUR)).toBe(11);
    expect(await mails('sign_in_failures')).toEqual([OWNER.email]);
  });

  it('sent all at once are all counted', async () => {
    await Promise.all(Array.from({ length: 8 }, () => fail(1)));
    expect(delays_ms.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 250, 500, 1_000, 2_000, 4_000]);
  });

  it('wait concurrently only in small numbers per client, without delaying other clients', async () => {
    vi.restoreAllMocks();
    await failures(20, `password:${OWNER.email}`);
    const client = from();
    const many = Array.from({ length: 7 }, () => postToAuthHandler('/sign-in/email', WRONG, client));
    const [stranger, waited] = await timed(() => signIn('x@example.com', 'x', from()).catch(() => null));
    expect(stranger).toBeNull();
    expect(waited).toBeLessThan(4_000);
    const answers = await Promise.all(many);
    expect(answers.map(({ status }) => status).sort()).toEqual([401, 401, 401, 401, 429, 429, 429]);
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('5');
    await systemDb().tally.deleteMany();
    await failures(4, `password:${OWNER.email}`);
    const [answer, delay] = await timed(() => postToAuthHandler('/sign-in/email', OWNER, client));
    expect(answer.status).toBe(200);
    expect(delay).toBeGreaterThan(495);
  }, 20_000);

  it('notify the owner once per burst, and nobody without an account', async () => {
    await failures(9, `password:${OWNER.email}`);
    await failures(9, 'password:nobody@example.com');
    await Promise.all([fail(1), fail(1), fail(1), fail(1, { email: 'nobody@example.com', password: 'x' })]);
    expect(await mails('sign_in_failures')).toEqual([OWNER.email]);
    expect((await findMailedLink('sign_in_failures', '/reset-password')).url).toBe(
      `${DASHBOARD_TEST_ORIGIN}/reset-password`,
    );
  }, 30_000);

  it('older than an hour do not count', async () => {
    await failures(50, `password:${OWNER.email}`);
    setClock({ now: () => new Date(Date.now() + HOUR + 1_000) });
    await fail(1);
    expect(delays_ms).toEqual([0]);
  });

  it('cannot be sent as a form, which would bypass the count', async () => {
    const form = await postToAuthHandler('/sign-in/email', `email=${OWNER.email}&password=${OWNER.password}`, {
      ...from(),
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(form.status).toBe(415);
  });

  it.each([
    ['/verify-password', { password: 'wrong' }],
    ['/change-password', { currentPassword: 'wrong', newPassword: 'the next password' }],
    ['/two-factor/enable', { password: 'wrong' }],
    ['/two-factor/disable', { password: 'wrong' }],
    ['/two-factor/get-totp-uri', { password: 'wrong' }],
    ['/two-factor/generate-backup-codes', { password: 'wrong' }],
  ])('sent to %s by a signed-in user count as well', async (path, body) => {
    let headers = await signIn(OWNER.email, OWNER.password, from());
    if (/disable|totp|backup/.test(path)) headers = (await enableTwoFactor(headers, OWNER.password)).headers;
    expect((await postToAuthHandler(path, body, { ...from(), cookie: headers.get('cookie') ?? '' })).status).toBe(400);
    expect(await countAttemptAndGetWindowTotal(`password:${OWNER.email}`, HOUR)).toBe(2);
  });
});

describe('wrong codes of the second factor', () => {
  const half = async () => getCookieHeader(await postToAuthHandler('/sign-in/email', OWNER, from()));

  it.each([
    ['/two-factor/verify-totp', '000000'],
    ['/two-factor/verify-backup-code', 'aaaaa-bbbbb'],
  ])('at %s are counted by account, separately from passwords, and delayed', async (path, code) => {
    await enableTwoFactor(await signIn(OWNER.email, OWNER.password, from()), OWNER.password);
    await failures(5, `code:${OWNER.email}`);
    // A correct password must not reset the count of wrong codes.
    const cookie = await half();
    expect((await postToAuthHandler(path, { code }, { ...from(), cookie })).status).toBe(401);
    expect(delays_ms.at(-1)).toBe(1_000);
    expect(await countAttemptAndGetWindowTotal(`code:${OWNER.email}`, HOUR)).toBe(7);
  });

  it('notify the owner that the password is known, and the right code works', async () => {
    const { totpURI } = await enableTwoFactor(await signIn(OWNER.email, OWNER.password, from()), OWNER.password);
    await failures(9, `code:${OWNER.email}`);
    const cookie = await half();
    expect((await postToAuthHandler('/two-factor/verify-totp', { code: '000000' }, { ...from(), cookie })).status).toBe(
      401,
    );
    const [mail] = await readOutboundMails({ template: 'sign_in_failures' });
    expect(mail?.text).toContain('knows your password');
    await systemDb().tally.deleteMany();
    await failures(4, `code:${OWNER.email}`);
    const code = computeTotp(totpURI, Date.now());
    const right = await postToAuthHandler('/two-factor/verify-totp', { code }, { ...from(), cookie });
    expect(right.status).toBe(200);
    expect(await whoseIs(new Headers({ cookie: getCookieHeader(right) }))).toBe(OWNER.email);
    expect(await countAttemptAndGetWindowTotal(`code:${OWNER.email}`, HOUR)).toBe(1);
  }, 20_000);
});

describe('a code of the authenticator app', () => {
  const half = async () => getCookieHeader(await postToAuthHandler('/sign-in/email', OWNER, from()));
  const verify = (code: string, cookie: string) =>
    postToAuthHandler('/two-factor/verify-totp', { code }, { ...from(), cookie });

  it('works once: to sign in, to set it up, and of two requests at once', async () => {
    const headers = await signIn(OWNER.email, OWNER.password, from());
    const { totpURI } = await enableTwoFactor(headers, OWNER.password);
    expect((await verify(computeTotp(totpURI, Date.now() - 30_000), await half())).status).toBe(401);
    const code = computeTotp(totpURI, Date.now());
    const cookies = [await half(), await half()];
    const answers = await Promise.all(cookies.map((cookie) => verify(code, cookie)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await verify(code, await half())).status).toBe(401);
    expect((await verify(computeTotp(totpURI, Date.now() + 30_000), await half())).status).toBe(200);
  });

  it('that was used to sign in proves nothing afterwards', async () => {
    const headers = await signIn(OWNER.email, OWNER.password, from());
    const { totpURI } = await enableTwoFactor(headers, OWNER.password);
    const { id } = await systemDb().user.findUniqueOrThrow({ where: { email: OWNER.email } });
    const code = computeTotp(totpURI, Date.now());
    expect((await verify(code, await half())).status).toBe(200);
    expect(await verifySecondFactorCode(id, code)).toBe(false);
    expect(await verifySecondFactorCode(id, computeTotp(totpURI, Date.now() + 30_000))).toBe(true);
  });

  it('cannot be replaced by a recovery code during setup, and nobody is notified that two-factor is on', async () => {
    const cookie = (await signIn(OWNER.email, OWNER.password, from())).get('cookie') ?? '';
    const answer = await postToAuthHandler('/two-factor/enable', { password: OWNER.password }, { ...from(), cookie });
    const { backupCodes } = (await answer.json()) as { backupCodes: string[] };
    await postToAuthHandler('/two-factor/verify-backup-code', { code: backupCodes[0] }, { ...from(), cookie });
    expect(await mails('security_change')).toEqual([]);
    expect(await systemDb().auditLog.count({ where: { action: 'user.two_factor_enabled' } })).toBe(0);
  });
});

describe('signing up', () => {
  const known = { name: 'Eve', email: OWNER.email, password: 'something eve chose' };
  const unknown = { ...known, email: 'nora@example.com' };
  const said = async (response: Response) => ({
    status: response.status,
    body: await response.text(),
    headers: [...response.headers]
      .filter(([name]) => name !== 'date')
      .map(([name, value]) => [name, value.replace(/(?<=sign_up=)[\w-]{32}/, '…')]),
  });

  it.each([undefined, 're_key'])(
    'returns the same for a known address, and so does signing in afterwards (provider: %s)',
    async (key) => {
      setConfig({ resend_api_key: key });
      expect(await said(await postToAuthHandler('/sign-up/email', known, from()))).toEqual(
        await said(await postToAuthHandler('/sign-up/email', unknown, from())),
      );
      if (!key) return;
      expect(await said(await postToAuthHandler('/sign-in/email', known, from()))).toEqual(
        await said(await postToAuthHandler('/sign-in/email', unknown, from())),
      );
      expect(await systemDb().session.count()).toBe(0);
    },
  );

  it('notifies the owner of a known address, without a secret, and changes nothing in the account', async () => {
    const before = await systemDb().account.findMany();
    await postToAuthHandler('/sign-up/email', known, from());
    expect(await systemDb().account.findMany()).toEqual(before);
    expect(await mails('sign_up_attempt')).toEqual([OWNER.email]);
    const { text } = await readLastOutboundMail();
    expect(text).not.toMatch(/token|Eve/);
  });

  it('takes about as long for a known address as for an unknown one', async () => {
    setPasswordCost('product');
    // The shortest of several times, taken in turns, depends least on other work of the machine.
    const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
    for (let index = 0; index < 7; index++) {
      times.known.push((await timed(() => postToAuthHandler('/sign-up/email', known, from())))[1]);
      const other = { ...unknown, email: `n${index}@example.com` };
      times.unknown.push((await timed(() => postToAuthHandler('/sign-up/email', other, from())))[1]);
    }
    const [first, second] = [Math.min(...times.known), Math.min(...times.unknown)];
    expect(Math.max(first, second) / Math.min(first, second)).toBeLessThan(4);
  }, 30_000);

  it('with a mail provider admits nobody before the address is confirmed', async () => {
    setConfig({ resend_api_key: 're_key' });
    await postToAuthHandler('/sign-up/email', unknown, from());
    expect((await postToAuthHandler('/sign-in/email', unknown, from())).status).toBe(401);
    await systemDb().user.updateMany({ data: { emailVerified: true } });
    expect(await whoseIs(await signIn(unknown.email, unknown.password, from()))).toBe(unknown.email);
  });

  it.each([
    ['a NUL in the name', { name: 'a\u0000b' }],
    ['half a character in the name', { name: 'a\ud800b' }],
    ['an empty name', { name: '  ' }],
    ['a name of 201 characters', { name: 'x'.repeat(201) }],
    ['no name', { name: undefined }],
    ['a name that is not text', { name: 7 }],
    ['a NUL in the address', { email: 'a\u0000@example.com' }],
    ['a NUL in the password', { password: 'a long\u0000 password' }],
  ])('refuses %s', async (_what, change) => {
    const answer = await postToAuthHandler('/sign-up/email', { ...unknown, ...change }, from());
    expect(answer.status).toBe(400);
    expect(await systemDb().user.count()).toBe(1);
  });

  it.each(['{', '[]', '"x"', 'null'])('refuses the body %s', async (body) => {
    expect((await postToAuthHandler('/sign-up/email', body, from())).status).toBe(400);
  });

  it('refuses an empty new name', async () => {
    const cookie = (await signIn(OWNER.email, OWNER.password, from())).get('cookie') ?? '';
    expect((await postToAuthHandler('/update-user', { name: ' ' }, { ...from(), cookie })).status).toBe(400);
    expect((await postToAuthHandler('/update-user', { name: ' Olga ' }, { ...from(), cookie })).status).toBe(200);
    expect((await systemDb().user.findFirst())?.name).toBe('Olga');
  });
});

describe('a reset', () => {
  it('returns the same for every address', async () => {
    const ask = async (email: string) => {
      const answer = await postToAuthHandler('/request-password-reset', { email }, from());
      return [answer.status, await answer.text()];
    };
    expect(await ask(OWNER.email)).toEqual(await ask('nobody@example.com'));
    expect(await mails('reset_password')).toEqual([OWNER.email]);
  });

  it.each([OWNER.email, 'nobody@example.com'])('takes at least as long as sending a mail: %s', async (email) => {
    const [, took] = await timed(() => postToAuthHandler('/request-password-reset', { email }, from()));
    expect(took).toBeGreaterThan(395);
  });
});

describe('a password that attackers try first', () => {
  const common = ['password', 'Password1!', 'iloveyou2', 'qwertyuiop', '123456789', 'letmein123', 'olga2024'];

  it.each(common)('%s is refused at sign-up', async (password) => {
    const answer = await postToAuthHandler(
      '/sign-up/email',
      { name: 'Olga', email: 'olga.new@example.com', password },
      from(),
    );
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('too common');
  });

  it('is refused in a reset, whose link still works, in a change, and from the operator', async () => {
    await postToAuthHandler('/request-password-reset', { email: OWNER.email }, from());
    const token = new URL((await findMailedLink('reset_password', '/reset-password')).url).searchParams.get('token');
    expect((await postToAuthHandler('/reset-password', { token, newPassword: 'password1' }, from())).status).toBe(400);
    expect(
      (await postToAuthHandler('/reset-password', { token, newPassword: 'the next password' }, from())).status,
    ).toBe(200);
    const cookie = (await signIn(OWNER.email, 'the next password', from())).get('cookie') ?? '';
    const change = { currentPassword: 'the next password', newPassword: 'password1' };
    expect((await postToAuthHandler('/change-password', change, { ...from(), cookie })).status).toBe(400);
    const made = createTeam({ name: 'Two', owner_email: 'otto@example.com', owner_password: 'password1' });
    await expect(made).rejects.toMatchObject({ param: 'owner_password' });
    expect(await systemDb().user.count()).toBe(1);
  });

  it('is checked quickly, however long it is', async () => {
    const long = ['ab!'.repeat(85), 'x'.repeat(256), 'qwertyuiop'.repeat(25)];
    for (const password of long) {
      const [, took] = await timed(() =>
        postToAuthHandler('/sign-up/email', { name: 'N', email: `${password.length}@example.com`, password }, from()),
      );
      expect(took).toBeLessThan(2_500);
    }
  });
});

describe('a session', () => {
  it('is new at every sign-in: a planted session is not reused', async () => {
    const planted = await signIn(OWNER.email, OWNER.password, from());
    const eve = await signUp({ name: 'Eve', email: 'eve@example.com', password: 'a long password' });
    for (const cookie of [eve.get('cookie'), 'threshold.session_token=planted.value', planted.get('cookie')]) {
      const answer = await postToAuthHandler('/sign-in/email', OWNER, { ...from(), cookie: cookie ?? '' });
      expect(answer.status).toBe(200);
      const given = getCookieHeader(answer);
      expect(given).toContain('threshold.session_token=');
      expect(given).not.toContain((cookie ?? '').split('=')[1]);
    }
    expect(await whoseIs(eve)).toBe('eve@example.com');
  });

  it('is not opened by a cookie that was changed or signed by another key', async () => {
    const cookie = (await signIn(OWNER.email, OWNER.password, from())).get('cookie') ?? '';
    const [, token = '', signature = ''] = /session_token=([^.;]+)\.([^;]+)/.exec(cookie) ?? [];
    const other =
      (await signUp({ name: 'Eve', email: 'eve@example.com', password: 'a long password' })).get('cookie') ?? '';
    const [, , others = ''] = /session_token=([^.;]+)\.([^;]+)/.exec(other) ?? [];
    expect([token, signature, others].every((part) => part.length > 20)).toBe(true);
    for (const value of [
      token,
      `${token}.`,
      `${token}.${others}`,
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}.${signature}`,
      `${token}.${signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`,
    ]) {
      expect(await whoseIs(new Headers({ cookie: `threshold.session_token=${value}` })), value).toBeNull();
    }
    expect(await whoseIs(new Headers({ cookie: `threshold.session_token=${token}.${signature}` }))).toBe(OWNER.email);
  });

  it('is stored only as a hash, which opens nothing, even after the session is extended', async () => {
    const tokenOf = (headers: Headers) => /session_token=([^.;]+)\./.exec(headers.get('cookie') ?? '')?.[1] ?? '';
    const headers = await signIn(OWNER.email, OWNER.password, from());
    const two = (await enableTwoFactor(headers, OWNER.password)).headers;
    expect(tokenOf(two)).toMatch(/^\w{32}$/);
    const stored = async () => (await systemDb().session.findMany()).map(({ token }) => token);
    expect(await stored()).toEqual([hashToken(tokenOf(two))]);
    await systemDb().session.updateMany({ data: { expiresAt: new Date(Date.now() + 86_400_000) } });
    expect(await whoseIs(two)).toBe(OWNER.email);
    const [session] = await systemDb().session.findMany();
    expect(session?.expiresAt.getTime()).toBeGreaterThan(Date.now() + 13 * 86_400_000);
    expect(await stored()).toEqual([hashToken(tokenOf(two))]);
    // A stolen hash cannot be used as a token, not even with a correct signature.
    const { makeSignature } = await import('better-auth/crypto');
    const { secret } = await getBetterAuth().$context;
    const cookie = (token: string, signature: string) =>
      new Headers({ cookie: `threshold.session_token=${token}.${encodeURIComponent(signature)}` });
    const [hash = ''] = await stored();
    expect(await whoseIs(cookie(tokenOf(two), await makeSignature(tokenOf(two), secret)))).toBe(OWNER.email);
    expect(await whoseIs(cookie(hash, await makeSignature(hash, secret)))).toBeNull();
    await postToAuthHandler('/sign-out', {}, { ...from(), cookie: two.get('cookie') ?? '' });
    expect(await stored()).toEqual([]);
  });

  it('ends with sign-out, and on all devices on request', async () => {
    const [here, there] = [
      await signIn(OWNER.email, OWNER.password, from()),
      await signIn(OWNER.email, OWNER.password, from()),
    ];
    expect((await callDashboardRoute(here, 'mutation', 'accounts.revoke_other_sessions')).status).toBe(200);
    expect([await whoseIs(here), await whoseIs(there)]).toEqual([OWNER.email, null]);
    await postToAuthHandler('/sign-out', {}, { ...from(), cookie: here.get('cookie') ?? '' });
    expect(await whoseIs(here)).toBeNull();
  });

  it.each(['changed', 'reset'])('ends when the password is %s, whatever the caller requests', async (how) => {
    const [here, there] = [
      await signIn(OWNER.email, OWNER.password, from()),
      await signIn(OWNER.email, OWNER.password, from()),
    ];
    if (how === 'changed') {
      const body = { currentPassword: OWNER.password, newPassword: 'the next password', revokeOtherSessions: false };
      const answer = await postToAuthHandler('/change-password', body, { ...from(), cookie: here.get('cookie') ?? '' });
      expect(await whoseIs(new Headers({ cookie: getCookieHeader(answer) }))).toBe(OWNER.email);
    } else {
      await postToAuthHandler('/request-password-reset', { email: OWNER.email }, from());
      const token = new URL((await findMailedLink('reset_password', '/reset-password')).url).searchParams.get('token');
      expect(
        (await postToAuthHandler('/reset-password', { token, newPassword: 'the next password' }, from())).status,
      ).toBe(200);
    }
    expect([await whoseIs(here), await whoseIs(there)]).toEqual([null, null]);
  });
});
