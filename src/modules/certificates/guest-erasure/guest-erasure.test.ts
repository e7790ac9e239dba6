/** Tests that erasing a guest finds all data, erases all of it, and leaves nothing half erased. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { deleteProperty } from '@/modules/export-and-deletion/property-deletion.service';
import { encryptMailContent } from '@/modules/mail/content';
import { changeReservationDates } from '@/modules/reservations/change-dates/service';
import { releaseArrivalDetails } from '@/modules/reservations/host.service';
import { correctGuestAndMailUpdatedPacket } from '@/modules/reservations/send';
import { cancelReservation, createReservation, deleteReservation } from '@/modules/reservations/service';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { countTextOccurrencesByTable } from '@/testing/one-row-per-table';
import { clearDatabase, insertSyncSource, insertTeam } from '@/testing/team';
import { setLegalHold } from '../privacy/service';
import { sealCertificate } from '../seal/sealing';
import { insertSealedCertificate, insertSentReservation, signAsGuest, TEST_GUEST } from '../testing/signed';
import type { GuestToEraseQuery } from './schemas';
import * as service from './service';

let scope: Scope;
beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  scope = await insertTeam();
});

const WHO = { name: TEST_GUEST.name, email: TEST_GUEST.email };
const GRACE = { ...TEST_GUEST, name: 'Grace Hopper', email: 'grace@guest.example', ip: '203.0.113.9' };

async function erase(ids?: string[], who: GuestToEraseQuery = WHO) {
  const { matches } = await service.previewErasure(scope, who);
  const reservation_ids = ids ?? matches.map(({ reservation_id }) => reservation_id);
  const { id } = await service.requestErasure(scope, 'user_1', { ...who, reservation_ids, confirm: 'erase' });
  return id;
}

/** Requests an erasure of the given reservations, or of everything found, and completes it. */
async function eraseNow(who: GuestToEraseQuery, ids?: string[]) {
  const id = await erase(ids, who);
  await service.continueErasure(scope, id);
  return service.retrieveErasure(scope, id);
}

/** Inserts a forwarded mail that is not assigned to a reservation. */
async function insertInboxMail(subject: string, from_address: string, extracted: object = {}): Promise<string> {
  const id = newId('inbound_mail');
  const sync_source_id = await insertSyncSource(scope);
  await systemDb().inboundMail.create({
    data: {
      ...{ id, team_id: scope.team_id, mode: scope.mode, sync_source_id, message_id: id, status: 'inbox' },
      ...{ subject, from_address, extracted, received_at: clock().now() },
    },
  });
  return id;
}

const subjectOf = async (id: string) => (await systemDb().inboundMail.findUniqueOrThrow({ where: { id } })).subject;

async function insertLog(error_body: string): Promise<string> {
  const id = newId('request');
  await systemDb().requestLog.create({
    data: {
      ...{ id, team_id: scope.team_id, mode: scope.mode, method: 'POST', path: '/v1/reservations' },
      ...{ status: 400, duration_ms: 1, created_at: clock().now(), error_body },
    },
  });
  return id;
}

/** Inserts a reservation whose guest never received a mail. */
const insertDraft = async (property_id: string, guest_name: string, guest_email: string): Promise<string> => {
  const stay = { checkin_date: '2093-01-01', checkout_date: '2093-01-05', source: 'direct' as const };
  const { row } = await createReservation(scope, { property_id, guest_name, guest_email, ...stay });
  return row.id;
};

/**
 * Inserts a signed, a sent, a cancelled, an expired and an unsent reservation, and an unassigned
 * mail.
 */
