import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import type { Role } from '@/shared/scope';
import {
  callDashboardRoute,
  enableTwoFactor,
  findMailedLink,
  getCookieHeader,
  getSignedInUser,
  markMailsDelivered,
  DASHBOARD_TEST_ORIGIN as origin,
  postToAuthHandler,
  signIn,
  signUp,
} from '@/testing/auth';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertProperty, insertTeam } from '@/testing/team';
import { computeTotp } from '@/testing/totp';
import { confirmEmailAddress } from './confirmation/confirmation';
import * as members from './members.service';
import { createTeam, createTeamForUser, hasAnyAccount, setTeamPricePlan } from './service';
import {
  readLiveOrTestModeOfRequest,
  readScopeUserAndQueryOfDownload,
  readSessionContext,
  switchTeam,
} from './session';
import { readCookie, TEAM_ID_HEADER } from './session-headers';

beforeAll(async () => {
  await openTestDatabase();
  setConfig({ app_url: origin });
});
afterAll(closeTestDatabase);
beforeEach(async () => {
  await systemDb().mailMessage.deleteMany();
  await systemDb().auditLog.deleteMany();
  await systemDb().tally.deleteMany();
  await systemDb().team.deleteMany();
  await systemDb().user.deleteMany();
});

const owner = { owner_email: 'Olga@Example.com', owner_password: 'a long password' };

describe('createTeam by the operator', () => {
  it('returns prefixed ids and the requested plan, and the owner can sign in at once', async () => {
    const created = await createTeam({ name: '  Sea View  ', plan: 'pro', ...owner });
    expect(created).toEqual({
      team: { id: expect.stringMatching(/^team_[0-9a-z]{26}$/), name: 'Sea View', plan: 'pro' },
      owner: { email: 'olga@example.com' },
    });
    expect(await hasAnyAccount()).toBe(true);
    const context = await readSessionContext(await signIn('olga@example.com', owner.owner_password));
    expect(context.scope).toMatchObject({
      team_id: created.team.id,
      mode: 'live',
      actor: { kind: 'user', role: 'owner' },
    });
    expect(context.me?.team.plan).toBe('pro');
    expect(context.me?.user.email_verified).toBe(true);
  });

  it('adds a second team to an existing owner, whose password stays', async () => {
    await createTeam({ name: 'One', ...owner });
    const second = await createTeam({
      name: 'Two',
      owner_email: owner.owner_email,
      owner_password: 'another password',
    });
    const headers = await signIn('olga@example.com', owner.owner_password);
    const context = await readSessionContext(headers);
    expect(context.me?.teams.map((team) => team.name)).toEqual(['One', 'Two']);
    await switchTeam(context.signed_in!, second.team.id);
    expect((await readSessionContext(headers)).scope?.team_id).toBe(second.team.id);
  });

  it('called twice at once with a new address creates two teams of one owner', async () => {
    const made = await Promise.all(['One', 'Two', 'Three'].map((name) => createTeam({ name, ...owner })));
    expect(new Set(made.map(({ team }) => team.id)).size).toBe(3);
    expect(await systemDb().user.count()).toBe(1);
    expect(await systemDb().account.count()).toBe(1);
    expect(await systemDb().member.count({ where: { role: 'owner' } })).toBe(3);
  });

  it('an open page keeps using its team after another tab switches, and non-members get no scope', async () => {
    const first = await createTeam({ name: 'One', ...owner });
    const second = await createTeam({ name: 'Two', ...owner });
    const strange = await createTeam({
      name: 'Three',
      owner_email: 'sam@example.com',
      owner_password: 'a long password of his',
    });
    const session = await signIn('olga@example.com', owner.owner_password);
    const page = (team_id: string) => new Headers([...session, [TEAM_ID_HEADER, team_id]]);
    await callDashboardRoute(page(first.team.id), 'mutation', 'accounts.switch_team', { team_id: second.team.id });
    expect((await callDashboardRoute(page(first.team.id), 'query', 'accounts.me')).data).toMatchObject({
      team: { name: 'One' },
    });
    expect((await callDashboardRoute(session, 'query', 'accounts.me')).data).toMatchObject({ team: { name: 'Two' } });
    await callDashboardRoute(page(first.team.id), 'mutation', 'accounts.create_invitation', {
      email: 'mia@example.com',
      role: 'manager',
    });
    expect(await systemDb().invitation.findMany()).toMatchObject([{ organizationId: first.team.id }]);
    for (const team_id of [strange.team.id, '']) {
      expect((await callDashboardRoute(page(team_id), 'query', 'properties.list', {})).status).toBe(401);
      // A user without a team can use only the calls that need no team.
      expect(
        (await callDashboardRoute(page(team_id), 'mutation', 'accounts.switch_team', { team_id: second.team.id }))
          .status,
      ).toBe(200);
    }
  });

  it.each([
    [{ name: ' ', ...owner }, 'missing_required_field', 'name'],
    [{ name: 'A', owner_email: 'no address', owner_password: 'x' }, 'invalid_field', 'owner_email'],
    [{ name: 'A', owner_email: 'a@b.c', owner_password: '' }, 'missing_required_field', 'owner_password'],
    [{ name: 'A', ...owner, plan: 'gold' }, 'invalid_field', 'plan'],
  ])('refuses invalid input: %j', async (input, code, param) => {
    await expect(createTeam(input)).rejects.toMatchObject({ code, param });
    expect(await hasAnyAccount()).toBe(false);
  });

  it('setTeamPricePlan changes the plan, and refuses an unknown team', async () => {
    const { team } = await createTeam({ name: 'One', ...owner });
    expect(await setTeamPricePlan(team.id, 'pro')).toMatchObject({ plan: 'pro' });
    await expect(setTeamPricePlan('team_none', 'pro')).rejects.toMatchObject({ code: 'resource_missing' });
    await expect(setTeamPricePlan(team.id, 'gold')).rejects.toMatchObject({ code: 'invalid_field' });
  });
});

