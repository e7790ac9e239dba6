/**
 * Tests the message that a guest can send instead of signing: a question to the host, or a refusal.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { redactCertificate } from '@/modules/certificates/privacy/service';
import { sealCertificate } from '@/modules/certificates/seal/sealing';
import { insertSentReservation, signAsGuest, TEST_GUEST } from '@/modules/certificates/testing/signed';
import { extractPdfText, isProgramInstalled } from '@/modules/certificates/testing/tools';
import { deriveLinkToken } from '@/modules/links/urls';
import { HostReservationListQuery } from '@/modules/reservations/host.schemas';
import {
  listReservationsForHost,
  markGuestReplyHandled,
  retrieveReservationForHost,
} from '@/modules/reservations/host.service';
import { cancelReservation } from '@/modules/reservations/service';
import { listTimelineEntriesForHost } from '@/modules/reservations/timeline.service';
import { MAX_GUEST_REPLY_LENGTH } from '@/modules/signing/packet-view';
import { listTrailEntries, trailEntryDataJsonColumn } from '@/modules/trail/service';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readOutboundMails } from '@/testing/mail';
import { insertTeam } from '@/testing/team';
import { handleSignPageRequest, handleSignSubmit } from './sign';

let scope: Scope;
beforeAll(async () => {
  await openTestDatabase();
  scope = await insertTeam();
});
afterAll(closeTestDatabase);

async function open() {
  const made = await insertSentReservation(scope);
  const token = deriveLinkToken('signing', made.reservation_id);
  const url = `http://localhost/sign/${token}`;
  const get = async (location = url) =>
    (await handleSignPageRequest(new Request(new URL(location, url)), token)).text();
  const post = (intent: string, guest_message = '', headers: Record<string, string> = {}) =>
    handleSignSubmit(
      new Request(url, { method: 'POST', headers, body: new URLSearchParams({ intent, guest_message, locale: 'en' }) }),
      token,
    );
  const row = () => systemDb().reservation.findUniqueOrThrow({ where: { id: made.reservation_id } });
  const said = async () =>
    (await listTrailEntries(scope, made.reservation_id))
      .filter(({ type }) => type === 'guest.question' || type === 'guest.declined')
      .map(({ type, actor, data }) => ({ type, actor, message: trailEntryDataJsonColumn.read(data).guest_message }));
  return { ...made, get, post, row, said };
}

describe('the form for guests who do not want to sign', () => {
  it('is on the signing page, works without scripts, and confirms the message there', async () => {
    const { get, post } = await open();
    const page = await get();
    expect(page).toMatch(/<button class="button" type="submit" value="question" name="intent">/);
    expect(page).toMatch(/<button class="button" type="submit" value="declined" name="intent">I do not agree/);
    expect(page).toMatch(/<textarea[^>]*name="guest_message"[^>]*maxLength="1000"/i);
    const answer = await post('question', 'Is the dog fee per night?');
    expect(answer.status).toBe(303);
    expect(await get(answer.headers.get('location') ?? '')).toContain('Your host has been notified.');
  });

  it.each([
    ['question', 'guest.question', 'A question: Ada Lovelace'],
    ['declined', 'guest.declined', 'Not agreed: Ada Lovelace'],
  ])(
    '%s: the trail records it, and the owner is mailed with the guest’s reply address',
    async (intent, type, subject) => {
      const { post, row, said, reservation_id } = await open();
      await post(intent, '  What about\r\nmy <b>dog</b>?\u202e ');
      const message = 'What about\nmy <b>dog</b>?';
      expect(await said()).toEqual([{ type, actor: 'guest', message }]);
      expect(await row()).toMatchObject({ status: 'clicked', guest_reply: intent });
      const mails = await readOutboundMails({ template: 'guest_reply', reservation_id });
      expect(mails).toMatchObject([{ to: 'owner@example.com', reply_to: TEST_GUEST.email }]);
      expect(mails[0]?.subject).toContain(subject);
      expect(mails[0]?.html).toContain('my &lt;b&gt;dog&lt;/b&gt;?');
    },
  );

  it('accepts an empty message, and rejects one over the length limit', async () => {
    const { post, said } = await open();
    expect((await post('declined')).status).toBe(303);
    expect((await post('question', 'x'.repeat(MAX_GUEST_REPLY_LENGTH))).status).toBe(303);
    for (const long of [MAX_GUEST_REPLY_LENGTH + 1, 100_000])
      expect((await post('question', 'x'.repeat(long))).status).toBe(400);
    expect((await said()).map(({ message }) => message)).toEqual([undefined, 'x'.repeat(MAX_GUEST_REPLY_LENGTH)]);
  });

  it('is accepted five times an hour, also with concurrent requests', async () => {
    const { post, said, reservation_id } = await open();
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => post('question', `${at}`)));
    const taken = answers.filter(({ status }) => status === 303).length;
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(8 - taken);
    expect(await said()).toHaveLength(taken);
    for (let at = taken; at < 5; at++) expect((await post('question')).status).toBe(303);
    expect((await post('question')).status).toBe(429);
    expect(await said()).toHaveLength(5);
    expect(await readOutboundMails({ template: 'guest_reply', reservation_id })).toHaveLength(5);
  });

  it('is not accepted from another site, nor when there is nothing left to sign', async () => {
    const { post, said, reservation_id } = await open();
    expect((await post('question', '', { origin: 'https://evil.example' })).status).toBe(400);
    await cancelReservation(scope, reservation_id);
    expect((await post('question')).status).toBe(410);
    const signed = await open();
    await signAsGuest(scope, signed.reservation_id);
    expect((await signed.post('declined')).status).toBe(303);
    expect([await said(), await signed.said()]).toEqual([[], []]);
  });
});

describe('the host', () => {
  it('sees the message on the reservation and among items that need attention, until it is settled', async () => {
    const { post, reservation_id } = await open();
    const waiting = async () => {
      const query = HostReservationListQuery.parse({ attention: 'guest_replied' });
      return (await listReservationsForHost(scope, query)).data.filter(({ id }) => id === reservation_id);
    };
    expect(await waiting()).toEqual([]);
    await post('question', 'May I bring a dog?');
    expect(await waiting()).toMatchObject([{ guest_reply: 'question' }]);
    const { guest_reply } = await retrieveReservationForHost(scope, reservation_id);
    expect(guest_reply).toMatchObject({ kind: 'question', message: 'May I bring a dog?' });
    expect((await listTimelineEntriesForHost(scope, reservation_id)).map(({ note }) => note)).toContain(
      'May I bring a dog?',
    );
    await markGuestReplyHandled(scope, reservation_id);
    await markGuestReplyHandled(scope, reservation_id);
    expect(await waiting()).toEqual([]);
    expect((await retrieveReservationForHost(scope, reservation_id)).guest_reply).toBeNull();
    const settled = (await listTrailEntries(scope, reservation_id)).filter(
      ({ type }) => type === 'guest.reply_settled',
    );
    expect(settled).toHaveLength(1);
  });

  it('no longer sees the refusal once the guest signs; the certificate includes it', async () => {
    const { post, row, reservation_id } = await open();
    await post('declined', 'The dog fee is too high.');
    const signature_id = await signAsGuest(scope, reservation_id);
    expect(await row()).toMatchObject({ status: 'signed', guest_reply: null, guest_reply_at: null });
    await sealCertificate(scope, signature_id);
    const { pdf } = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
    if (isProgramInstalled('pdftotext')) {
      const text = extractPdfText(pdf ?? new Uint8Array()).replace(/\s+/g, '');
      expect(text).toContain('Guestdidnotagree');
      expect(text).toContain('Thedogfeeistoohigh.');
    }
    await redactCertificate(scope, signature_id);
    expect(
      JSON.stringify(await listTrailEntries(scope, reservation_id), (_, value) =>
        typeof value === 'bigint' ? `${value}` : value,
      ),
    ).not.toContain('too high');
    expect(JSON.stringify(await readOutboundMails({ template: 'guest_reply', reservation_id }))).not.toMatch(
      /too high|lovelace/i,
    );
  });
});
