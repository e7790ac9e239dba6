/**
 * Tests the responses to a guest who posts the form twice, without JavaScript, in test mode, or
 * after the packet has changed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { insertSentReservation, signAsGuest } from '@/modules/certificates/testing/signed';
import { deriveLinkToken } from '@/modules/links/urls';
import { convertPacketRowToContent } from '@/modules/packets/serializer';
import { retrieveDefaultPacket, updatePacket } from '@/modules/packets/service';
import { updateProperty } from '@/modules/properties/service';
import { cancelReservation } from '@/modules/reservations/service';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { handleSignedCopyPageRequest } from './certificate/copy';
import { handleVerifyPageRequest } from './certificate/verify';
import { handleSignPageRequest, handleSignSubmit } from './sign';

let scope: Scope;
beforeAll(async () => {
  await openTestDatabase();
  scope = await insertTeam();
});
afterAll(closeTestDatabase);

async function openForm(lang = 'en', of = scope) {
  const made = await insertSentReservation(of);
  const token = deriveLinkToken('signing', made.reservation_id);
  const url = `http://localhost/sign/${token}`;
  const page = await (await handleSignPageRequest(new Request(`${url}?lang=${lang}`), token)).text();
  const displayed_hash = /name="displayed_hash" value="([^"]*)"/.exec(page)?.[1] ?? '';
  const fields = { intent: 'sign', typed_name: 'Ada Lovelace', consent: 'on', displayed_hash, locale: lang };
  const post = (changes: Record<string, string> = {}) =>
    handleSignSubmit(new Request(url, { method: 'POST', body: new URLSearchParams({ ...fields, ...changes }) }), token);
  const get = async (location: string | null) =>
    (await handleSignPageRequest(new Request(new URL(location ?? '', url)), token)).text();
  return { ...made, token, page, post, get };
}

const row = (id: string) => systemDb().reservation.findUniqueOrThrow({ where: { id } });
const trailOf = async (reservation_id: string) =>
  (await systemDb().trailEntry.findMany({ where: { reservation_id }, orderBy: { seq: 'asc' } })).map(
    ({ type }) => type,
  );

describe('a signing form that is sent twice', () => {
  const expectDone = async (answers: Response[], get: (location: string | null) => Promise<string>) => {
    for (const answer of answers) {
      expect(answer.status).toBe(303);
      expect(await get(answer.headers.get('location'))).toContain('Thank you, you are all set');
    }
  };

  it('concurrently creates one signature, and all responses lead to the done page', async () => {
    const { post, get, reservation_id } = await openForm();
    await expectDone(await Promise.all([post(), post(), post()]), get);
    expect(await systemDb().signature.count({ where: { reservation_id } })).toBe(1);
    // The page right after signing is not counted as a visit.
    expect((await row(reservation_id)).arrival_details_viewed_at).toBeNull();
  });

  it.each(['review', 'send_code'])(
    'in sequence, the second time with the intent %s, creates one signature and leads to the done page',
    async (intent) => {
      const { post, get, reservation_id } = await openForm();
      await expectDone([await post(), await post({ intent })], get);
      expect(await systemDb().signature.count({ where: { reservation_id } })).toBe(1);
    },
  );
});

describe('a first form posted without JavaScript counts as a visit', () => {
  it.each<[string, Record<string, string>, number]>([
    ['for review', { intent: 'review' }, 200],
    ['with an unusable name', { typed_name: '\u202e.\u200b' }, 422],
    ['to request a code', { intent: 'send_code' }, 200],
    ['for a changed packet', { displayed_hash: 'x' }, 409],
  ])('%s', async (_, changes, status) => {
    const { post, reservation_id } = await openForm();
    expect((await row(reservation_id)).status).toBe('sent');
    expect((await post(changes)).status).toBe(status);
    expect((await row(reservation_id)).status).toBe('clicked');
    expect((await trailOf(reservation_id)).filter((type) => type === 'reservation.clicked')).toHaveLength(1);
  });

  it('except from another site', async () => {
    const { token, reservation_id } = await openForm();
    const headers = { origin: 'https://evil.example' };
    await handleSignSubmit(
      new Request('http://localhost/', { method: 'POST', headers, body: new URLSearchParams() }),
      token,
    );
    expect((await row(reservation_id)).status).toBe('sent');
  });
});

it('the signer’s name is stored in printable form', async () => {
  const { post, reservation_id } = await openForm();
  await post({ typed_name: ' Ame\u0301lie\u202e  Müller\u200b' });
  expect(await systemDb().signature.findFirst({ where: { reservation_id } })).toMatchObject({
    signer_name: 'Amélie Müller',
  });
});

it('consent is a separate trail entry before the signature, with the statement that the guest accepted', async () => {
  const { post, page, reservation_id } = await openForm('de');
  await post();
  const types = await trailOf(reservation_id);
  expect(types.slice(types.indexOf('consent.given'))[1]).toBe('reservation.signed');
  const { canonical } = await systemDb().snapshot.findFirstOrThrow({
    where: { signatures: { some: { reservation_id } } },
  });
  const { acknowledgement } = JSON.parse(canonical);
  expect(acknowledgement.locale).toBe('de');
  expect(page).toContain(`<span>${acknowledgement.text}</span>`);
  const mail = await systemDb().mailMessage.findFirstOrThrow({ where: { reservation_id, template: 'packet' } });
  expect(mail.status).toBe('captured');
});

/** Returns the checkboxes that are checked in the page. */
const ticked = (html: string) => html.match(/<input[^>]*type="checkbox"[^>]*>/g)?.filter((one) => / checked/.test(one));

