/**
 * Tests that a confirmed code authorises only the person who has the code. The link alone is not
 * enough.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { insertSentReservation } from '@/modules/certificates/testing/signed';
import { deriveLinkToken } from '@/modules/links/urls';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readLastOutboundMail } from '@/testing/mail';
import { insertTeam } from '@/testing/team';
import { handleSignPageRequest, handleSignSubmit } from './sign';

let scope: Scope;
let url: string;
let token: string;
let reservation_id: string;
let displayed_hash: string;

beforeAll(async () => {
  await openTestDatabase();
  setConfig({ resend_api_key: 're_test' });
  scope = await insertTeam();
});
afterAll(closeTestDatabase);

beforeEach(async () => {
  ({ reservation_id } = await insertSentReservation(scope));
  await systemDb().reservation.update({ where: { id: reservation_id }, data: { otp_required: true } });
  token = deriveLinkToken('signing', reservation_id);
  url = `http://localhost/sign/${token}`;
  displayed_hash = /name="displayed_hash" value="([^"]*)"/.exec(await opened())?.[1] ?? '';
});

const opened = async () => (await handleSignPageRequest(new Request(url), token)).text();

function post(changes: Record<string, string>) {
  const fields = { intent: 'sign', typed_name: 'Ada Lovelace', consent: 'on', displayed_hash, locale: 'en' };
  const body = new URLSearchParams({ ...fields, ...changes });
  return handleSignSubmit(new Request(url, { method: 'POST', body }), token);
}

/**
 * Posts a correct code in a form that has another error. Returns the code and the resulting page.
 */
async function confirmed() {
  await post({ intent: 'send_code' });
  const code = /\b\d{6}\b/.exec((await readLastOutboundMail({ template: 'one_time_code' })).text)?.[0] ?? '';
  const answer = await post({ otp_code: code, consent: '' });
  expect(answer.status).toBe(422);
  return { code, page: await answer.text() };
}

const codeIn = (page: string) => /name="otp_code" value="(\d*)"/.exec(page)?.[1];
const trail = async () =>
  (await systemDb().trailEntry.findMany({ where: { reservation_id }, orderBy: { seq: 'asc' } })).map(
    (entry) => entry.type,
  );

it('others who open the link cannot sign without the code, even after it was confirmed', async () => {
  const { code } = await confirmed();
  const other = await opened();
  expect(other).not.toContain('Your email address is confirmed');
  expect(other).not.toContain(code);
  const refused = await post({});
  expect(refused.status).toBe(422);
  expect(await refused.text()).not.toContain(code);
  expect((await post({ otp_code: code === '000000' ? '000001' : '000000' })).status).toBe(422);
  expect(await systemDb().signature.count({ where: { reservation_id } })).toBe(0);
});

it('the guest enters the code once, however many other errors the form has', async () => {
  const { code, page } = await confirmed();
  expect(page).toContain('Your email address is confirmed');
  let carried = codeIn(page);
  for (let time = 0; time < 7; time++) {
    const again = await post({ otp_code: carried ?? '', typed_name: '' });
    expect(again.status).toBe(422);
    carried = codeIn(await again.text());
    expect(carried).toBe(code);
  }
  const changed = await post({ otp_code: carried ?? '', displayed_hash: 'another' });
  expect([changed.status, codeIn(await changed.text())]).toEqual([409, code]);
  expect((await post({ otp_code: code })).status).toBe(303);
  expect((await trail()).filter((type) => type === 'guest.code_confirmed')).toHaveLength(1);
});

it('a guest who reopens the link can use the same code again', async () => {
  const { code } = await confirmed();
  expect(await opened()).toContain('Code from the email');
  expect((await post({ otp_code: code })).status).toBe(303);
});

it('a confirmed code becomes invalid after five wrong guesses', async () => {
  const { code } = await confirmed();
  const wrong = (by: number) => String((Number(code) + by) % 1_000_000).padStart(6, '0');
  const answers = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((by) => post({ otp_code: wrong(by) })));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 422));
  expect((await post({ otp_code: code })).status).toBe(422);
});