async function everyKind() {
  const signed = await insertSealedCertificate(scope);
  const sent = await insertSentReservation(scope);
  const cancelled = await insertSentReservation(scope);
  await cancelReservation(scope, cancelled.reservation_id);
  const expired = await insertSentReservation(scope);
  const at = clock().now();
  const draft = await insertSentReservation(scope);
  const set = (id: string, data: object) => systemDb().reservation.update({ where: { id }, data });
  await set(expired.reservation_id, { status: 'expired', expired_at: at });
  await set(draft.reservation_id, { status: 'draft', sent_at: null, signing_token_hash: null });
  await insertInboxMail(`Booking of ${TEST_GUEST.name}`, TEST_GUEST.email);
  await insertLog(`{"message":"${TEST_GUEST.email} is no guest"}`);
  return { signed, ids: [signed, sent, cancelled, expired, draft].map(({ reservation_id }) => reservation_id) };
}

it('finds every reservation of the guest, whatever its state, and nobody else’s', async () => {
  const { ids } = await everyKind();
  await insertSentReservation(scope, GRACE);
  const found = await service.previewErasure(scope, WHO);
  expect(found.matches.map(({ reservation_id }) => reservation_id).sort()).toEqual([...ids].sort());
  expect(found).toMatchObject({ has_more: false, loose_mails: 1 });
  expect(found.matches.filter(({ signed }) => signed)).toHaveLength(1);
  for (const query of [
    { name: TEST_GUEST.name.toUpperCase(), email: null },
    { name: null, email: TEST_GUEST.email.toUpperCase() },
  ])
    expect((await service.previewErasure(scope, query)).matches).toHaveLength(ids.length);
});

it('leaves nothing of the guest in any table, and a receipt without personal data', async () => {
  const { ids } = await everyKind();
  await insertSentReservation(scope, GRACE);
  const id = await erase();
  await service.continueErasure(scope, id);
  for (const text of [TEST_GUEST.name, TEST_GUEST.email, TEST_GUEST.ip])
    expect(await countTextOccurrencesByTable(text), text).toEqual({});
  expect(await countTextOccurrencesByTable(GRACE.email)).not.toEqual({});
  const receipt = await service.retrieveErasure(scope, id);
  expect(receipt).toMatchObject({
    status: 'done',
    total: ids.length,
    kept: [],
    whole: true,
    counts: { reservations: ids.length, certificates: 1 },
  });
  expect([...receipt.erased].sort()).toEqual([...ids].sort());
  expect(receipt.counts.mails).toBeGreaterThan(0);
  expect(JSON.stringify(receipt)).not.toMatch(/Ada|Lovelace|guest\.example/);
  const left = await systemDb().reservation.findMany({ where: { id: { in: ids } } });
  for (const row of left) {
    expect(row).toMatchObject({ redacted: true, guest_email: null });
    if (!row.signature_id) expect(row.signing_token_hash).toBeNull();
  }
  expect((await service.previewErasure(scope, WHO)).matches).toEqual([]);
});

describe('an erasure keeps', () => {
  it('data under legal hold, and the receipt says so', async () => {
    const { signed, ids } = await everyKind();
    await setLegalHold(scope, signed.signature_id, true);
    expect((await service.previewErasure(scope, WHO)).matches.filter(({ stays }) => stays)).toHaveLength(1);
    const id = await erase();
    await service.continueErasure(scope, id);
    const receipt = await service.retrieveErasure(scope, id);
    expect(receipt).toMatchObject({ status: 'done', whole: false });
    expect(receipt.kept).toEqual([{ reservation_id: signed.reservation_id, reason: 'legal_hold' }]);
    expect(receipt.erased).toHaveLength(ids.length - 1);
    const held = await systemDb().reservation.findUniqueOrThrow({ where: { id: signed.reservation_id } });
    expect(held).toMatchObject({ redacted: false, guest_name: TEST_GUEST.name });
  });

  it('reservations that the host left out, such as a namesake’s', async () => {
    const { ids } = await everyKind();
    const [first = '', ...rest] = ids;
    const id = await erase(rest);
    await service.continueErasure(scope, id);
    expect(await service.retrieveErasure(scope, id)).toMatchObject({ whole: false, total: rest.length });
    const kept = await systemDb().reservation.findUniqueOrThrow({ where: { id: first } });
    expect(kept).toMatchObject({ guest_email: TEST_GUEST.email });
  });

  it('reservations that do not match, so that a wrong id erases nobody else', async () => {
    const { reservation_id } = await insertSentReservation(scope, GRACE);
    await expect(erase([reservation_id])).rejects.toMatchObject({ code: 'resource_missing' });
  });
});

