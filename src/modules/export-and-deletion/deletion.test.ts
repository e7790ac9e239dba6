import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { countAttemptAndGetWindowTotal } from '@/modules/accounts/attempt-counters/attempt-counter.repository';
import { sendAccountMail } from '@/modules/accounts/mailer';
import { createTeam, setTeamPricePlan } from '@/modules/accounts/service';
import { readSessionContext } from '@/modules/accounts/session';
import { authenticateApiKey, createApiKey } from '@/modules/api-keys/service';
import { setLegalHold } from '@/modules/certificates/privacy/service';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import { createSystemScope, type Scope } from '@/shared/scope';
import { addPasskey, enableTwoFactor, DASHBOARD_TEST_ORIGIN as origin, signIn as signInAs } from '@/testing/auth';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { countTextOccurrencesByTable, insertOneRowPerTable } from '@/testing/one-row-per-table';
import { clearDatabase } from '@/testing/team';
import { computeTotp } from '@/testing/totp';
import { deleteTeam, previewTeamDeletion, removeDeletedTeams, type TeamDeletionRequester } from './deletion.service';

const PASSWORD = 'a long password';
const ours = 'olga@example.com';
const elsewhere = 'otto@example.com';

beforeAll(async () => {
  await openTestDatabase();
  setConfig({ app_url: origin });
});
afterAll(closeTestDatabase);

/** `team` is deleted. It shares a member with the other team, which stays. */
let team: string;
let other: string;
let scope: Scope;
let doer: TeamDeletionRequester;
const input = { name: 'Sea View', password: PASSWORD };

async function join(email: string, team_id: string): Promise<string> {
  const { id } = await systemDb().user.findUniqueOrThrow({ where: { email } });
  await systemDb().member.create({
    data: { id: newId('member'), organizationId: team_id, userId: id, role: 'member' },
  });
  return id;
}

const openedWith = (signedInWith: string, userId: string, minutes_ago = 0) => ({
  ...{ userId, signedInWith, createdAt: new Date(Date.now() - minutes_ago * 60_000) },
});

const signIn = (email: string) => signInAs(email, PASSWORD);

const made = async (name: string, owner_email: string) =>
  (await createTeam({ name, owner_email, owner_password: PASSWORD, plan: 'pro' })).team.id;

beforeEach(async () => {
  await clearDatabase();
  team = await made('Sea View', ours);
  other = await made('Hill House', elsewhere);
  scope = createSystemScope(team, 'live', 'test');
  const { id } = await systemDb().user.findUniqueOrThrow({ where: { email: ours } });
  doer = { team_id: team, user: { id, name: 'olga', email: ours }, ip: null, opened: openedWith('password', id) };
});

/**
 * Runs the durable function until nothing is left. Returns the number of runs. Throws after five
 * runs.
 */
async function remove(): Promise<number> {
  for (let pass = 1; pass <= 5; pass++) if ((await removeDeletedTeams()).length > 0) return pass;
  throw new Error('The team is still there.');
}

