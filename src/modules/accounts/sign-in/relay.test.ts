/** Limits on the mails and requests that a stranger with an account can cause. */

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { takeSessionRateLimitTokens } from '@/api/trpc/session-limit';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { setClock } from '@/shared/clock';
import {
  callDashboardRoute,
  DASHBOARD_TEST_ORIGIN,
  findMailedLink,
  getSignedInUser,
  postToAuthHandler,
  signIn,
  signUp,
} from '@/testing/auth';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readLastOutboundMail } from '@/testing/mail';
import { clearDatabase } from '@/testing/team';
import { DAILY_INVITATION_COUNT_LIMITS } from '../members.service';
import { insertInvitation } from '../repository';
import { createTeam, createTeamForUser, MAX_TEAMS_PER_USER } from '../service';

const PASSWORD = 'a long password';
const OLGA = 'olga@example.com';

beforeAll(async () => {
  await openTestDatabase();
  setConfig({ app_url: DASHBOARD_TEST_ORIGIN });
});
afterAll(async () => {
  setClock(null);
  await closeTestDatabase();
});

let team_id: string;
beforeEach(async () => {
  setClock(null);
  setConfig({ rate_limit_read_per_minute: 100_000, rate_limit_write_per_minute: 100_000 });
  await clearDatabase();
  team_id = (await createTeam({ name: 'One', owner_email: OLGA, owner_password: PASSWORD })).team.id;
});

const invite = (headers: Headers, email: string, role = 'manager') =>
  callDashboardRoute(headers, 'mutation', 'accounts.create_invitation', { email, role });
const sent = () => systemDb().mailMessage.count({ where: { template: 'invitation' } });

