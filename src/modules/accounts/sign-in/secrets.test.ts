/** Secrets in mails must not appear in the responses of procedures, in lists or in logs. */

import { Writable } from 'node:stream';
import pino, { type Logger } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appRouter } from '@/api/router';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { hashToken } from '@/infra/encryption';
import { executeCommand } from '@/operator/execute';
import {
  callDashboardRoute,
  DASHBOARD_TEST_ORIGIN,
  enableTwoFactor,
  findMailedLink,
  getCookieHeader,
  markMailsDelivered,
  postToAuthHandler,
  signIn,
  signUp,
} from '@/testing/auth';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readOutboundMails } from '@/testing/mail';
import { clearDatabase } from '@/testing/team';
import { computeTotp } from '@/testing/totp';
import { createTeam } from '../service';
import { handleAuthRequest } from './auth';

const OWNER = { email: 'olga@example.com', password: 'a long password' };
const OPERATOR = { name: 'Eve', email: 'operator@example.com', password: 'one that eve chose' };

const lines: string[] = [];
const slot = globalThis as typeof globalThis & { __thresholdLogger?: Logger };
let before: Logger | undefined;

beforeAll(async () => {
  await openTestDatabase();
  setConfig({ app_url: DASHBOARD_TEST_ORIGIN });
  before = slot.__thresholdLogger;
  const sink = new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) });
  slot.__thresholdLogger = pino({ level: 'trace' }, sink);
});
afterAll(async () => {
  slot.__thresholdLogger = before;
  await closeTestDatabase();
});

let team_id: string;
beforeEach(async () => {
  lines.length = 0;
  await clearDatabase();
  setConfig({ operator_emails: [], resend_api_key: undefined });
  const made = await createTeam({ name: 'One', owner_email: OWNER.email, owner_password: OWNER.password, plan: 'pro' });
  team_id = made.team.id;
});

const owner = () => signIn(OWNER.email, OWNER.password);
const me = async (headers: Headers) =>
  (await handleAuthRequest(new Request(`${DASHBOARD_TEST_ORIGIN}/api/auth/get-session`, { headers }))).json();

/** Returns every text of at least 16 characters in the responses. Each could be a secret. */
const texts = (answers: string[]) => [...new Set(answers.flatMap((text) => text.match(/[\w.-]{16,}/g) ?? []))];

describe('the address of an operator, used by a stranger to sign up', () => {
  it('is not confirmed by anything in a response', async () => {
    setConfig({ operator_emails: [OPERATOR.email] });
    const eve = await signUp(OPERATOR);
    const inviting = await owner();
    const invite = () =>
      callDashboardRoute(inviting, 'mutation', 'accounts.create_invitation', { email: OPERATOR.email, role: 'owner' });
    setConfig({ resend_api_key: 're_test' });
    const invitation = await invite();
    setConfig({ resend_api_key: undefined });
    expect(invitation.status).toBe(200);
    const answers = [invitation.text];
    for (const path of ['accounts.list_invitations', 'audit_log.list', 'accounts.list_members']) {
      answers.push(
        (await callDashboardRoute(inviting, 'query', path, path === 'audit_log.list' ? {} : undefined)).text,
      );
    }
    const candidates = texts(answers);
    expect(candidates).toContain((invitation.data as { id: string }).id);
    for (const token of candidates) {
      for (const input of [{ token }, { id: token }]) {
        const accepted = await callDashboardRoute(eve, 'mutation', 'accounts.accept_invitation', input);
        expect(accepted.status, token).not.toBe(200);
      }
    }
    // Without a mail provider the owner gets the link. Eve can then join, but her address stays
    // unconfirmed.
    const { url } = (await invite()).data as { url: string };
    const accepted = await callDashboardRoute(eve, 'mutation', 'accounts.accept_invitation', {
      token: url.split('/').at(-1),
    });
    expect(accepted.status).toBe(200);
    const user = await systemDb().user.findUniqueOrThrow({ where: { email: OPERATOR.email } });
    expect(user.emailVerified).toBe(false);
    expect((await callDashboardRoute(eve, 'mutation', 'accounts.create_team', { name: 'Eve' })).status).toBe(200);
    expect((await callDashboardRoute(eve, 'query', 'accounts.me')).data).toMatchObject({ operator: false });
  });

  it('gets no team from the operator’s command until the operator resets the password by a link', async () => {
    const eve = await signUp(OPERATOR);
    await enableTwoFactor(eve, OPERATOR.password);
    const command = {
      name: 'team create',
      options: { name: 'HQ', owner_email: 'Operator@Example.com', owner_password: 'not used at all', plan: 'pro' },
    } as const;
    await expect(executeCommand(command)).rejects.toMatchObject({
      param: 'owner_email',
      message: expect.stringMatching(/never confirmed.*reset-link/),
    });
    expect(await systemDb().team.count()).toBe(1);

    const link = (await executeCommand({ name: 'user reset-link', options: { email: OPERATOR.email } })) as {
      url: string;
    };
    const token = new URL(link.url).searchParams.get('token');
    expect((await postToAuthHandler('/reset-password', { token, newPassword: 'the real operator’s' })).status).toBe(
      200,
    );
    expect(await me(eve)).toBeNull();
    expect((await postToAuthHandler('/sign-in/email', OPERATOR)).status).toBe(401);
    // The password reset also removed the second factor that was set up before the address was
    // confirmed.
    expect(await systemDb().twoFactor.count()).toBe(0);
    const real = await signIn(OPERATOR.email, 'the real operator’s');
    expect(await me(real)).toMatchObject({ user: { emailVerified: true } });
    await executeCommand(command);
    expect(await systemDb().member.count({ where: { user: { email: OPERATOR.email }, role: 'owner' } })).toBe(1);
    expect((await postToAuthHandler('/reset-password', { token, newPassword: 'and once again so' })).status).toBe(400);
  });
});

