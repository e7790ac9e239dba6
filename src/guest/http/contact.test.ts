/** The shared link of a booking without an address, by its requests, against a real database. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { insertSent } from '@/modules/certificates/testing/signed';
import { createShareLink } from '@/modules/reservations/host.service';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readLastMail } from '@/testing/mail';
import { insertTeam } from '@/testing/team';
import { signPage, signSubmit } from './sign';

let scope: Scope;
beforeAll(async () => {
  // With a provider the mail is to be sent, and still holds what it brings.
  setConfig({ resend_api_key: 're_test' });
  await openTestDatabase();
  scope = await insertTeam();
});
afterAll(closeTestDatabase);

it('asks for an address, confirms it by a code, sends there, leads to the packet, and is dead from then on', async () => {
  const { reservation_id } = await insertSent(scope);
  // As a calendar leaves it: nobody knows an address, and nothing was sent.
  await systemDb().reservation.update({
    where: { id: reservation_id },
    data: { guest_email: null, status: 'synced', initial_status: 'synced', sent_at: null, signing_token_hash: null },
  });
  const url = await createShareLink(scope, reservation_id);
  const token = url.split('/').at(-1) ?? '';
  const open = () => signPage(new Request(`${url}?lang=en`), token);
  const post = (fields: Record<string, string>) => {
    const body = new URLSearchParams({ locale: 'en', ...fields });
    return signSubmit(new Request(`${url}?lang=en`, { method: 'POST', body }), token);
  };
  const row = () => systemDb().reservation.findUniqueOrThrow({ where: { id: reservation_id } });

  const page = await (await open()).text();
  expect(page).toContain('Where can we reach you?');
  expect(page).not.toContain('No smoking');
  expect((await post({ intent: 'send_code', email: 'no address' })).status).toBe(422);
  const email = 'grace@guest.example';
  expect(await (await post({ intent: 'send_code', email })).text()).toContain('Enter your code');
  const mail = await readLastMail({ reservation_id, template: 'one_time_code' });
  expect(mail.to).toBe(email);
  const code = /\b\d{6}\b/.exec(mail.text)?.[0] ?? '';

  const wrong = await post({ intent: 'confirm', email, otp_code: code === '000000' ? '000001' : '000000' });
  expect(wrong.status).toBe(422);
  // A code proves the address it was sent to, and no other.
  expect((await post({ intent: 'confirm', email: 'mallory@guest.example', otp_code: code })).status).toBe(422);
  expect(await row()).toMatchObject({ guest_email: null, status: 'synced' });

  const confirmed = await post({ intent: 'confirm', email, otp_code: code });
  expect(confirmed.status).toBe(303);
  expect(await row()).toMatchObject({ guest_email: email, status: 'sent' });
  const packet = new URL(confirmed.headers.get('location') ?? '', url);
  const shown = await signPage(new Request(packet), packet.pathname.split('/').at(-1) ?? '');
  expect(await shown.text()).toContain('No smoking');
  expect((await open()).status).toBe(410);
  expect((await post({ intent: 'confirm', email: 'mallory@guest.example', otp_code: code })).status).toBe(410);
});
