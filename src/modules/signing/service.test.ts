/**
 * Tests that a guest with a link sees only released content, and signs exactly the displayed
 * content, once.
 */
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { insertSentReservation, TEST_GUEST } from '@/modules/certificates/testing/signed';
import { deriveLinkToken } from '@/modules/links/urls';
import { updatePacket } from '@/modules/packets/service';
import { loadReservation } from '@/modules/reservations/save-transition';
import { resendReservation } from '@/modules/reservations/send';
import { cancelReservation, createReservation } from '@/modules/reservations/service';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readLastOutboundMail } from '@/testing/mail';
import { clearDatabase, insertTeam } from '@/testing/team';
import { storeGuestEmailAddressAndSendPacket } from './contact';
import { buildGuestPacketDisplay } from './display';
import { findReservationByLink } from './open-link';
import { recordGuestPageView, type SignReservationInput, signReservation } from './service';

let time: FakeClock;
let host: Scope;
let guest: Scope;
let id: string;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  time = installFakeClock('2026-03-01T12:00:00.000Z');
  host = await insertTeam();
  guest = { ...host, actor: { kind: 'guest' } };
  id = (await insertSentReservation(host)).reservation_id;
});
afterEach(() => setClock(null));

const load = () => loadReservation(host, id);
const shown = async (locale: SignReservationInput['locale'] = 'en') => buildGuestPacketDisplay(await load(), locale);
const sign = async (changed: Partial<SignReservationInput> = {}) =>
  signReservation(guest, id, {
    typed_name: TEST_GUEST.name,
    displayed_hash: changed.displayed_hash ?? (await shown(changed.locale))?.hash ?? '',
    locale: 'en',
    drawn_signature: null,
    photo: null,
    otp_confirmed: false,
    origin: { ip: TEST_GUEST.ip, user_agent: TEST_GUEST.user_agent },
    ...changed,
  });
const rewrite = async (welcome_message: string) =>
  updatePacket(host, (await load()).packet?.id ?? '', { welcome_message }, { if_match: null });
const trail = () => systemDb().trailEntry.findMany({ where: { reservation_id: id }, orderBy: { seq: 'asc' } });
const signatures = () => systemDb().signature.findMany({ where: { reservation_id: id } });
const events = async () =>
  (await systemDb().event.findMany({ orderBy: { created_at: 'asc' } })).map(({ type }) => type);

/**
 * Creates a reservation that was never sent and has no address, like a reservation from a calendar.
 */
async function makeWithoutAddress(): Promise<void> {
  const { row, property } = await load();
  const made = await createReservation(host, {
    property_id: property.id,
    guest_name: row.guest_name,
    guest_email: null,
    checkin_date: '2026-03-20',
    checkout_date: '2026-03-22',
    source: 'direct',
  });
  id = made.row.id;
}

describe('the page shown to a guest', () => {
  it('contains no withheld details before signing, and shows them afterwards', async () => {
    const before = JSON.stringify(await shown());
    expect(before).toContain('door_code');
    expect(before).not.toContain('4711#');
    await sign();
    const { arrival } = (await shown())?.packet ?? {};
    expect(arrival).toContainEqual({ group: 'door_code', state: 'visible', text: '4711#' });
  });

  it('differs in another language, and a signature records the language read', async () => {
    const [english, german] = [await shown('en'), await shown('de')];
    expect(german?.hash).not.toBe(english?.hash);
    await sign({ locale: 'de' });
    expect(await signatures()).toMatchObject([{ locale: 'de', content_hash: german?.hash }]);
    expect((await load()).row.guest_locale).toBe('de');
  });
});