describe('acceptance is always an action of the guest', () => {
  // Uses a separate team, because a plan limits the number of properties.
  let scope: Scope;
  beforeAll(async () => {
    scope = await insertTeam('live', 'changes@example.com');
  });
  it.each<[string, Record<string, string>, number]>([
    ['with an error', { typed_name: '' }, 422],
    ['to request a code', { intent: 'send_code' }, 200],
    ['for a changed packet', { displayed_hash: 'x' }, 409],
    ['to review a changed packet', { intent: 'review', displayed_hash: 'x' }, 409],
  ])('a form posted %s is returned with no checkbox checked', async (_, changes, status) => {
    const { post } = await openForm('en', scope);
    const answer = await post(changes);
    expect(answer.status).toBe(status);
    const html = await answer.text();
    expect(ticked(html)).toEqual([]);
    // The returned form contains the name, but browsers must not restore the checkbox.
    if (changes.typed_name === undefined) expect(html).toContain('value="Ada Lovelace"');
    expect(html).toMatch(/<input[^>]*autoComplete="off"[^>]*name="consent"/);
  });

  it('a changed rule and a changed fee show their previous text and amount', async () => {
    const { post, property_id } = await openForm('en', scope);
    const packet = await retrieveDefaultPacket(scope, property_id);
    const dog = { label: 'Dog', amount_cents: 1_500 };
    await updatePacket(scope, packet.id, { fees: [dog] }, { if_match: null });
    const shown = /name="displayed_hash" value="([^"]*)"/.exec(await (await post({ displayed_hash: 'x' })).text())?.[1];
    const { fees, rules } = convertPacketRowToContent(await retrieveDefaultPacket(scope, property_id));
    await updatePacket(
      scope,
      packet.id,
      {
        fees: fees.map(({ id, label }) => ({ id, label, amount_cents: 2_500 })),
        rules: rules.map((rule) => ({ ...rule, text: 'No smoking, not even outside.' })),
      },
      { if_match: null },
    );
    const html = await (await post({ displayed_hash: shown ?? '' })).text();
    expect(html).toMatch(/Before: .*<del[^>]*>No smoking, Ada Lovelace\./);
    expect(html).toMatch(/Before: .*<del[^>]*>Dog · \$15</);
    expect(html).toContain('$25');
  });
});

