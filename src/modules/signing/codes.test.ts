/**
 * Tests the limits of one-time codes, for strangers who have a guest's link and for impatient
 * guests.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { insertSentReservation } from '@/modules/certificates/testing/signed';
import { MAX_CODE_RECIPIENTS_PER_SHARE_LINK } from '@/modules/mail/rules/budget.rules';
import { loadReservation, type ReservationWithPropertyAndPacket } from '@/modules/reservations/save-transition';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readLastOutboundMail, readOutboundMails } from '@/testing/mail';
import { clearDatabase, insertTeam } from '@/testing/team';
import {
  CONFIRMATION_CODE_LIFETIME_MINUTES,
  hasValidConfirmationCode,
  sendConfirmationCodeMail,
  verifyConfirmationCode,
} from './codes';

const EMAIL = 'Ada@example.com';
let scope: Scope;
let time: FakeClock;
let loaded: ReservationWithPropertyAndPacket;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  setConfig({ resend_api_key: 're_test' });
  time = installFakeClock('2026-03-01T12:00:00.000Z');
  scope = await insertTeam();
  const { reservation_id } = await insertSentReservation(scope);
  loaded = await loadReservation(scope, reservation_id);
});
afterEach(() => setClock(null));

const ask = () => sendConfirmationCodeMail(scope, loaded, 'signing', EMAIL, 'en');
const confirm = (code: string, email = EMAIL) => verifyConfirmationCode(scope, loaded.row.id, 'signing', email, code);
const state = () => hasValidConfirmationCode(scope, loaded.row.id, 'signing', EMAIL);
const mailed = async () =>
  /\b\d{6}\b/.exec((await readLastOutboundMail({ template: 'one_time_code' })).text)?.[0] ?? '';
const wrong = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0');

it('the mailed code confirms its address for an hour', async () => {
  expect(await ask()).toBeNull();
  expect(await state()).toBe(true);
  expect(await confirm(await mailed())).toBeNull();
  expect(await state()).toBe(true);
  expect(await hasValidConfirmationCode(scope, loaded.row.id, 'contact', EMAIL)).toBe(false);
  expect(await confirm(await mailed(), 'eve@example.com')).toBe('code_expired');
  time.advance(60 * 60_000);
  expect(await state()).toBe(false);
});

it('a code allows five attempts, and a new code has its own five', async () => {
  await ask();
  const code = await mailed();
  for (let tries = 1; tries <= 5; tries++) expect(await confirm(wrong(code, tries))).toBe('code_invalid');
  expect(await confirm(code)).toBe('code_too_many');
  time.advance(1_000);
  await ask();
  expect(await confirm(await mailed())).toBeNull();
});

it('concurrent attempts are all counted', async () => {
  await ask();
  const code = await mailed();
  const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => confirm(wrong(code, index + 1))));
  expect(answers.filter((answer) => answer === 'code_invalid')).toHaveLength(5);
  expect(answers.filter((answer) => answer === 'code_too_many')).toHaveLength(7);
});

it('a code is valid for ten minutes', async () => {
  await ask();
  const code = await mailed();
  time.advance(CONFIRMATION_CODE_LIFETIME_MINUTES * 60_000 - 1);
  expect(await confirm(wrong(code))).toBe('code_invalid');
  time.advance(1);
  expect(await confirm(code)).toBe('code_expired');
  expect(await state()).toBe(false);
});

it('at most four codes are mailed in ten minutes', async () => {
  for (let turn = 0; turn < 4; turn++) expect(await ask()).toBeNull();
  expect(await ask()).toBe('rate_limited');
  expect(await readOutboundMails({ template: 'one_time_code' })).toHaveLength(4);
  time.advance(CONFIRMATION_CODE_LIFETIME_MINUTES * 60_000);
  expect(await ask()).toBeNull();
});

it('no code is mailed to a guest who was erased after the link was opened', async () => {
  await systemDb().reservation.updateMany({ data: { redacted: true } });
  expect(await ask()).toBe('rate_limited');
  expect(await readOutboundMails({ template: 'one_time_code' })).toEqual([]);
  expect(await systemDb().guestCode.count()).toBe(0);
});

it('concurrent requests also result in at most four mailed codes', async () => {
  const answers = await Promise.all(Array.from({ length: 9 }, ask));
  expect(answers.filter((answer) => answer === null)).toHaveLength(4);
  expect(await readOutboundMails({ template: 'one_time_code' })).toHaveLength(4);
});

it('a shared link mails codes to at most three addresses ever', async () => {
  const share = (email: string) => sendConfirmationCodeMail(scope, loaded, 'contact', email, 'en');
  const answers: unknown[] = [];
  for (let turn = 0; turn < 40; turn++) {
    answers.push(await share(`stranger-${turn}@example.com`));
    time.advance(CONFIRMATION_CODE_LIFETIME_MINUTES * 60_000);
  }
  expect(answers.filter((answer) => answer === null)).toHaveLength(MAX_CODE_RECIPIENTS_PER_SHARE_LINK);
  expect(new Set((await readOutboundMails({ template: 'one_time_code' })).map(({ to }) => to)).size).toBe(3);
  expect(await share('STRANGER-1@example.com')).toBeNull();
});

it('without mail budget no code is sent and no error is thrown', async () => {
  await systemDb().team.updateMany({ data: { plan: 'free' } });
  await ask();
  const { open_token_hash: _token, ...row } = await systemDb().mailMessage.findFirstOrThrow();
  await systemDb().mailMessage.createMany({
    data: Array.from({ length: 40 }, (_, index) => ({ ...row, id: `mail_${index}`, to: `a-${index}@example.com` })),
  });
  expect(await ask()).toBe('rate_limited');
});