describe('an invitation’s link', () => {
  it('confirms only the address of the user who signs up with it', async () => {
    await callDashboardRoute(await owner(), 'mutation', 'accounts.create_invitation', {
      email: 'mia@example.com',
      role: 'manager',
    });
    const invitation = (await findMailedLink('invitation', '/invite/')).url.split('/').at(-1);
    const kept = { name: 'Mia', email: 'mia@example.com', password: 'a long password', invitation };
    const verified = async (email: string) =>
      (await systemDb().user.findUniqueOrThrow({ where: { email } })).emailVerified;
    // The invitation's mail was captured instead of sent, so the team's owner has the link.
    await signUp(kept);
    expect(await verified('mia@example.com')).toBe(false);
    await systemDb().user.delete({ where: { email: 'mia@example.com' } });
    await markMailsDelivered();
    await signUp({ name: 'Eve', email: 'eve@example.com', password: 'a long password', invitation });
    expect(await verified('eve@example.com')).toBe(false);
    await signUp({ name: 'Mia', email: 'mia@example.com', password: 'a long password', invitation: 'guessed' });
    expect(await verified('mia@example.com')).toBe(false);
    // The account already exists. A second sign-up with the link must not confirm it.
    await postToAuthHandler('/sign-up/email', {
      name: 'Mia',
      email: 'mia@example.com',
      password: 'another long one',
      invitation,
    });
    expect(await verified('mia@example.com')).toBe(false);
    await systemDb().user.delete({ where: { email: 'mia@example.com' } });
    await signUp({ name: 'Mia', email: 'mia@example.com', password: 'a long password', invitation });
    expect(await verified('mia@example.com')).toBe(true);
  });

  it('is stored only as its hash', async () => {
    await callDashboardRoute(await owner(), 'mutation', 'accounts.create_invitation', {
      email: 'mia@example.com',
      role: 'manager',
    });
    const token = (await findMailedLink('invitation', '/invite/')).url.split('/').at(-1) ?? '';
    expect(token.length).toBeGreaterThanOrEqual(32);
    const row = await systemDb().invitation.findFirstOrThrow();
    expect(row.token_hash).toBe(hashToken(token));
    expect(JSON.stringify(row)).not.toContain(token);
  });

  it('from the operator works without mail, and sends no mail', async () => {
    const options = { team: team_id, email: 'Mia@example.com', role: 'manager' as const };
    const { url } = (await executeCommand({ name: 'team invite', options })) as { url: string };
    const token = url.split('/').at(-1) ?? '';
    expect(await systemDb().mailMessage.count()).toBe(0);
    const mia = await signUp({ name: 'Mia', email: 'mia@example.com', password: 'a long password', invitation: token });
    expect((await callDashboardRoute(mia, 'mutation', 'accounts.accept_invitation', { token })).status).toBe(200);
    expect((await callDashboardRoute(mia, 'query', 'accounts.me')).data).toMatchObject({ team: { id: team_id } });
  });
});