describe('a session', () => {
  it('is not opened by a wrong password, and gives no access without a valid cookie', async () => {
    await createTeam({ name: 'One', ...owner });
    expect((await postToAuthHandler('/sign-in/email', { email: owner.owner_email, password: 'wrong' })).status).toBe(
      401,
    );
    expect(await readSessionContext(new Headers())).toMatchObject({ scope: null, user: null, signed_in: null });
    expect(await readSessionContext(new Headers({ cookie: 'threshold.session_token=forged.forged' }))).toMatchObject({
      scope: null,
    });
  });

  it('is in a cookie that scripts cannot read and other sites cannot send', async () => {
    await createTeam({ name: 'One', ...owner });
    const response = await postToAuthHandler('/sign-in/email', {
      email: owner.owner_email,
      password: owner.owner_password,
    });
    const cookie = response.headers.getSetCookie().find((item) => item.includes('session_token')) ?? '';
    expect(cookie).toMatch(/^threshold\.session_token=/);
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
  });

  it('cannot be opened from another site', async () => {
    await createTeam({ name: 'One', ...owner });
    const credentials = { email: owner.owner_email, password: owner.owner_password };
    const foreign = await postToAuthHandler('/sign-in/email', credentials, {
      origin: 'https://evil.example',
      cookie: 'a=b',
    });
    expect(foreign.status).toBe(403);
  });

  it('ends on all other devices when the user requests it', async () => {
    await createTeam({ name: 'One', ...owner });
    const here = await signIn(owner.owner_email, owner.owner_password);
    const there = await signIn(owner.owner_email, owner.owner_password);
    const { user } = await readSessionContext(here);
    const sessions = await members.listSessions(user!.id, user!.session_id);
    expect(sessions.map((session) => session.current).sort()).toEqual([false, true]);
    await members.revokeOtherSessions(user!, user!.session_id, new Headers());
    expect((await readSessionContext(there)).signed_in).toBeNull();
    expect((await readSessionContext(here)).signed_in).not.toBeNull();
  });

  it('cannot reach better-auth’s own administration of organizations', async () => {
    await createTeam({ name: 'One', ...owner });
    const headers = await signIn(owner.owner_email, owner.owner_password);
    const cookie = headers.get('cookie') ?? '';
    for (const path of [
      '/organization/create',
      '/organization/delete',
      '/organization/invite-member',
      '/list-sessions',
    ]) {
      expect((await postToAuthHandler(path, { name: 'x', slug: 'x' }, { cookie })).status).toBe(404);
    }
  });
});