describe('deleting an account', () => {
  it('leaves no row of the team in any table, and every row of another', async () => {
    await join(elsewhere, team);
    for (const mode of ['live', 'test'] as const) {
      await insertOneRowPerTable(team, mode);
      await insertOneRowPerTable(other, mode);
    }
    const at = clock().now();
    await systemDb().engineEvent.create({
      data: { id: 'e1', name: 'reservation.signed', payload: `{"team_id":"${team}"}`, ts: at, received_at: at },
    });
    const run = { function_id: 'f', status: 'completed', event_id: 'e1', event_name: 'reservation.signed' };
    await systemDb().engineRun.create({
      data: { ...run, id: 'r1', event: `{"team_id":"${team}"}`, created_at: at, ended_at: at },
    });
    await systemDb().engineStep.create({
      data: { run_id: 'r1', id: 's1', name: 's', op: 'Step', status: 'completed', memo: 'x', created_at: at },
    });
    const kept = await countTextOccurrencesByTable(other);
    await deleteTeam(doer, input);
    expect(await remove()).toBe(2);
    expect(await countTextOccurrencesByTable(team)).toEqual({});
    expect(await countTextOccurrencesByTable(ours)).toEqual({});
    expect(await countTextOccurrencesByTable(doer.user.id)).toEqual({});
    expect(await countTextOccurrencesByTable(other)).toEqual(kept);
    expect(await systemDb().engineStep.count()).toBe(0);
  });

  it('ends its members’ sessions, except those of members of another team, which switch to that team', async () => {
    await join(elsewhere, team);
    await createTeam({ name: 'x', owner_email: 'mia@example.com', owner_password: PASSWORD });
    await join('mia@example.com', team);
    await systemDb().team.deleteMany({ where: { name: 'x' } });
    const [olga, otto, mia] = [await signIn(ours), await signIn(elsewhere), await signIn('mia@example.com')];
    await systemDb().session.updateMany({ data: { activeOrganizationId: team } });
    await deleteTeam(doer, input);
    expect((await readSessionContext(olga)).signed_in).toBeNull();
    expect((await readSessionContext(mia)).signed_in).toBeNull();
    expect((await readSessionContext(otto)).scope?.team_id).toBe(other);
    expect(await systemDb().user.findMany({ select: { email: true } })).toEqual([{ email: elsewhere }]);
  });

  it('revokes every API key at once', async () => {
    const { key } = await createApiKey(scope, { name: 'CI' });
    await authenticateApiKey(`Bearer ${key}`, null);
    await deleteTeam(doer, input);
    await expect(authenticateApiKey(`Bearer ${key}`, null)).rejects.toMatchObject({ code: 'api_key_invalid' });
  });

  it('removes the mails to deleted users and the team’s invitations, and no other mail', async () => {
    const invite = { template: 'invitation' as const, inviter_name: 'O', role: 'manager' as const, team_name: 'T' };
    await systemDb().invitation.create({
      data: {
        id: 'inv_mine',
        organizationId: team,
        email: 'new@example.com',
        inviterId: doer.user.id,
        expiresAt: clock().now(),
        mail_id: 'mail_mine',
      },
    });
    for (const id of ['mail_mine', 'mail_theirs']) {
      await sendAccountMail({ ...invite, id, to: 'new@example.com', url: `${origin}/invite/x` });
    }
    await sendAccountMail({ template: 'reset_password', to: ours, url: origin });
    await sendAccountMail({ template: 'reset_password', to: elsewhere, url: origin });
    await deleteTeam(doer, input);
    const left = await systemDb().mailMessage.findMany({ orderBy: { template: 'asc' } });
    expect(left.map(({ to, template }) => [template, to])).toEqual([
      ['invitation', 'new@example.com'],
      ['reset_password', elsewhere],
    ]);
    expect(left[0]?.id).toBe('mail_theirs');
  });

  it('is refused without the team’s name and the password, and records a wrong password', async () => {
    await expect(deleteTeam(doer, { ...input, name: 'sea view' })).rejects.toMatchObject({ param: 'name' });
    await expect(deleteTeam(doer, { ...input, password: 'wrong' })).rejects.toMatchObject({ param: 'password' });
    expect(await systemDb().auditLog.count({ where: { action: 'team.deletion_refused', actor: doer.user.id } })).toBe(
      1,
    );
    expect(await systemDb().member.count({ where: { organizationId: team } })).toBe(1);
  });

  it('requires a valid code of the second factor where one is enabled, and counts wrong codes', async () => {
    const { totpURI, backupCodes } = await enableTwoFactor(await signIn(ours), PASSWORD);
    await expect(deleteTeam(doer, input)).rejects.toMatchObject({ param: 'code', code: 'missing_required_field' });
    for (const code of [
      '000000',
      '',
      ' ',
      backupCodes[0]?.slice(1) ?? '',
      computeTotp(totpURI, Date.now() - 300_000),
    ]) {
      await expect(deleteTeam(doer, { ...input, code })).rejects.toMatchObject({ param: 'code' });
    }
    const code = computeTotp(totpURI, Date.now());
    await expect(deleteTeam(doer, { ...input, password: 'wrong', code })).rejects.toMatchObject({ param: 'password' });
    expect(await systemDb().team.count({ where: { id: team, plan: 'pro' } })).toBe(1);
    await expect(deleteTeam(doer, { ...input, code })).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    await systemDb().tally.deleteMany();
    await deleteTeam(doer, { ...input, code: `${code.slice(0, 3)} ${code.slice(3)}` });
    expect(await systemDb().team.count({ where: { id: team, plan: 'pro' } })).toBe(0);
  }, 30_000);

  it('accepts a very recent sign-in with a passkey instead of a password, because users may have no password', async () => {
    const { id } = doer.user;
    await addPasskey(await signIn(ours), PASSWORD);
    await systemDb().account.deleteMany({ where: { userId: id } });
    const { password: _, ...without } = input;
    const by = (opened: TeamDeletionRequester['opened'], given: Parameters<typeof deleteTeam>[1] = without) =>
      deleteTeam({ ...doer, opened }, given);
    const unproven = { code: 'invalid_field', param: 'password' };
    await expect(by(openedWith('password', id))).rejects.toMatchObject(unproven);
    await expect(by(openedWith('passkey', id, 11))).rejects.toMatchObject(unproven);
    await expect(by(openedWith('passkey', id), input)).rejects.toMatchObject(unproven);
    expect(await systemDb().team.count({ where: { id: team, plan: 'pro' } })).toBe(1);
    await by(openedWith('passkey', id));
    expect(await systemDb().team.count({ where: { id: team, plan: 'pro' } })).toBe(0);
  });

  it('is refused with the password alone where the account has a passkey', async () => {
    await addPasskey(await signIn(ours), PASSWORD);
    await expect(deleteTeam(doer, input)).rejects.toMatchObject({ param: 'password' });
    await deleteTeam({ ...doer, opened: openedWith('password_and_factor', doer.user.id) }, input);
  });

  it('is refused to a user who lost the owner role after the request began', async () => {
    const id = await join(elsewhere, team);
    await systemDb().member.updateMany({ where: { userId: id }, data: { role: 'owner' } });
    const right = deleteTeam(doer, input);
    await systemDb().member.updateMany({ where: { userId: doer.user.id }, data: { role: 'member' } });
    await expect(right).rejects.toMatchObject({ code: 'resource_missing' });
    expect(await systemDb().team.count({ where: { id: team, plan: 'pro' } })).toBe(1);
  });

  it('accepts a recovery code', async () => {
    const { backupCodes } = await enableTwoFactor(await signIn(ours), PASSWORD);
    await deleteTeam(doer, { ...input, code: backupCodes[3] });
    expect(await systemDb().team.count({ where: { id: team, plan: 'pro' } })).toBe(0);
  });

  it('counts wrong passwords together with those at sign-in', async () => {
    await expect(deleteTeam(doer, { ...input, password: 'wrong' })).rejects.toMatchObject({ param: 'password' });
    expect(await countAttemptAndGetWindowTotal(`password:${ours}`, 3_600_000)).toBe(2);
  });

  it('is rate-limited after five wrong passwords', async () => {
    for (let attempt = 0; attempt < 5; attempt++) {
      await expect(deleteTeam(doer, { ...input, password: 'wrong' })).rejects.toMatchObject({ param: 'password' });
    }
    await expect(deleteTeam(doer, input)).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    const long_ago = new Date(clock().now().getTime() - 16 * 60_000);
    await systemDb().tally.updateMany({ data: { since: long_ago } });
    await deleteTeam(doer, input);
  });
});