describe('the secrets created by invitations, resets, confirmations and sign-ins', () => {
  it('are in no response of any procedure or of better-auth, and in no log line', async () => {
    const inviting = await owner();
    const answers: string[] = [];
    const keep = async (response: Response) => {
      answers.push(await response.clone().text());
      return response;
    };
    const nora = { name: 'Nora', email: 'nora@example.com', password: 'a long password' };
    await keep(await postToAuthHandler('/sign-up/email', nora));
    await keep(await postToAuthHandler('/sign-up/email', nora));
    await keep(await postToAuthHandler('/sign-in/email', { email: nora.email, password: nora.password }));
    await keep(await postToAuthHandler('/request-password-reset', { email: OWNER.email }));
    await keep(await postToAuthHandler('/send-verification-email', { email: nora.email }));
    // Changing the password below deletes the reset link.
    const reset_links = await systemDb().verification.findMany();
    expect(reset_links).not.toEqual([]);
    const cookie = inviting.get('cookie') ?? '';
    const two = await enableTwoFactor(inviting, OWNER.password);
    const half = await postToAuthHandler('/sign-in/email', OWNER);
    await keep(half);
    await keep(
      await postToAuthHandler(
        '/two-factor/verify-totp',
        { code: computeTotp(two.totpURI, Date.now()) },
        { cookie: getCookieHeader(half) },
      ),
    );
    await keep(
      await postToAuthHandler('/update-user', { name: 'Olga' }, { cookie: two.headers.get('cookie') ?? cookie }),
    );
    const changed = await postToAuthHandler(
      '/change-password',
      { currentPassword: OWNER.password, newPassword: 'the next password' },
      { cookie: two.headers.get('cookie') ?? '' },
    );
    expect((await keep(changed)).status).toBe(200);
    const headers = new Headers({ cookie: getCookieHeader(changed) });
    answers.push(JSON.stringify(await me(headers)));
    const invited = { email: 'mia@example.com', role: 'manager' };
    // With a mail provider the response contains no link.
    setConfig({ resend_api_key: 're_test' });
    answers.push((await callDashboardRoute(headers, 'mutation', 'accounts.create_invitation', invited)).text);
    setConfig({ resend_api_key: undefined });

    // Calls every query. Queries that need an id fail.
    const procedures = Object.entries(
      appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>,
    );
    const queries = procedures.filter(([, { _def }]) => _def.type === 'query').map(([path]) => path);
    let answered = 0;
    for (const path of queries) {
      for (const input of [undefined, {}, { limit: 100 }]) {
        const { status, text } = await callDashboardRoute(headers, 'query', path, input);
        answers.push(text);
        if (status !== 200) continue;
        answered += 1;
        break;
      }
    }
    expect(answered).toBeGreaterThanOrEqual(22);

    const mails = await readOutboundMails();
    expect(mails.map(({ template }) => template).sort()).toEqual([
      'invitation',
      'reset_password',
      'security_change',
      'security_change',
      'sign_up_attempt',
      'verify_email',
      'verify_email',
    ]);
    const links = mails.flatMap(({ text }) => text.match(/http\S+/g) ?? []);
    const mailed_secrets = links.flatMap((url) => url.match(/(?<=token=|invite\/)[\w.-]+/) ?? []);
    const sessions = (headers.get('cookie') ?? '').match(/(?<=session_token=)[^.;]+/g) ?? [];
    const secrets = [...new Set([...mailed_secrets, ...sessions])];
    expect(mailed_secrets.length).toBeGreaterThanOrEqual(4);
    expect(sessions.length).toBeGreaterThanOrEqual(1);

    const said = [...answers, ...lines, JSON.stringify(await systemDb().auditLog.findMany())].join('\n');
    expect(secrets.filter((secret) => said.includes(secret))).toEqual([]);
    // Stored links are hashed, so that a copy of the database contains no working links.
    const kept = JSON.stringify([reset_links, await systemDb().invitation.findMany()]);
    expect(mailed_secrets.filter((secret) => kept.includes(secret))).toEqual([]);
    const stored = JSON.stringify(await systemDb().session.findMany());
    expect(sessions.filter((secret) => stored.includes(secret))).toEqual([]);
  });
});
