/** Tests the shared link of a booking without an email address, over HTTP with a real database. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { insertSentReservation } from '@/modules/certificates/testing/signed';
import { archivePacket, createPacket } from '@/modules/packets/service';
import { createShareableSigningLink } from '@/modules/reservations/host.service';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readLastOutboundMail } from '@/testing/mail';
import { insertTeam } from '@/testing/team';
import { handleSignPageRequest, handleSignSubmit } from './sign';

let scope: Scope;
beforeAll(async () => {
  // With a mail provider configured, mail is queued. The test reads the code in the queued mail.
  setConfig({ resend_api_key: 're_test' });
  await openTestDatabase();
  scope = await insertTeam();
});
afterAll(closeTestDatabase);

/**
 * Creates a booking without an address, its shared link, and the code that was mailed to the
 * address that the guest entered.
 */
async function shared() {
  const { reservation_id, property_id } = await insertSentReservation(scope);
  await systemDb().reservation.update({
    where: { id: reservation_id },
    data: { guest_email: null, status: 'synced', initial_status: 'synced', sent_at: null, signing_token_hash: null },
  });
  const url = await createShareableSigningLink(scope, reservation_id);
  const post = (fields: Record<string, string>) => {
    const body = new URLSearchParams({ locale: 'en', ...fields });
    return handleSignSubmit(new Request(`${url}?lang=en`, { method: 'POST', body }), url.split('/').at(-1) ?? '');
  };
  const codeFor = async (email: string) => {
    await post({ intent: 'send_code', email });
    const { text } = await readLastOutboundMail({ reservation_id, template: 'one_time_code' });
    return { intent: 'confirm', email, otp_code: /\b\d{6}\b/.exec(text)?.[0] ?? '' };
  };
  return { reservation_id, property_id, post, codeFor };
}

describe('a one-time code for a shared link', () => {
  it('entered twice at once opens the packet both times and sends one mail', async () => {
    const { reservation_id, post, codeFor } = await shared();
    const form = await codeFor('grace@guest.example');
    const answers = await Promise.all([post(form), post(form)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(answers[0]?.headers.get('location')).toBe(answers[1]?.headers.get('location'));
    expect(answers[0]?.headers.get('location')).toMatch(/^\/sign\//);
    expect(await systemDb().mailMessage.count({ where: { reservation_id, template: 'packet', to: form.email } })).toBe(
      1,
    );
  });

  it('entered again after it was accepted opens the packet, but not for another address or a wrong code', async () => {
    const { post, codeFor } = await shared();
    const form = await codeFor('grace@guest.example');
    const first = await post(form);
    const again = await post(form);
    expect([first.status, again.status]).toEqual([303, 303]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    const wrong = { ...form, otp_code: form.otp_code === '000000' ? '000001' : '000000' };
    for (const refused of [{ ...form, email: 'ada@guest.example' }, wrong])
      expect((await post(refused)).status).toBe(410);
  });

  it('confirms only one of two addresses that are entered concurrently; the other gets 410', async () => {
    const { post, codeFor } = await shared();
    const [grace, ada] = [await codeFor('grace@guest.example'), await codeFor('ada@guest.example')];
    const answers = await Promise.all([post(grace), post(ada)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 410]);
  });

  it('is not sent after the end of the stay', async () => {
    const { reservation_id, post } = await shared();
    const days = { checkin_date: new Date('2020-01-01'), checkout_date: new Date('2020-01-03') };
    await systemDb().reservation.update({ where: { id: reservation_id }, data: days });
    expect((await post({ intent: 'send_code', email: 'grace@guest.example' })).status).toBe(410);
    expect(await systemDb().mailMessage.count({ where: { reservation_id, template: 'one_time_code' } })).toBe(0);
  });

  it('returns 404 and confirms no address when the booking’s packet was archived', async () => {
    const { reservation_id, property_id, post, codeFor } = await shared();
    const variant = await createPacket(scope, property_id, { name: 'Summer' });
    await systemDb().reservation.update({ where: { id: reservation_id }, data: { packet_id: variant.id } });
    await archivePacket(scope, variant.id);
    const answer = await post(await codeFor('grace@guest.example'));
    expect(answer.status).toBe(404);
    expect(await systemDb().reservation.findUniqueOrThrow({ where: { id: reservation_id } })).toMatchObject({
      guest_email: null,
    });
  });
});

it('a shared link requests an address, confirms it by a code, opens the packet, and expires after that', async () => {
  const { reservation_id } = await insertSentReservation(scope);
  // Creates a booking as calendars do: without an address, and not sent.
  await systemDb().reservation.update({
    where: { id: reservation_id },
    data: { guest_email: null, status: 'synced', initial_status: 'synced', sent_at: null, signing_token_hash: null },
  });
  const url = await createShareableSigningLink(scope, reservation_id);
  const token = url.split('/').at(-1) ?? '';
  const open = () => handleSignPageRequest(new Request(`${url}?lang=en`), token);
  const post = (fields: Record<string, string>) => {
    const body = new URLSearchParams({ locale: 'en', ...fields });
    return handleSignSubmit(new Request(`${url}?lang=en`, { method: 'POST', body }), token);
  };
  const row = () => systemDb().reservation.findUniqueOrThrow({ where: { id: reservation_id } });

  const page = await (await open()).text();
  expect(page).toContain('Where can we reach you?');
  expect(page).not.toContain('No smoking');
  expect((await post({ intent: 'send_code', email: 'no address' })).status).toBe(422);
  const email = 'grace@guest.example';
  expect(await (await post({ intent: 'send_code', email })).text()).toContain('Enter your code');
  const mail = await readLastOutboundMail({ reservation_id, template: 'one_time_code' });
  expect(mail.to).toBe(email);
  const code = /\b\d{6}\b/.exec(mail.text)?.[0] ?? '';

  const wrong = await post({ intent: 'confirm', email, otp_code: code === '000000' ? '000001' : '000000' });
  expect(wrong.status).toBe(422);
  // A code only confirms the address to which it was sent.
  expect((await post({ intent: 'confirm', email: 'mallory@guest.example', otp_code: code })).status).toBe(422);
  expect(await row()).toMatchObject({ guest_email: null, status: 'synced' });

  const confirmed = await post({ intent: 'confirm', email, otp_code: code });
  expect(confirmed.status).toBe(303);
  expect(await row()).toMatchObject({ guest_email: email, status: 'sent' });
  const packet = new URL(confirmed.headers.get('location') ?? '', url);
  const shown = await handleSignPageRequest(new Request(packet), packet.pathname.split('/').at(-1) ?? '');
  expect(await shown.text()).toContain('No smoking');
  expect((await open()).status).toBe(410);
  expect((await post({ intent: 'confirm', email: 'mallory@guest.example', otp_code: code })).status).toBe(410);
});