describe('signing', () => {
  it('stores what was shown, the signer and IP address, and the consent before the signature', async () => {
    const display = await shown();
    await sign();
    const { row } = await load();
    const [signature] = await signatures();
    expect(row).toMatchObject({ status: 'signed', signature_id: signature?.id, packet_id: expect.any(String) });
    expect(signature).toMatchObject({
      signer_name: TEST_GUEST.name,
      signed_ip: TEST_GUEST.ip,
      user_agent: TEST_GUEST.user_agent,
    });
    const snapshot = await systemDb().snapshot.findFirstOrThrow({ where: { id: signature?.snapshot_id ?? '' } });
    // Computes the hash independently, like a third party.
    expect(createHash('sha256').update(snapshot.canonical).digest('hex')).toBe(signature?.content_hash.slice(-64));
    expect(snapshot.canonical).toContain('No smoking, Ada Lovelace.');
    expect(display?.hash).toBe(signature?.content_hash);
    const types = (await trail()).map(({ type }) => type);
    expect(types.slice(types.indexOf('reservation.clicked'))).toEqual([
      'reservation.clicked',
      'reservation.arrival_details_held',
      'consent.given',
      'reservation.signed',
      'reservation.arrival_details_released',
    ]);
  });

  it('without an earlier view also records the first view', async () => {
    expect((await load()).row.clicked_at).toBeNull();
    await sign();
    expect((await load()).row.clicked_at).toEqual(time.now());
    expect(await events()).toEqual(expect.arrayContaining(['reservation.clicked', 'reservation.signed']));
  });

  it('after a view does not record the view again', async () => {
    await recordGuestPageView(guest, id, {});
    await recordGuestPageView(guest, id, {});
    time.advance(60_000);
    await sign();
    expect((await events()).filter((type) => type === 'reservation.clicked')).toHaveLength(1);
    expect((await load()).row.clicked_at?.getTime()).toBe(time.now().getTime() - 60_000);
  });

  it('several times at once creates one signature', async () => {
    const displayed_hash = (await shown())?.hash ?? '';
    const tries = await Promise.allSettled(Array.from({ length: 6 }, () => sign({ displayed_hash })));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const tried of tries)
      if (tried.status === 'rejected') expect(tried.reason).toMatchObject({ code: 'reservation_already_signed' });
    expect(await signatures()).toHaveLength(1);
    expect((await events()).filter((type) => type === 'reservation.signed')).toHaveLength(1);
  });
});

describe('a packet that changed after it was displayed', () => {
  it('is not signed, and the guest sees the earlier and the current version', async () => {
    const before = await shown();
    await rewrite('No parties.');
    const result = await sign({ displayed_hash: before?.hash ?? '' });
    expect(result).toMatchObject({ kind: 'packet_changed', now: { packet: { welcome_message: 'No parties.' } } });
    expect(result.kind === 'packet_changed' && result.before?.packet.welcome_message).toBe('Welcome, Ada Lovelace!');
    expect(await signatures()).toEqual([]);
    expect((await load()).row.status).toBe('sent');
    expect((await sign()).kind).toBe('signed');
  });

  it('has no earlier version for a hash that no revision ever had', async () => {
    const result = await sign({ displayed_hash: '0'.repeat(64) });
    expect(result).toMatchObject({ kind: 'packet_changed', before: null });
  });

  it('between the check and the commit is checked again', async () => {
    // Edits the packet during the first attempt only. A sequence counts the attempts, because a
    // rollback does not reset it.
    const run = (sql: string) => systemDb().$executeRawUnsafe(sql);
    await run('CREATE SEQUENCE tries');
    await run(`CREATE FUNCTION edit_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.status = 'signed' AND nextval('tries') = 1 THEN
        UPDATE packets SET welcome_message = 'Rewritten.', version = version + 1 WHERE id = NEW.packet_id;
      END IF;
      RETURN NEW; END $$`);
    await run('CREATE TRIGGER edit_once BEFORE UPDATE ON reservations FOR EACH ROW EXECUTE FUNCTION edit_once()');
    try {
      expect((await sign()).kind).toBe('signed');
    } finally {
      await run('DROP TRIGGER edit_once ON reservations');
      await run('DROP FUNCTION edit_once');
    }
    const [{ last_value: tries } = { last_value: 0n }] = await systemDb().$queryRaw<{ last_value: bigint }[]>`
      SELECT last_value FROM tries`;
    await run('DROP SEQUENCE tries');
    expect(Number(tries)).toBe(2);
    expect((await load()).packet?.welcome_message).toBe('Welcome, {{guest_name}}!');
    expect(await signatures()).toHaveLength(1);
  });
});