it('continues after a crash, and concurrent runs do nothing twice', async () => {
  const { ids } = await everyKind();
  const id = await erase();
  const whole = await systemDb().guestErasure.findUniqueOrThrow({ where: { id } });
  // Simulates a process that crashed after the first reservation.
  await systemDb().guestErasure.update({ where: { id }, data: { reservation_ids: ids.slice(0, 1) } });
  await service.continueErasure({ ...scope }, id);
  const half = await systemDb().guestErasure.findUniqueOrThrow({ where: { id } });
  await systemDb().guestErasure.update({
    where: { id },
    data: {
      ...{ status: 'running', finished_at: null, subject: whole.subject, reservation_ids: ids },
      ...{ erased_ids: half.erased_ids },
    },
  });
  await Promise.all([service.continueErasures(), service.continueErasures()]);
  const receipt = await service.retrieveErasure(scope, id);
  expect(receipt).toMatchObject({ status: 'done', counts: { reservations: ids.length } });
  expect(receipt.erased).toHaveLength(ids.length);
  expect(await service.continueErasures()).toBe(0);
});

describe('an erasure finds and erases', () => {
  it('the name and address from before a correction, wherever they are', async () => {
    const old = { ...TEST_GUEST, name: 'Konrad Oldname', email: 'konrad.old@guest.example' };
    const { reservation_id } = await insertSentReservation(scope, old);
    const now = { guest_name: 'Konrad Nunmehr', guest_email: 'konrad.new@guest.example' };
    await correctGuestAndMailUpdatedPacket(scope, reservation_id, now);
    await insertInboxMail('Booking of Konrad Oldname', old.email);
    await releaseArrivalDetails(scope, reservation_id, { reason: 'Konni phoned +351900000417' });
    const receipt = await eraseNow({ name: now.guest_name, email: now.guest_email });
    expect(receipt).toMatchObject({ status: 'done', whole: true });
    for (const text of [old.name, old.email, ...Object.values(now), 'Konni', '351900000417'])
      expect(await countTextOccurrencesByTable(text), text).toEqual({});
  });

  it('data left by a deleted property, a force-deleted property and a deleted draft', async () => {
    const signed = await insertSealedCertificate(scope);
    const sent = await insertSentReservation(scope);
    const draft = await insertDraft(sent.property_id, TEST_GUEST.name, TEST_GUEST.email);
    await deleteReservation(scope, draft, null);
    await deleteProperty(scope, signed.property_id, true, null);
    await deleteProperty(scope, sent.property_id, true, null);
    const ids = [signed, sent].map(({ reservation_id }) => reservation_id);
    const { matches } = await service.previewErasure(scope, WHO);
    expect(matches.map(({ reservation_id }) => reservation_id).sort()).toEqual([...ids, draft].sort());
    expect(matches).toContainEqual(expect.objectContaining({ signed: true, checkin_date: null, status: null }));
    const receipt = await eraseNow(WHO);
    expect(receipt).toMatchObject({ whole: true, kept: [], counts: { reservations: 3, certificates: 1 } });
    for (const text of [TEST_GUEST.name, TEST_GUEST.email, TEST_GUEST.ip])
      expect(await countTextOccurrencesByTable(text), text).toEqual({});
  });

  it.each([
    ['İbrahim Çelik', 'İBRAHİM ÇELİK'],
    ['ΝΙΚΟΣ ΜΑΡΚΟΣ', 'νικος μαρκος'],
    ['Straße Müller', 'STRASSE MÜLLER'],
    ['Zoë Quinn', 'ZOE\u0308 QUINN'],
    ['O’Brien "Quote" Back\\slash', 'o’brien "quote" back\\SLASH'],
    ['李小龙', '李小龙'],
    ['Madonna', 'MADONNA'],
  ])('%s, by that name and by %s', async (name, written) => {
    const { property_id } = await insertSentReservation(scope, GRACE);
    const id = await insertDraft(property_id, name, 'someone@guest.example');
    const mail = await insertInboxMail(`Re: ${name}, two nights`, 'relay@channel.example', {
      extraction: { guest_name: name },
    });
    for (const each of [name, written]) {
      const found = await service.previewErasure(scope, { name: each, email: null });
      expect(found).toMatchObject({ matches: [{ reservation_id: id }], loose_mails: 1, mails: [{ id: mail }] });
    }
    expect(await eraseNow({ name: written, email: null })).toMatchObject({ whole: true });
    expect(await subjectOf(mail)).toBeNull();
    expect(await countTextOccurrencesByTable(name)).toEqual({});
  });

  it.each([
    ["Sean O'Brien", 'Sean O’Brien'],
    ['Anna-Lena Meier', 'ANNA‑LENA  MEIER'],
    ['Ada Lovelace', '\u202bAda\u200f \nLove\u00ad\u200blace\u202c'],
    ['IŞIL KAYA', 'Işıl Kaya'],
    ['محمد علي', 'مُحَمَّد علي'],
    ['משה כהן', 'מֹשֶׁה כהן'],
  ])('%s, as mails write it: %j', async (name, written) => {
    const { property_id } = await insertSentReservation(scope, GRACE);
    await insertDraft(property_id, name, 'someone@guest.example');
    const mail = await insertInboxMail(`Re: ${written}, two nights`, 'relay@channel.example');
    const other = await insertInboxMail('Re: राम कुमारी', 'relay@channel.example');
    expect((await service.previewErasure(scope, { name: written, email: null })).matches).toHaveLength(1);
    expect(await eraseNow({ name, email: null })).toMatchObject({ whole: true });
    expect(await subjectOf(mail)).toBeNull();
    expect(await subjectOf(other)).not.toBeNull();
  });

  it('the reservation that this one replaced when the dates were changed', async () => {
    const { reservation_id } = await insertSentReservation(scope);
    const dates = { checkin_date: '2093-01-01', checkout_date: '2093-01-05' };
    const { row } = await changeReservationDates(scope, reservation_id, dates);
    const now = { guest_name: 'Augusta King', guest_email: 'augusta@guest.example' };
    await correctGuestAndMailUpdatedPacket(scope, row.id, now);
    await eraseNow({ name: now.guest_name, email: null }, [row.id]);
    for (const text of [TEST_GUEST.name, TEST_GUEST.email, ...Object.values(now)])
      expect(await countTextOccurrencesByTable(text), text).toEqual({});
  });
});