describe('an invitation', () => {
  it('cannot be sent from an account whose address is not confirmed', async () => {
    const eve = await signUp({ name: 'Eve', email: 'eve@example.com', password: PASSWORD });
    await callDashboardRoute(eve, 'mutation', 'accounts.create_team', { name: 'Relay' });
    expect((await invite(eve, 'victim@example.com')).error).toMatchObject({ code: 'insufficient_scope' });
    expect(await sent()).toBe(0);
  });

  it('contains no text of the sender except two cleaned names, and neither in the subject', async () => {
    const name = `Win a phone at https://evil.example/x?y=1 or mail me@evil.example\u202E! ${'A'.repeat(130)}`;
    const headers = await signIn(OLGA, PASSWORD);
    expect((await postToAuthHandler('/update-user', { name }, { cookie: headers.get('cookie') ?? '' })).status).toBe(
      200,
    );
    await callDashboardRoute(headers, 'mutation', 'accounts.update_team', {
      name: `www.evil.example ${'B'.repeat(100)}`,
    });
    expect((await invite(headers, 'victim@example.com')).status).toBe(200);
    const mail = await readLastOutboundMail({ template: 'invitation' });
    expect(mail.subject).toBe('You are invited to a team on Threshold');
    for (const text of [mail.text, mail.html]) {
      expect(text).not.toMatch(/evil\.example|me@evil|\u202e/i);
      expect(text).not.toMatch(/A{80}|B{80}/);
      const links = [...text.matchAll(/https?:\/\/[^\s"<]+/g)].map(([url]) => new URL(url).origin);
      expect(links.filter((origin) => origin !== DASHBOARD_TEST_ORIGIN && !origin.endsWith('w3.org'))).toEqual([]);
    }
  });

  it('has a daily limit for a user, a team and an address', async () => {
    let now = new Date();
    setClock({ now: () => now });
    const headers = await signIn(OLGA, PASSWORD);
    const statuses = async (count: number, email: (index: number) => string) => {
      const answers = [];
      for (let index = 0; index < count; index++) answers.push(await invite(headers, email(index)));
      return answers;
    };
    const to_one = await statuses(DAILY_INVITATION_COUNT_LIMITS.address + 1, () => 'Victim@example.com');
    expect(to_one.map(({ status }) => status)).toEqual([
      ...Array(DAILY_INVITATION_COUNT_LIMITS.address).fill(200),
      429,
    ]);
    expect(to_one.at(-1)?.headers.get('retry-after')).toBe('86400');
    expect(to_one.at(-1)?.error).toMatchObject({ type: 'rate_limit_error', code: 'rate_limit_exceeded' });
    const to_many = await statuses(DAILY_INVITATION_COUNT_LIMITS.user, (index) => `victim-${index}@example.com`);
    expect(to_many.at(-1)?.status).toBe(429);
    expect(await sent()).toBe(DAILY_INVITATION_COUNT_LIMITS.user - 1);

    // The limit per user counts each owner's invitations separately. The limit per team counts the
    // invitations of both owners together.
    const otto = await systemDb().user.create({
      data: { id: 'user_otto', name: 'Otto', email: 'otto@example.com', emailVerified: true },
    });
    await systemDb().member.create({
      data: { id: 'mem_otto', organizationId: team_id, userId: otto.id, role: 'owner' },
    });
    const { inviteMember } = await import('../members.service');
    const by_otto = async (index: number) =>
      inviteMember(
        { team_id, user: otto, ip: null },
        { id: team_id, name: 'One', plan: 'free' },
        { email: `other-${index}@example.com`, role: 'manager' },
      ).then(
        () => 'sent',
        (error) => error.code,
      );
    const his = [];
    for (let index = 0; index < DAILY_INVITATION_COUNT_LIMITS.user; index++) his.push(await by_otto(index));
    expect(his[0]).toBe('sent');
    expect(his.at(-1)).toBe('rate_limit_exceeded');
    // One invitation was refused because of the limit per address, but it still counts toward the
    // limit per team.
    expect(await sent()).toBe(DAILY_INVITATION_COUNT_LIMITS.team - 1);

    now = new Date(now.getTime() + 86_400_001);
    expect((await invite(headers, 'victim@example.com')).status).toBe(200);
  }, 30_000);

  it.each(['remove', 'demote'] as const)('ends with the role of its sender: %s', async (how) => {
    const headers = await signIn(OLGA, PASSWORD);
    await invite(headers, 'mia@example.com', 'owner');
    const token = (await findMailedLink('invitation', '/invite/')).url.split('/').at(-1) ?? '';
    await systemDb().user.create({ data: { id: 'user_o', name: 'O', email: 'o@example.com', emailVerified: true } });
    await systemDb().member.create({ data: { id: 'mem_o', organizationId: team_id, userId: 'user_o', role: 'owner' } });
    await systemDb().invitation.create({
      data: {
        ...{ id: 'inv_o', organizationId: team_id, email: 'p@example.com', role: 'member', inviterId: 'user_o' },
        expiresAt: new Date(Date.now() + 60_000),
      },
    });
    const member = await systemDb().member.findFirstOrThrow({ where: { user: { email: OLGA } } });
    const { updateMemberAccessOrRemoveMember } = await import('../members.service');
    const doer = { team_id, user: { id: 'user_o', name: 'O', email: 'o@example.com' }, ip: null };
    await updateMemberAccessOrRemoveMember(doer, member.id, how === 'remove' ? 'remove' : { role: 'manager' });
    const open = await systemDb().invitation.findMany({ where: { status: 'pending' }, select: { id: true } });
    expect(open).toEqual([{ id: 'inv_o' }]);
    const mia = await signUp({ name: 'Mia', email: 'mia@example.com', password: PASSWORD });
    expect((await callDashboardRoute(mia, 'mutation', 'accounts.accept_invitation', { token })).status).toBe(404);
  });

  it('is not created for a user who is no longer an owner', async () => {
    const { id } = await systemDb().user.findUniqueOrThrow({ where: { email: OLGA } });
    await systemDb().member.updateMany({ data: { role: 'member' } });
    const row = {
      id: 'inv_1',
      token_hash: 'h',
      mail_id: 'mail_1',
      team_id,
      email: 'x@example.com',
      role: 'owner' as const,
      property_ids: [],
    };
    expect(await insertInvitation({ ...row, inviter_id: id, expires_at: new Date() })).toBe(false);
    expect(await systemDb().invitation.count()).toBe(0);
  });
});

describe('a user', () => {
  it('owns at most ten teams, also when creating many at once', async () => {
    const user = await getSignedInUser(await signUp({ name: 'Eve', email: 'eve@example.com', password: PASSWORD }));
    const made = await Promise.allSettled(
      Array.from({ length: MAX_TEAMS_PER_USER + 5 }, (_, index) => createTeamForUser(user, `Team ${index}`, null)),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_TEAMS_PER_USER);
    expect(await systemDb().member.count({ where: { userId: user.id } })).toBe(MAX_TEAMS_PER_USER);
    await expect(createTeamForUser(user, 'More', null)).rejects.toMatchObject({ code: 'invalid_field' });
  });

  it('cannot fill a mailbox by requesting resets and confirmations', async () => {
    await systemDb().user.create({ data: { id: 'user_v', name: 'V', email: 'victim@example.com' } });
    for (let index = 0; index < 9; index++) {
      const ip = `203.0.113.${index}`;
      await postToAuthHandler(
        '/request-password-reset',
        { email: 'Victim@example.com' },
        { 'x-threshold-client-ip': ip },
      );
      const mia = { name: 'Mia', email: 'victim@example.com', password: PASSWORD };
      await postToAuthHandler('/sign-up/email', mia, { 'x-threshold-client-ip': ip });
    }
    const mails = await systemDb().mailMessage.groupBy({
      by: ['template'],
      _count: true,
      orderBy: { template: 'asc' },
    });
    expect(mails).toEqual([
      { template: 'reset_password', _count: 5 },
      { template: 'sign_up_attempt', _count: 5 },
    ]);
  });
});

describe('the calls of a session', () => {
  it('are limited by user, with the usual error and Retry-After', async () => {
    const headers = await signIn(OLGA, PASSWORD);
    setClock({ now: () => new Date('2026-11-21T12:00:00Z') });
    setConfig({ rate_limit_read_per_minute: 1, rate_limit_write_per_minute: 1 });
    const reads = [];
    for (let index = 0; index < 13; index++) reads.push(await callDashboardRoute(headers, 'query', 'accounts.me'));
    // The limit is six calls a minute, with bursts of up to twelve in ten seconds.
    expect(reads.map(({ status }) => status)).toEqual([...Array(12).fill(200), 429]);
    expect(reads.at(-1)?.error).toMatchObject({ type: 'rate_limit_error', code: 'rate_limit_exceeded' });
    expect(Number(reads.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);

    const writes = [];
    for (let index = 0; index < 9; index++) {
      writes.push((await callDashboardRoute(headers, 'mutation', 'accounts.update_team', { name: 'One' })).status);
    }
    expect(writes).toEqual([...Array(8).fill(200), 429]);
  });

  it('are each counted when batched in one request, whose size is limited', async () => {
    const headers = await signIn(OLGA, PASSWORD);
    setConfig({ rate_limit_read_per_minute: 1 });
    const batch = (calls: number) =>
      callDashboardRoute(headers, 'query', `${Array(calls).fill('accounts.me').join(',')}?batch=1&input=%7B%7D`);
    expect((await batch(12)).status).toBe(200);
    const refused = await batch(2);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBeTruthy();
    setConfig({ rate_limit_read_per_minute: 100_000 });
    expect((await batch(50)).status).toBe(200);
    expect((await batch(51)).text).toContain('too_many_items');
  });

  it('without a session are limited by address', async () => {
    const nobody = new Headers({ 'x-threshold-client-ip': '2001:db8::1' });
    const other = new Headers({ 'x-threshold-client-ip': '203.0.113.1' });
    const ask = (headers: Headers) =>
      callDashboardRoute(headers, 'query', 'accounts.retrieve_invitation', { token: 'x' });
    const statuses = [];
    for (let index = 0; index < 121; index++) statuses.push((await ask(nobody)).status);
    expect(new Set(statuses.slice(0, 120))).toEqual(new Set([404]));
    expect(statuses.at(-1)).toBe(429);
    expect((await ask(other)).status).toBe(404);
  });

  it('are counted together by two copies of the module in one process', async () => {
    setConfig({ rate_limit_read_per_minute: 1 });
    const who = { user_id: 'user_twice', ip: null };
    await takeSessionRateLimitTokens(who, true, 6);
    vi.resetModules();
    const copy = await import('@/api/trpc/session-limit');
    expect(copy.takeSessionRateLimitTokens).not.toBe(takeSessionRateLimitTokens);
    await copy.takeSessionRateLimitTokens(who, true, 6);
    await expect(copy.takeSessionRateLimitTokens(who, true, 1)).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  });
});