describe('a legal hold', () => {
  async function held(mode: 'live' | 'test') {
    await insertOneRowPerTable(team, mode);
    const { id: reservation_id } = await systemDb().reservation.findFirstOrThrow();
    await systemDb().$transaction([
      systemDb().signature.updateMany({ data: { id: 'sig_1', reservation_id } }),
      systemDb().reservation.updateMany({ data: { signature_id: 'sig_1' } }),
    ]);
    return { ...scope, mode };
  }

  it.each(['live', 'test'] as const)('in %s mode prevents the deletion until it is lifted', async (mode) => {
    const its = await held(mode);
    await setLegalHold(its, 'sig_1', true);
    expect(await previewTeamDeletion(team)).toEqual({ properties: 1, reservations: 1, certificates: 1, held: 1 });
    const before = await countTextOccurrencesByTable(team);
    await expect(deleteTeam(doer, input)).rejects.toMatchObject({ code: 'legal_hold' });
    expect(await removeDeletedTeams()).toEqual([]);
    expect(await countTextOccurrencesByTable(team)).toEqual(before);
    await setLegalHold(its, 'sig_1', false);
    await deleteTeam(doer, input);
    await remove();
    expect(await countTextOccurrencesByTable(team)).toEqual({});
  });

  it('and a deletion at the same moment: one succeeds, the other is refused', async () => {
    const its = await held('live');
    const [hold, deletion] = await Promise.allSettled([setLegalHold(its, 'sig_1', true), deleteTeam(doer, input)]);
    expect([hold.status, deletion.status].sort()).toEqual(['fulfilled', 'rejected']);
    const row = await systemDb().signature.findUnique({ where: { id: 'sig_1' } });
    expect(row?.legal_hold).toBe(hold.status === 'fulfilled');
  });

  it('cannot be set on an account that is being deleted', async () => {
    const its = await held('live');
    await deleteTeam(doer, input);
    await expect(setLegalHold(its, 'sig_1', true)).rejects.toMatchObject({ code: 'resource_missing' });
  });
});