describe('in test mode', () => {
  it('every guest page shows the test notice, and in live mode none does', async () => {
    for (const mode of ['test', 'live'] as const) {
      const of: Scope = { ...scope, mode };
      const { page, post, get } = await openForm('en', of);
      const pages = [
        page,
        await (await post({ intent: 'review' })).text(),
        await (await post({ typed_name: '' })).text(),
      ];
      pages.push(await get((await post()).headers.get('location')));
      const signed = await openForm('en', of);
      const signature_id = await signAsGuest(of, signed.reservation_id);
      const at = (path: string) => new Request(`http://localhost/${path}?lang=en`);
      pages.push(await (await handleSignedCopyPageRequest(at('c'), deriveLinkToken('copy', signature_id))).text());
      pages.push(await (await handleVerifyPageRequest(at('verify'), deriveLinkToken('verify', signature_id))).text());
      const cancelled = await openForm('en', of);
      await cancelReservation(of, cancelled.reservation_id);
      pages.push(await (await handleSignPageRequest(at('sign'), cancelled.token)).text());
      for (const html of pages)
        expect(html.includes('Test mode: a signature here is not valid.')).toBe(mode === 'test');
    }
  });
});

describe('when content changed after it was shown', () => {
  it('the page marks the differences and announces them', async () => {
    const { post, property_id } = await openForm();
    const packet = await retrieveDefaultPacket(scope, property_id);
    await updatePacket(scope, packet.id, { rules: [], welcome_message: null }, { if_match: null });
    const html = await (await post()).text();
    expect(html).toContain('The changes are marked below.');
    // The rule and the message were removed, and both are marked as such.
    expect(html.match(/class="mark mark-removed"/g)).toHaveLength(2);
  });

  it('the page does not claim to mark a change that it cannot mark', async () => {
    const { post, property_id } = await openForm();
    await updateProperty(scope, property_id, { name: 'Another Loft' }, null);
    const html = await (await post()).text();
    expect(html).toContain('The changes could not be marked.');
    expect(html).not.toContain('are marked below');
  });
});

it('a copy shows the labels of rules and fees in the language of the signature, not of the visit', async () => {
  const { reservation_id, property_id } = await insertSentReservation(scope);
  const packet = await retrieveDefaultPacket(scope, property_id);
  const fee = { label: 'Dog', amount_cents: 1_500, unit: 'night', type: 'conditional_pet' as const };
  await updatePacket(
    scope,
    packet.id,
    { fees: [fee], rules: [{ text: 'Quiet.', category: 'noise' }] },
    { if_match: null },
  );
  const signature_id = await signAsGuest(scope, reservation_id);
  const at = new Request('http://localhost/c?lang=de');
  const html = await (await handleSignedCopyPageRequest(at, deriveLinkToken('copy', signature_id))).text();
  for (const words of ['Only if they apply', 'Only if you bring a pet', 'per night']) expect(html).toContain(words);
  expect(html).not.toContain('pro Nacht');
});

it('the copy and the verification page show the property’s name at signing', async () => {
  const { reservation_id, property_id } = await openForm();
  const signature_id = await signAsGuest(scope, reservation_id);
  await updateProperty(scope, property_id, { name: 'Another Loft' }, null);
  const html = await (
    await handleSignedCopyPageRequest(new Request('http://localhost/c?lang=en'), deriveLinkToken('copy', signature_id))
  ).text();
  const verify = new Request('http://localhost/verify?lang=en');
  const verified = await (await handleVerifyPageRequest(verify, deriveLinkToken('verify', signature_id))).text();
  for (const page of [html, verified]) {
    expect(page).toContain('Harbour Loft');
    expect(page).not.toContain('Another Loft');
  }
});

describe('safety notes', () => {
  const told = async (reservation_id: string, property_id: string) => {
    const { id } = await retrieveDefaultPacket(scope, property_id);
    await updatePacket(scope, id, { safety_notes: 'Leave {{property_name}} by the yard.' }, { if_match: null });
    const token = deriveLinkToken('signing', reservation_id);
    return (await handleSignPageRequest(new Request(`http://localhost/sign/${token}?lang=en`), token)).text();
  };
  const NOTES = 'Leave Harbour Loft by the yard.';

  it('are shown with the same text before and after signing, and after a cancellation', async () => {
    const unsigned = await insertSentReservation(scope);
    expect(await told(unsigned.reservation_id, unsigned.property_id)).toContain(NOTES);
    await cancelReservation(scope, unsigned.reservation_id);
    expect(await told(unsigned.reservation_id, unsigned.property_id)).toContain(NOTES);
    const signed = await insertSentReservation(scope);
    await signAsGuest(scope, signed.reservation_id);
    expect(await told(signed.reservation_id, signed.property_id)).toContain(NOTES);
  });
});