describe('two-factor', () => {
  async function enabled() {
    await createTeam({ name: 'One', ...owner });
    return enableTwoFactor(await signIn(owner.owner_email, owner.owner_password), owner.owner_password);
  }
  /** Returns the audit log, oldest first. */
  const noted = async () =>
    (await systemDb().auditLog.findMany({ orderBy: { id: 'asc' } })).map(
      ({ action, data }) => `${action} ${JSON.stringify(data)}`,
    );
  const firstStep = () =>
    postToAuthHandler('/sign-in/email', { email: owner.owner_email, password: owner.owner_password });

  it('requires a code after the password, and opens no session before', async () => {
    const { totpURI } = await enabled();
    const first = await firstStep();
    expect(await first.json()).toMatchObject({ twoFactorRedirect: true });
    const cookie = getCookieHeader(first);
    expect((await readSessionContext(new Headers({ cookie }))).signed_in).toBeNull();
    expect((await postToAuthHandler('/two-factor/verify-totp', { code: '000000' }, { cookie })).status).toBe(401);
    const second = await postToAuthHandler(
      '/two-factor/verify-totp',
      { code: computeTotp(totpURI, Date.now()) },
      { cookie },
    );
    expect(second.status).toBe(200);
    const { signed_in } = await readSessionContext(new Headers({ cookie: getCookieHeader(second) }));
    expect(signed_in).toMatchObject({ email: 'olga@example.com', two_factor_enabled: true });
    expect(await noted()).toEqual([
      'team.created {}',
      'user.signed_in {"with":"password"}',
      'user.two_factor_enabled {}',
      'user.signed_in {"with":"password and code"}',
    ]);
  });

  it('accepts each recovery code once', async () => {
    const { backupCodes } = await enabled();
    const code = backupCodes[0];
    const use = async () =>
      postToAuthHandler('/two-factor/verify-backup-code', { code }, { cookie: getCookieHeader(await firstStep()) });
    expect((await use()).status).toBe(200);
    expect((await use()).status).toBe(401);
    expect((await noted()).at(-1)).toBe('user.signed_in {"with":"password and recovery code"}');
  });
});

describe('signing up', () => {
  const visitor = { name: 'Vera', email: 'vera@example.com', password: 'a long password' };

  it('mails a link that verifies the address, and creates the team in a second step', async () => {
    const headers = await signUp(visitor);
    const before = await readSessionContext(headers);
    expect(before).toMatchObject({
      scope: null,
      me: null,
      signed_in: { email: 'vera@example.com', email_verified: false },
    });
    await createTeamForUser(before.signed_in!, 'Vera’s houses', null);
    expect((await readSessionContext(headers)).me).toMatchObject({
      team: { name: 'Vera’s houses', plan: 'free' },
      user: { role: 'owner' },
    });

    const mail = await findMailedLink('verify_email', '/confirm-address?');
    expect(mail).toMatchObject({ to: 'vera@example.com', team_id: null });
    const token = new URL(mail.url).searchParams.get('token') ?? '';
    await confirmEmailAddress({ token, password: visitor.password }, new Headers());
    expect((await readSessionContext(headers)).signed_in?.email_verified).toBe(true);
  });

  it('lets a reset link replace a forgotten password once, which ends every session', async () => {
    const headers = await signUp(visitor);
    expect((await postToAuthHandler('/request-password-reset', { email: visitor.email })).status).toBe(200);
    const mail = await findMailedLink('reset_password', '/reset-password');
    const token = new URL(mail.url).searchParams.get('token');
    expect((await postToAuthHandler('/reset-password', { token, newPassword: 'the next password' })).status).toBe(200);
    expect((await readSessionContext(headers)).signed_in).toBeNull();
    await signIn(visitor.email, 'the next password');
    expect((await postToAuthHandler('/reset-password', { token, newPassword: 'once more please' })).status).toBe(400);
  });
});