describe('the removal of a deleted account’s rows', () => {
  it('deletes rows written while it ran, before it deletes the team’s own row', async () => {
    await deleteTeam(doer, input);
    expect(await removeDeletedTeams()).toEqual([]);
    await insertOneRowPerTable(team, 'live');
    expect(await removeDeletedTeams()).toEqual([]);
    expect(await systemDb().team.count({ where: { id: team } })).toBe(1);
    expect(await removeDeletedTeams()).toEqual([team]);
    expect(await countTextOccurrencesByTable(team)).toEqual({});
  });

  it('deletes many rows in batches', async () => {
    const at = clock().now();
    await systemDb().event.createMany({
      data: Array.from({ length: 2_500 }, (_, index) => ({
        ...{ id: `evt_${index}`, team_id: team, mode: 'live' as const, type: 'property.created', object_id: 'prop_1' },
        ...{ sequence: index, body: '{}', created_at: at },
      })),
    });
    await deleteTeam(doer, input);
    await remove();
    expect(await systemDb().event.count()).toBe(0);
  });

  it('never removes a team that nobody deleted, even one without members', async () => {
    await systemDb().member.deleteMany();
    expect(await removeDeletedTeams()).toEqual([]);
    expect(await systemDb().team.count()).toBe(2);
  });

  it('leaves nothing that identifies the team, and an operator cannot restore it', async () => {
    const told = { legal_name: 'Sea View Ltd', postal_address: 'Sea View 1', contact_email: 'seaview@example.com' };
    await systemDb().team.update({ where: { id: team }, data: told });
    await deleteTeam(doer, input);
    expect(await countTextOccurrencesByTable('Sea View')).toEqual({});
    expect(await systemDb().team.findFirst({ where: { id: team } })).toMatchObject({
      ...{ legal_name: null, postal_address: null, contact_email: null },
    });
    await expect(setTeamPricePlan(team, 'pro')).rejects.toMatchObject({ code: 'resource_missing' });
    await expect(deleteTeam(doer, { ...input, name: 'Deleted' })).rejects.toBeDefined();
  });
});