describe('an erasure never touches', () => {
  it('mail and logs of a guest under legal hold, or of a namesake who was left out', async () => {
    const held = await insertSealedCertificate(scope);
    await setLegalHold(scope, held.signature_id, true);
    const mail = await insertInboxMail(`Booking of ${TEST_GUEST.name}`, TEST_GUEST.email);
    const log = await insertLog(`{"message":"${TEST_GUEST.name}"}`);
    const draft = await insertDraft(held.property_id, TEST_GUEST.name, 'bait@guest.example');
    for (const who of [
      { name: TEST_GUEST.name, email: null },
      { name: null, email: 'bait@guest.example' },
    ]) {
      await systemDb().reservation.update({
        where: { id: draft },
        data: { redacted: false, guest_name: TEST_GUEST.name, guest_email: 'bait@guest.example' },
      });
      await eraseNow(who, [draft]);
      expect(await subjectOf(mail)).toContain(TEST_GUEST.name);
      expect((await systemDb().requestLog.findUniqueOrThrow({ where: { id: log } })).error_body).toContain(
        TEST_GUEST.name,
      );
    }
    // Searching for a part of the name, or for words next to it, does not find the mail.
    for (const name of ['Lovelace', 'Booking of']) {
      expect(await service.previewErasure(scope, { name, email: null })).toMatchObject({ loose_mails: 0 });
      expect(await eraseNow({ name, email: null }, [])).toMatchObject({ whole: false });
      expect(await subjectOf(mail)).toContain(TEST_GUEST.name);
    }
  });

  it('a reservation that was replaced by one under legal hold', async () => {
    const { reservation_id } = await insertSentReservation(scope);
    const dates = { checkin_date: '2093-01-01', checkout_date: '2093-01-05' };
    const { row } = await changeReservationDates(scope, reservation_id, dates);
    const signature_id = await signAsGuest(scope, row.id);
    await sealCertificate(scope, signature_id);
    await setLegalHold(scope, signature_id, true);
    const { matches } = await service.previewErasure(scope, WHO);
    expect(matches.map(({ stays }) => stays)).toEqual(['legal_hold', 'legal_hold']);
    expect(await eraseNow(WHO)).toMatchObject({ whole: false, erased: [] });
    const replaced = await systemDb().reservation.findUniqueOrThrow({ where: { id: reservation_id } });
    expect(replaced).toMatchObject({ redacted: false, guest_email: TEST_GUEST.email });
  });

  it('anything for a text that the preview does not match', async () => {
    const error_body = '{"error":{"type":"invalid_request_error","message":"no"}}';
    const log = await insertLog(error_body);
    const mail = await insertInboxMail('Booking of somebody', 'somebody@channel.example', { verified: true });
    for (const name of ['"type":"invalid_request_error"', 'invalid_request_error', 'ooking o', '"verified": true']) {
      expect(await service.previewErasure(scope, { name, email: null })).toMatchObject({ matches: [], loose_mails: 0 });
      expect(await eraseNow({ name, email: null }, [])).toMatchObject({ whole: false });
    }
    expect(await systemDb().requestLog.findUniqueOrThrow({ where: { id: log } })).toMatchObject({ error_body });
    expect(await subjectOf(mail)).toBe('Booking of somebody');
    // The preview lists the subjects of matching mails.
    const { mails } = await service.previewErasure(scope, { name: 'Booking of', email: null });
    expect(mails).toMatchObject([{ id: mail, subject: 'Booking of somebody' }]);
  });

  it('a longer address or name that contains the erased one', async () => {
    await insertDraft((await insertSentReservation(scope, GRACE)).property_id, 'Ada Love', 'ada@guest.example');
    const mails = [
      await insertInboxMail('Hello', 'not.ada@guest.example'),
      await insertInboxMail('Hello', 'ada@guest.example.org'),
      await insertInboxMail('Booking of Ada Lovelace', 'x@channel.example'),
    ];
    expect(await eraseNow({ name: 'Ada Love', email: 'ada@guest.example' })).toMatchObject({ whole: true });
    for (const mail of mails) expect(await subjectOf(mail)).not.toBeNull();
  });

  it('mail to hosts about calendars and double bookings that does not name the guest', async () => {
    await insertSentReservation(scope);
    const insert = async (name: string) => {
      const id = newId('mail');
      const words = { subject: 'Double booking', html: `<p>${name}</p>`, text: name };
      await systemDb().mailMessage.create({
        data: {
          ...{ id, team_id: scope.team_id, mode: scope.mode, template: 'same_nights', status: 'queued' },
          ...{ to: 'host@host.example', from: 'x@host.example', subject: words.subject },
          ...{ content: encryptMailContent(words), due_at: clock().now(), created_at: clock().now() },
        },
      });
      return id;
    };
    const [own, other] = [
      await insert(`${TEST_GUEST.name} and Somebody Else`),
      await insert('Grace Hopper and Somebody'),
    ];
    await eraseNow(WHO);
    const mailOf = (id: string) => systemDb().mailMessage.findUniqueOrThrow({ where: { id } });
    expect(await mailOf(own)).toMatchObject({ status: 'suppressed', content: null });
    expect(await mailOf(other)).toMatchObject({ status: 'queued', content: expect.anything() });
  });
});