describe('a link that can no longer be signed', () => {
  it('reports that it is signed, cancelled or expired, not that the packet changed', async () => {
    const displayed_hash = '0'.repeat(64);
    await sign();
    await expect(sign({ displayed_hash })).rejects.toMatchObject({ code: 'reservation_already_signed' });
    id = (await insertSentReservation(host)).reservation_id;
    await cancelReservation(host, id);
    await expect(sign({ displayed_hash })).rejects.toMatchObject({ code: 'reservation_cancelled' });
    id = (await insertSentReservation(host)).reservation_id;
    time.advance(200 * 86_400_000);
    await expect(sign({ displayed_hash })).rejects.toMatchObject({ code: 'stay_ended' });
  });

  it('is recognised as replaced by a newer one, unlike an invented link', async () => {
    const first = deriveLinkToken('signing', id);
    expect(await findReservationByLink(first)).toMatchObject({ kind: 'current', purpose: 'signing', state: 'open' });
    await resendReservation(host, id);
    const { token_generation } = (await load()).row;
    const second = deriveLinkToken('signing', id, token_generation);
    expect(await findReservationByLink(first)).toMatchObject({ kind: 'replaced' });
    expect(await findReservationByLink(second)).toMatchObject({ kind: 'current' });
    for (const made_up of ['', 'x', `${first}x`, '../../etc/passwd', 'A'.repeat(32)])
      expect(await findReservationByLink(made_up)).toEqual({ kind: 'unknown' });
  });
});

it('an address given and confirmed by the guest is stored, recorded in the trail and mailed', async () => {
  await makeWithoutAddress();
  const url = await storeGuestEmailAddressAndSendPacket(guest, id, 'ada@home.example', 'fr', { ip: TEST_GUEST.ip });
  expect((await load()).row).toMatchObject({
    guest_email: 'ada@home.example',
    guest_email_relay: false,
    guest_locale: 'fr',
  });
  expect((await trail()).map(({ type }) => type)).toContain('guest.address_confirmed');
  expect((await readLastOutboundMail()).to).toBe('ada@home.example');
  expect(await findReservationByLink(url.split('/').at(-1) ?? '')).toMatchObject({
    kind: 'current',
    purpose: 'signing',
  });
});

it('an address that could not be mailed is not stored, and can be given again', async () => {
  await makeWithoutAddress();
  const accept = () => storeGuestEmailAddressAndSendPacket(guest, id, 'ada@home.example', 'fr', { ip: TEST_GUEST.ip });
  const untouched = [await load(), await trail()];
  const archived = { status: 'archived', is_default: false, archived_at: new Date() };
  await systemDb().packet.updateMany({ data: archived });
  await expect(accept()).rejects.toMatchObject({ code: 'reservation_not_sendable' });
  await systemDb().packet.updateMany({ data: { status: 'active', is_default: true, archived_at: null } });
  // The mail cannot be queued, so the whole transaction is rolled back.
  await systemDb().$executeRawUnsafe('ALTER TABLE mail_messages ADD CONSTRAINT no_mail CHECK (false) NOT VALID');
  await expect(accept()).rejects.toThrow();
  await systemDb().$executeRawUnsafe('ALTER TABLE mail_messages DROP CONSTRAINT no_mail');
  expect([await load(), await trail()]).toEqual(untouched);
  await accept();
  const [first, second] = (await trail()).slice(-2);
  expect([first?.type, second?.type]).toEqual(['guest.address_confirmed', 'reservation.sent']);
  expect((await readLastOutboundMail()).to).toBe('ada@home.example');
  expect(second?.data).toMatchObject({ to: 'ada@home.example' });
});
