/** Limits on the mails that one account can cause, counted over all kinds of mail. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { EMAIL_SAMPLES } from '@/emails/samples';
import { systemDb } from '@/infra/db/client';
import { inSystemTransaction, inTransaction } from '@/infra/db/transaction';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import {
  computeTeamDailyMailLimit,
  MEMBER_MAIL_TEMPLATES,
  RECIPIENT_DAILY_MAIL_LIMITS,
  TEAM_DAILY_MAIL_LIMITS,
} from './rules/budget.rules';
import { queueMail, queueSystemMail } from './service';

let scope: Scope;
let time: FakeClock;
beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  setConfig({ resend_api_key: 're_test' });
  time = installFakeClock('2026-03-01T12:00:00.000Z');
  scope = await insertTeam();
  await systemDb().team.updateMany({ data: { plan: 'free', createdAt: time.now() } });
});
afterEach(() => setClock(null));

const mail = (template: string, to: string) => ({ template, to, subject: 'S', html: '<p>H</p>', text: 'T' });
const queue = (template: string, to: string, by = scope) =>
  inTransaction(by, () => queueMail(by, mail(template, to))).then(
    () => 'queued',
    (error: { code: string }) => error.code,
  );
const many = async (count: number, template: (index: number) => string, to: (index: number) => string) => {
  const answers: string[] = [];
  for (let index = 0; index < count; index++) answers.push(await queue(template(index), to(index)));
  return answers.filter((answer) => answer === 'queued').length;
};
const ACCOUNT = [
  'invitation',
  'reset_password',
  'sign_up_attempt',
  'sign_in_failures',
  'email_change',
  'security_change',
  'verify_email',
];
const kinds = Object.keys(EMAIL_SAMPLES).filter((name) => !ACCOUNT.includes(name));
const to_others = kinds.filter((name) => !MEMBER_MAIL_TEMPLATES.includes(name) && name !== 'signed_copy');

it('every kind of mail to others counts against one budget', async () => {
  const kind = (index: number) => to_others[index % to_others.length] ?? '';
  expect(to_others).toEqual(['packet', 'reminder_24h', 'reminder_2h', 'mail_test', 'one_time_code']);
  expect(await many(240, kind, (index) => `stranger-${index}@example.com`)).toBe(TEAM_DAILY_MAIL_LIMITS.free.new);
  for (const name of to_others) expect(await queue(name, 'one-more@example.com')).toBe('rate_limit_exceeded');
  time.advance(86_400_001);
  expect(await queue('packet', 'one-more@example.com')).toBe('queued');
});

it('concurrent mails do not exceed the budget', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => queue('one_time_code', `stranger-${index}@example.com`)),
  );
  expect(answers.filter((answer) => answer === 'queued')).toHaveLength(TEAM_DAILY_MAIL_LIMITS.free.new);
}, 30_000);

it('the budget rises with plan, add-on and age', () => {
  const [created_at, later] = [new Date('2026-03-01'), new Date('2026-03-20')];
  const of = (plan: string, property_limit: number | null, now: Date) =>
    computeTeamDailyMailLimit({ plan, property_limit, created_at }, now);
  const budgets = [of('free', null, created_at), of('free', null, later), of('pro', null, created_at)];
  budgets.push(of('pro', null, later), of('pro', 100, later));
  expect(budgets).toEqual([40, 100, 500, 1_000, 4_000]);
  expect(of('deleted', 1_000, later)).toBe(100);
});

it('one address receives a limited number of mails from a team and from all teams', async () => {
  await systemDb().team.updateMany({ data: { plan: 'pro' } });
  const to = (index: number) => (index % 2 ? 'Ada@example.com' : 'ada@example.com');
  expect(await many(RECIPIENT_DAILY_MAIL_LIMITS.team + 2, () => 'one_time_code', to)).toBe(
    RECIPIENT_DAILY_MAIL_LIMITS.team,
  );
  expect(await queue('one_time_code', 'grace@example.com')).toBe('queued');
  let sent = RECIPIENT_DAILY_MAIL_LIMITS.team;
  for (let team = 0; team < 3; team++) {
    const other = await insertTeam('live', `owner-${team}@example.com`);
    for (let index = 0; index < 30; index++) if ((await queue('packet', 'ada@example.com', other)) === 'queued') sent++;
  }
  expect(sent).toBe(RECIPIENT_DAILY_MAIL_LIMITS.all);
}, 30_000);

it('a signed copy beyond the budget is delayed by a day and counts for that day', async () => {
  await many(
    TEAM_DAILY_MAIL_LIMITS.free.new,
    () => 'packet',
    (index) => `guest-${index}@example.com`,
  );
  expect(await queue('signed_copy', 'ada@example.com')).toBe('queued');
  const copy = await systemDb().mailMessage.findFirstOrThrow({ where: { template: 'signed_copy' } });
  expect(copy).toMatchObject({ status: 'queued', due_at: new Date('2026-03-02T12:00:00.000Z') });
});

it('mails to members are limited by member, and one beyond the limit is stored as failed with the reason', async () => {
  const send = () =>
    inSystemTransaction(() =>
      queueSystemMail({ team_id: scope.team_id, mode: 'live' }, mail('endpoint_digest', 'owner@example.com')),
    );
  for (let index = 0; index <= RECIPIENT_DAILY_MAIL_LIMITS.member; index++) await send();
  const failed = await systemDb().mailMessage.findMany({ where: { status: 'failed' } });
  expect(failed).toHaveLength(1);
  expect(failed[0]?.last_error).toContain('at most 200 emails');
  expect(await queue('packet', 'ada@example.com')).toBe('queued');
});

it('mail that is never sent is not counted, in test mode and without a provider', async () => {
  const test = { ...scope, mode: 'test' as const };
  for (let index = 0; index < 50; index++) expect(await queue('packet', `a-${index}@example.com`, test)).toBe('queued');
  setConfig({ resend_api_key: undefined });
  expect(
    await many(
      50,
      () => 'packet',
      (index) => `b-${index}@example.com`,
    ),
  ).toBe(50);
});