describe('an invitation', () => {
  const guest = { name: 'Mia', email: 'mia@example.com', password: 'a long password' };

  const tokenOf = (url: string) => url.split('/').at(-1) ?? '';

  async function invited() {
    const { team } = await createTeam({ name: 'One', ...owner });
    const { user } = await readSessionContext(await signIn(owner.owner_email, owner.owner_password));
    const doer: members.ActingUser = { team_id: team.id, user: user!, ip: '203.0.113.9' };
    const invitation = await members.inviteMember(doer, team, { email: 'Mia@Example.com', role: 'manager' });
    await markMailsDelivered();
    return { team, doer, invitation, token: tokenOf((await findMailedLink('invitation', '/invite/')).url) };
  }

  it('lets its addressee join as a member, once, and confirms the address', async () => {
    const { team, invitation } = await invited();
    const mail = await findMailedLink('invitation', '/invite/');
    expect(mail).toMatchObject({ to: 'mia@example.com', team_id: null });
    expect(mail.url).not.toContain(invitation.id);
    const token = tokenOf(mail.url);
    expect(await members.loadInvitationView(token)).toMatchObject({
      state: 'open',
      team_name: 'One',
      has_account: false,
    });
    const headers = await signUp(guest);
    const user = await getSignedInUser(headers);
    expect(user.email_verified).toBe(false);
    await members.acceptInvitation(user, token, null);
    const context = await readSessionContext(headers);
    expect(context.scope?.team_id).toBe(team.id);
    expect(context.me?.user).toMatchObject({ role: 'manager', email_verified: true });
    await expect(members.acceptInvitation(user, token, null)).rejects.toMatchObject({ code: 'resource_missing' });
    expect((await members.loadInvitationView(token)).state).toBe('accepted');
  });

  it('is shown to the inviting owner when mail is not configured, and then does not confirm the address', async () => {
    const { team, doer } = await invited();
    const { url } = await members.inviteMember(doer, team, { email: 'kit@example.com', role: 'manager' });
    expect(url).toBe((await findMailedLink('invitation', '/invite/')).url);
    const headers = await signUp({ ...guest, email: 'kit@example.com' });
    await members.acceptInvitation(await getSignedInUser(headers), tokenOf(url ?? ''), null);
    const context = await readSessionContext(headers);
    expect(context.scope?.team_id).toBe(team.id);
    expect(context.me?.user).toMatchObject({ role: 'manager', email_verified: false });

    setConfig({ resend_api_key: 're_test' });
    const mo = await members.inviteMember(doer, team, { email: 'mo@example.com', role: 'manager' });
    setConfig({ resend_api_key: undefined });
    expect(mo.url).toBeNull();
  });

  it('can be accepted by nobody else', async () => {
    const { token } = await invited();
    const eve = await getSignedInUser(await signUp({ ...guest, email: 'eve@example.com' }));
    await expect(members.acceptInvitation(eve, token, null)).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
  });

  it('ends when it is revoked or replaced', async () => {
    const { team, doer, token } = await invited();
    const again = await members.inviteMember(doer, team, { email: 'mia@example.com', role: 'owner' });
    expect((await members.loadInvitationView(token)).state).toBe('revoked');
    expect(await members.listInvitations(team.id)).toMatchObject([{ id: again.id, role: 'owner' }]);
    await members.revokeInvitation(doer, again.id);
    expect(await members.listInvitations(team.id)).toEqual([]);
    await expect(members.revokeInvitation(doer, again.id)).rejects.toMatchObject({ code: 'resource_missing' });
  });

  it('is in the audit log with actor, action and IP address', async () => {
    const { team, invitation } = await invited();
    const rows = await systemDb().auditLog.findMany({ where: { team_id: team.id, action: 'member.invited' } });
    expect(rows).toMatchObject([{ actor_name: 'olga', object_id: invitation.id, ip: '203.0.113.9' }]);
  });
});

describe('a team', () => {
  it('shows co-hosts and developers only the names and roles of other members', async () => {
    const { team } = await createTeam({ name: 'One', ...owner });
    const { user } = await readSessionContext(await signIn(owner.owner_email, owner.owner_password));
    const { id } = await systemDb().user.create({ data: { id: 'user_co', name: 'Cosima', email: 'co@example.com' } });
    await systemDb().member.create({
      data: { id: 'mem_co', organizationId: team.id, userId: id, role: 'co_host' },
    });
    const see = (viewer: { id: string; role: Role }) => members.listVisibleMembers(viewer, team.id, 'live');
    for (const role of ['co_host', 'developer'] as const)
      expect(await see({ id, role })).toMatchObject([
        { name: 'olga', role: 'owner', email: '', property_ids: [], two_factor_enabled: false },
        { name: 'Cosima', email: 'co@example.com' },
      ]);
    expect((await see({ id: user!.id, role: 'manager' })).map(({ email }) => email)).toEqual([
      'olga@example.com',
      'co@example.com',
    ]);
  });

  it('refuses to invite a co-host for properties of another team', async () => {
    await createTeam({ name: 'One', ...owner });
    const session = await signIn(owner.owner_email, owner.owner_password);
    const other = await insertTeam('live', 'other@example.com');
    const input = { email: 'mia@example.com', role: 'co_host', property_ids: [await insertProperty(other)] };
    const refused = await callDashboardRoute(session, 'mutation', 'accounts.create_invitation', input);
    expect(refused.error).toMatchObject({ code: 'invalid_field', param: 'property_ids' });
    expect(await systemDb().invitation.count()).toBe(0);
  });

  it('keeps one of two owners who remove each other at the same time', async () => {
    const { team } = await createTeam({ name: 'One', ...owner });
    await createTeam({ name: 'Two', owner_email: 'eve@example.com', owner_password: owner.owner_password });
    await createTeam({ name: 'Three', owner_email: 'bob@example.com', owner_password: owner.owner_password });
    const join = async (email: string) => {
      const user = await systemDb().user.findUniqueOrThrow({ where: { email } });
      const id = `mem_${email}`;
      await systemDb().member.create({ data: { id, organizationId: team.id, userId: user.id, role: 'owner' } });
      return { id, doer: { team_id: team.id, user, ip: null } };
    };
    const [eve, bob] = [await join('eve@example.com'), await join('bob@example.com')];
    const removals = await Promise.allSettled([
      members.updateMemberAccessOrRemoveMember(eve.doer, bob.id, 'remove'),
      members.updateMemberAccessOrRemoveMember(bob.doer, eve.id, 'remove'),
    ]);
    expect(removals.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await systemDb().member.count({ where: { organizationId: team.id } })).toBe(2);
  });

  it('always has an owner', async () => {
    const { team } = await createTeam({ name: 'One', ...owner });
    const { user } = await readSessionContext(await signIn(owner.owner_email, owner.owner_password));
    const doer: members.ActingUser = { team_id: team.id, user: user!, ip: null };
    const [only] = await members.listMembers(team.id, 'live');
    await expect(members.updateMemberAccessOrRemoveMember(doer, only!.id, 'remove')).rejects.toMatchObject({
      code: 'invalid_field',
    });
    await expect(members.updateMemberAccessOrRemoveMember(doer, only!.id, { role: 'manager' })).rejects.toMatchObject({
      code: 'invalid_field',
    });
    await expect(members.updateMemberAccessOrRemoveMember(doer, 'mem_other', 'remove')).rejects.toMatchObject({
      code: 'resource_missing',
    });
  });
});

describe('the mode', () => {
  it.each([
    [{}, 'live'],
    [{ cookie: 'threshold_mode=test' }, 'test'],
    [{ cookie: 'a=1; threshold_mode=test; b=2' }, 'test'],
    [{ cookie: 'threshold_mode=test', 'x-threshold-mode': 'live' }, 'live'],
    [{ cookie: 'threshold_mode=nonsense' }, 'live'],
  ])('for the headers %j is %s', (headers, mode) => {
    expect(readLiveOrTestModeOfRequest(new Headers(headers as Record<string, string>))).toBe(mode);
  });

  it('and the team of a download are in its URL, because a link has no headers', async () => {
    const first = await createTeam({ name: 'One', ...owner });
    const second = await createTeam({ name: 'Two', ...owner });
    const headers = await signIn('olga@example.com', owner.owner_password);
    headers.set('cookie', `${headers.get('cookie')}; threshold_mode=test`);
    const session = await readSessionContext(headers);
    await switchTeam(session.signed_in!, second.team.id);
    const download = (query: string) =>
      readScopeUserAndQueryOfDownload(new Request(`${origin}/api/a.zip?${query}`, { headers }));
    expect(await download(`team=${first.team.id}&mode=live&q=a`)).toMatchObject({
      scope: { team_id: first.team.id, mode: 'live' },
      query: { q: 'a' },
    });
    expect(await download(`team=${first.team.id}&mode=test`)).toMatchObject({ scope: { mode: 'test' }, query: {} });
    for (const query of ['', 'mode=live', 'team=team_none&mode=live', 'team=%C4%81&mode=live'])
      expect((await download(query)).scope).toBeNull();
  });

  it('is read from the cookie with exactly this name', () => {
    expect(readCookie('xthreshold_mode=test', 'threshold_mode')).toBeNull();
  });
});
