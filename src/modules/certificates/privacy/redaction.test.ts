/**
 * Tests redaction and legal hold with a real database. The first test searches every column of
 * every table. It fails for a new table with guests' data until the redaction includes the table.
 */

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flushRequestLog } from '@/api/rest/request-log';
import { EMAIL_SAMPLES } from '@/emails/samples';
import { type PublishedEvent, relayEventBatch } from '@/events/relay';
import { systemDb } from '@/infra/db/client';
import { deleteProperty } from '@/modules/export-and-deletion/property-deletion.service';
import { deriveCertificateVerifyToken, deriveLinkToken } from '@/modules/links/urls';
import { isEmailAddressSuppressed } from '@/modules/mail/service';
import { changeReservationDates } from '@/modules/reservations/change-dates/service';
import { releaseArrivalDetails } from '@/modules/reservations/host.service';
import { loadReservation } from '@/modules/reservations/save-transition';
import { deleteDataPastRetention } from '@/modules/retention/service';
import { sendConfirmationCodeMail } from '@/modules/signing/codes';
import { recordGuestPageView } from '@/modules/signing/service';
import { createEndpoint } from '@/modules/webhooks/service';
import { setClock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import { createSystemScope, type Scope } from '@/shared/scope';
import { startTestApiServer, type TestApiServer } from '@/testing/api';
import { installFakeClock } from '@/testing/clock';
import { readLastOutboundMail, suppressEmailAddress } from '@/testing/mail';
import { insertSyncSource } from '@/testing/team';
import { findUnsealedCertificates, sealCertificate } from '../seal/sealing';
import { insertSealedCertificate, insertSentReservation, signAsGuest, TEST_GUEST } from '../testing/signed';
import { writeTemporaryFile } from '../testing/tools';
import { verifySealedFile } from '../verify/file';
import { findSignatureByGuestCopyToken, findSignatureByVerifyToken, verifyCertificate } from '../verify/verification';
import { MAIL_TEMPLATES_NAMING_SEVERAL_GUESTS } from './redaction.repository';
import { recordGuestCertificateCopyVisit, redactCertificate, setLegalHold } from './service';

let api: TestApiServer;
let key: string;
let scope: Scope;

beforeAll(async () => {
  api = await startTestApiServer();
  const team = await api.createTeam();
  key = team.test;
  scope = createSystemScope(team.id, 'test', 'test');
});
afterAll(() => api.close());

/**
 * Returns the `table.column` of every value that contains one of the texts. Also searches binary
 * columns.
 */
async function findAnywhere(texts: readonly string[]): Promise<string[]> {
  const columns = await systemDb().$queryRaw<{ table_name: string; column_name: string; data_type: string }[]>`
    SELECT c.table_name::text, c.column_name::text, c.data_type::text FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' ORDER BY 1, 2`;
  const found: string[] = [];
  for (const { table_name, column_name, data_type } of columns) {
    const text = data_type === 'bytea' ? `encode("${column_name}", 'escape')` : `"${column_name}"::text`;
    const [row] = await systemDb().$queryRawUnsafe<{ n: number }[]>(
      `SELECT count(*)::int AS n FROM "${table_name}" WHERE lower(${text}) LIKE ANY ($1)`,
      texts.map((each) => `%${each.toLowerCase()}%`),
    );
    if (row?.n) found.push(`${table_name}.${column_name}`);
  }
  return found;
}

/** A partner's metadata may be about the guest. */
const NOTE = { note: 'allergic to walnuts' };

/** Returns the hashes of redacted content: of the snapshot, and of each trail entry. */
async function hashesOf(id: string): Promise<string[]> {
  const { content_hash, reservation_id } = await systemDb().signature.findUniqueOrThrow({ where: { id } });
  const entries = await systemDb().trailEntry.findMany({ where: { reservation_id }, orderBy: { seq: 'asc' } });
  return [content_hash, ...entries.map(({ hash }) => hash)];
}

/** Creates records about the guest in webhooks, mails, calendars and logs. */
async function leaveTraces(reservation_id: string, event_id: string) {
  const own = { team_id: scope.team_id, mode: scope.mode };
  const now = new Date();
  await systemDb().reservation.update({ where: { id: reservation_id }, data: { guest_phone_last4: '0417' } });
  await systemDb().webhookDelivery.create({
    data: {
      ...own,
      id: newId('webhook_delivery'),
      event_id,
      endpoint_id: (await createEndpoint(scope, { url: 'https://example.com/hook', events: ['*'] })).row.id,
      event_type: 'reservation.signed',
      attempt_number: 1,
      delivery_began_at: now,
      due_at: now,
      created_at: now,
      response_body_truncated: `stored ${TEST_GUEST.email}`,
    },
  });
  const sync_source_id = await insertSyncSource(scope);
  const mail = {
    ...own,
    sync_source_id,
    received_at: now,
    raw: new Uint8Array([1]),
    from_address: TEST_GUEST.email,
    subject: `Booking of ${TEST_GUEST.name}`,
    extracted: { extraction: { guest_email: TEST_GUEST.email, guest_name: TEST_GUEST.name } },
  };
  const inbound = { id: newId('inbound_mail'), message_id: '1', status: 'applied', reservation_id };
  await systemDb().inboundMail.create({ data: { ...mail, ...inbound } });
  // An unassigned mail about the same guest.
  await systemDb().inboundMail.create({
    data: { ...mail, id: newId('inbound_mail'), message_id: '2', status: 'inbox' },
  });
  await systemDb().syncRun.create({
    data: {
      ...own,
      id: newId('sync_run'),
      sync_source_id,
      trigger: 'forced',
      status: 'succeeded',
      skipped: [{ reason: 'signed', summary: TEST_GUEST.name, reservation_id }],
      started_at: now,
    },
  });
  const would = { what: 'create', reservation_id: null, external_ids: ['a@b'], guest_name: TEST_GUEST.name };
  const question = {
    reason: 'all_gone',
    since: now.toISOString(),
    apply: false,
    would: [{ ...would, checkin_date: '2099-03-01', checkout_date: '2099-03-05' }],
  };
  await systemDb().syncSource.update({ where: { id: sync_source_id }, data: { held: { question } } });
  await systemDb().smsMessage.create({
    data: {
      ...own,
      id: newId('sms_message'),
      reservation_id,
      to: '+351900000417',
      body: `Hi ${TEST_GUEST.name}`,
      created_at: now,
    },
  });
  await suppressEmailAddress(TEST_GUEST.email);
}

describe('redaction', () => {
  it('leaves no name, address or IP of the guest in any column of the database, and keeps the hashes', async () => {
    const written = await api.request<{ id: string }>('POST', '/properties', {
      key,
      body: { name: 'Harbour Loft' },
      headers: { 'Idempotency-Key': 'p1' },
    });
    const dates = { checkin_date: '2099-03-01', checkout_date: '2099-03-05' };
    const body = {
      property_id: written.body.id,
      guest_name: TEST_GUEST.name,
      guest_email: TEST_GUEST.email,
      metadata: NOTE,
      ...dates,
    };
    const headers = { 'Idempotency-Key': 'r1' };
    const created = await api.request<{ id: string }>('POST', '/reservations', { key, body, headers });
    const reservation_id = created.body.id;
    await api.request('POST', `/reservations/${reservation_id}/send`, { key, headers: { 'Idempotency-Key': 's1' } });
    // A partner's mistake puts the address into a path, which the request log contains.
    await api.request('GET', `/reservations/${encodeURIComponent(TEST_GUEST.email)}`, { key });
    await sendConfirmationCodeMail(
      scope,
      await loadReservation(scope, reservation_id),
      'signing',
      TEST_GUEST.email,
      'en',
    );
    const packet = { arrival_details: { door_code: '4711#' }, arrival_release: { door_code: 'after_signing' } };
    await api.request('PATCH', `/properties/${written.body.id}/packet`, { key, body: packet });
    await releaseArrivalDetails(scope, reservation_id, { reason: `${TEST_GUEST.name} lands at six` });
    // The packet changed after sending. The guest signs the displayed version.
    const signature_id = await signAsGuest(scope, reservation_id);
    await api.request('DELETE', `/reservations/${reservation_id}`, { key });
    await sealCertificate(scope, signature_id);
    const published: PublishedEvent[] = [];
    while ((await relayEventBatch(async (events) => void published.push(...events))) > 0);
    const signed = await systemDb().event.findFirstOrThrow({ where: { type: 'reservation.signed' } });
    await leaveTraces(reservation_id, signed.id);
    await flushRequestLog();

    const needles = [
      NOTE.note,
      TEST_GUEST.name,
      TEST_GUEST.email,
      encodeURIComponent(TEST_GUEST.email),
      TEST_GUEST.ip,
      TEST_GUEST.user_agent,
      '351900000417',
    ];
    const before = await findAnywhere(needles);
    // Before the redaction, the search finds the guest in each of these columns.
    expect(before).toEqual(
      expect.arrayContaining([
        'events.body',
        'guest_codes.email',
        'idempotency_records.response_body',
        'inbound_mails.extracted',
        'mail_messages.to',
        'request_logs.path',
        'reservations.arrival_release_override_reason',
        'reservations.guest_email',
        'reservations.guest_name',
        'reservations.metadata',
        'signatures.signed_ip',
        'signatures.signer_name',
        'sms_messages.body',
        'snapshots.canonical',
        'sync_runs.skipped',
        'sync_sources.held',
        'trail_entries.data',
        'trail_entries.ip',
        'trail_entries.user_agent',
        'webhook_deliveries.response_body_truncated',
      ]),
    );
    const hashes = await hashesOf(signature_id);
    expect(hashes.length).toBeGreaterThan(6);
    expect(await findAnywhere(hashes)).toEqual(
      expect.arrayContaining([
        'events.body',
        'signatures.content_hash',
        'snapshots.content_hash',
        'trail_entries.data',
      ]),
    );
    const head = await redactCertificate(scope, signature_id);
    expect(await findAnywhere(needles)).toEqual([]);
    // The suppression is kept, because it applies to all teams and the mail provider reported it.
    expect(await isEmailAddressSuppressed(scope, TEST_GUEST.email)).toBe(true);
    // The hashes are gone, so nobody can use them to confirm a guessed name.
    expect(await findAnywhere(hashes)).toEqual([]);

    const kept = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
    expect(kept).toMatchObject({ photo: null, pdf: null, drawn_signature: null, content_hash: head.content_hash });
    expect(kept.pdf_sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await systemDb().inboundMail.count({ where: { raw: { not: null } } })).toBe(0);
    expect(await systemDb().reservation.findUniqueOrThrow({ where: { id: reservation_id } })).toMatchObject({
      redacted: true,
      guest_phone_last4: null,
      status: 'signed',
    });
    // The durable engine stores its input. The input never contained the guest's data.
    expect(published).toHaveLength(1);
    expect(JSON.stringify(published)).toContain(signature_id);
    for (const needle of needles) expect(JSON.stringify(published)).not.toContain(needle);

    // Opening an old link, and redacting again, restore no data.
    const guest: Scope = { ...scope, actor: { kind: 'guest' } };
    await recordGuestPageView(guest, reservation_id, { ip: TEST_GUEST.ip, user_agent: TEST_GUEST.user_agent });
    await redactCertificate(scope, signature_id);
    expect(await findAnywhere(needles)).toEqual([]);
  });

  it('shows in the API as 410 for downloads, an intact trail and a reservation with placeholders', async () => {
    const { signature_id, reservation_id } = await insertSealedCertificate(scope);
    expect((await api.request('GET', `/certificates/${signature_id}/download`, { key })).status).toBe(302);
    const events_before = await systemDb().event.count();
    await redactCertificate(scope, signature_id);
    const download = await api.request<{ error: { code: string } }>('GET', `/certificates/${signature_id}/download`, {
      key,
    });
    expect(download.status).toBe(410);
    expect(download.body.error.code).toBe('certificate_redacted');
    const { body } = await api.request<{
      redacted: boolean;
      audit_trail: { snapshot: null; entries: { type: string }[] };
    }>('GET', `/certificates/${signature_id}`, { key });
    expect(body).toMatchObject({ redacted: true, pdf_available: false, audit_trail: { snapshot: null } });
    expect(body.audit_trail.entries.at(-1)?.type).toBe('certificate.redacted');
    const reservation = await api.request('GET', `/reservations/${reservation_id}`, { key });
    expect(reservation.body).toMatchObject({
      guest_name: 'Redacted guest',
      guest_email: `unknown+${reservation_id}@guest.invalid`,
      redacted: true,
    });
    const holder = await findSignatureByVerifyToken(deriveCertificateVerifyToken(signature_id));
    if (!holder) throw new Error('The verify token opens nothing.');
    expect(await verifyCertificate(holder)).toMatchObject({
      content: 'redacted',
      chain: { ok: true },
      seal: { state: 'removed' },
    });
    const told = await systemDb().event.findMany({ skip: events_before, orderBy: { sequence: 'asc' } });
    expect(told.map(({ body }) => JSON.parse(body))).toMatchObject([
      {
        type: 'reservation.updated',
        data: { object: { ...(reservation.body as object) }, previous_attributes: { redacted: false } },
      },
    ]);
    expect(JSON.parse(told[0]?.body ?? '').data.previous_attributes).toEqual({ redacted: false });
  });

  it('keeps hashes that only the holder of the PDF can recompute, and the chain’s links', async () => {
    const { signature_id, reservation_id } = await insertSealedCertificate(scope);
    const { pdf } = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
    const [content_hash = '', ...hashes] = await hashesOf(signature_id);
    const file = writeTemporaryFile('kept.pdf', pdf ?? '');
    await redactCertificate(scope, signature_id);
    const sha256 = (...parts: (string | Uint8Array)[]) => {
      const hash = createHash('sha256');
      for (const part of parts) hash.update(part);
      return hash.digest();
    };
    // The computation that docs/verify-content-hash.md describes.
    const key = sha256('redacted\0', pdf ?? '');
    const left = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
    expect(left.content_hash).toBe(sha256(key, content_hash).toString('hex'));
    const entries = await systemDb().trailEntry.findMany({ where: { reservation_id }, orderBy: { seq: 'asc' } });
    expect(entries.slice(0, -1).map(({ hash }) => hash)).toEqual(
      hashes.map((hash) => sha256(key, hash).toString('hex')),
    );
    expect(await verifySealedFile(file)).toMatchObject({ ok: true, record: { redacted: true, chain: { ok: true } } });
    // The sequence number of the last sealed entry.
    const seq = entries.find(({ type }) => type === 'reservation.signed')?.seq ?? 0;
    const other = 'f'.repeat(64);
    await systemDb().trailEntry.updateMany({ where: { reservation_id, seq }, data: { hash: other } });
    await systemDb().trailEntry.updateMany({ where: { reservation_id, seq: seq + 1 }, data: { prev_hash: other } });
    expect(await verifySealedFile(file)).toMatchObject({
      ok: false,
      record: { chain: { ok: false, reason: 'anchor' } },
    });
  });

  it('does not affect other guests, nor another stay with the same address', async () => {
    const other = await insertSealedCertificate(scope, {
      ...TEST_GUEST,
      name: 'Grace Hopper',
      email: 'grace@guest.example',
    });
    const again = await insertSealedCertificate(scope);
    const { signature_id } = await insertSealedCertificate(scope);
    await suppressEmailAddress(TEST_GUEST.email);
    const own = { team_id: scope.team_id, mode: scope.mode };
    const extracted = { extraction: { guest_email: TEST_GUEST.email } };
    await systemDb().inboundMail.create({
      data: {
        ...own,
        id: newId('inbound_mail'),
        sync_source_id: await insertSyncSource(scope),
        message_id: 'again',
        status: 'applied',
        reservation_id: again.reservation_id,
        extracted,
        received_at: new Date(),
      },
    });
    const response_body = JSON.stringify({
      id: again.reservation_id,
      guest_name: TEST_GUEST.name,
      guest_email: TEST_GUEST.email,
    });
    const kept = { request_hash: 'x', status: 200, created_at: new Date(), expires_at: new Date(Date.now() + 60_000) };
    await systemDb().idempotencyRecord.create({ data: { ...own, ...kept, key: 'again', response_body } });
    await redactCertificate(scope, signature_id);
    expect(await systemDb().inboundMail.findFirst({ where: { message_id: 'again' } })).toMatchObject({ extracted });
    expect(await systemDb().idempotencyRecord.findFirst({ where: { key: 'again' } })).toMatchObject({ response_body });
    expect((await systemDb().signature.findUniqueOrThrow({ where: { id: other.signature_id } })).signer_name).toBe(
      'Grace Hopper',
    );
    const { row } = await loadReservation(scope, again.reservation_id);
    expect(row).toMatchObject({ guest_name: TEST_GUEST.name, guest_email: TEST_GUEST.email, redacted: false });
    expect(await isEmailAddressSuppressed(scope, TEST_GUEST.email)).toBe(true);
  });

  it('includes the reservations that were replaced after a change of dates', async () => {
    const guest = { ...TEST_GUEST, name: 'Mary Somerville', email: 'mary.somerville@guest.example' };
    const { reservation_id: first } = await insertSentReservation(scope, guest);
    const as_guest: Scope = { ...scope, actor: { kind: 'guest' } };
    await recordGuestPageView(as_guest, first, { ip: '203.0.113.99', user_agent: 'MarysPhone' });
    const dates = { checkin_date: '2093-01-01', checkout_date: '2093-01-05' };
    const { row: second } = await changeReservationDates(scope, first, dates);
    const { row: third } = await changeReservationDates(scope, second.id, { ...dates, checkout_date: '2093-01-06' });
    const signature_id = await signAsGuest(scope, third.id, guest);
    await sealCertificate(scope, signature_id);
    await redactCertificate(scope, signature_id);
    expect(await findAnywhere([guest.name, guest.email, '203.0.113.99', 'MarysPhone'])).toEqual([]);
    expect(
      await systemDb().reservation.count({ where: { redacted: true, id: { in: [first, second.id, third.id] } } }),
    ).toBe(3);
  });

  it('of an unsealed certificate cancels its sealing', async () => {
    const { reservation_id } = await insertSentReservation(scope);
    const signature_id = await signAsGuest(scope, reservation_id);
    await redactCertificate(scope, signature_id);
    expect(await sealCertificate(scope, signature_id)).toBe('unchanged');
    const time = installFakeClock(new Date(Date.now() + 600_000).toISOString());
    expect((await findUnsealedCertificates(50)).map((unsealed) => unsealed.signature_id)).not.toContain(signature_id);
    expect(time.now()).toBeDefined();
    setClock(null);
  });

  it('includes a certificate whose property and reservation were deleted', async () => {
    const { signature_id, property_id, reservation_id } = await insertSealedCertificate(scope, {
      ...TEST_GUEST,
      name: 'Katherine Johnson',
      email: 'kj@guest.example',
    });
    await deleteProperty(scope, property_id, true, null);
    await redactCertificate(scope, signature_id);
    expect(await findAnywhere(['Katherine Johnson', 'kj@guest.example'])).toEqual([]);
    expect(await systemDb().trailEntry.count({ where: { reservation_id, hash: { not: '' } } })).toBeGreaterThan(4);
  });
});

it('redaction reaches every mail to owners that names guests', async () => {
  const settings = { locale: 'en', app_url: 'https://threshold.example', now: new Date('2026-07-01T10:00:00Z') };
  const naming: string[] = [];
  for (const [name, { audience, render }] of Object.entries(EMAIL_SAMPLES)) {
    const { html, subject } = await render(settings);
    if (audience === 'owner' && /Lovelace|Hopper/.test(html + subject)) naming.push(name);
  }
  // Mails of the templates `guest_reply` and `late_alert` are about one reservation and contain its
  // id, so the redaction finds them by that id.
  expect(naming.sort()).toEqual([...MAIL_TEMPLATES_NAMING_SEVERAL_GUESTS, 'guest_reply', 'late_alert'].sort());
});

describe('legal hold', () => {
  it('refuses redaction and deletion, even forced, until it is lifted; the trail records both changes', async () => {
    const { signature_id, reservation_id, property_id } = await insertSealedCertificate(scope);
    expect((await setLegalHold(scope, signature_id, true)).legal_hold).toBe(true);
    await expect(redactCertificate(scope, signature_id)).rejects.toMatchObject({ code: 'legal_hold' });
    await expect(deleteProperty(scope, property_id, true, null)).rejects.toMatchObject({ code: 'legal_hold' });
    expect((await loadReservation(scope, reservation_id)).row).toMatchObject({
      legal_hold: true,
      guest_name: TEST_GUEST.name,
    });
    await setLegalHold(scope, signature_id, false);
    await redactCertificate(scope, signature_id);
    const types = (await systemDb().trailEntry.findMany({ where: { reservation_id }, orderBy: { seq: 'asc' } })).map(
      ({ type }) => type,
    );
    expect(types.slice(-3)).toEqual(['legal_hold.set', 'legal_hold.lifted', 'certificate.redacted']);
  });

  it('keeps data that retention would delete, even when the reservation itself was deleted', async () => {
    const held = await insertSealedCertificate(scope);
    const free = await insertSealedCertificate(scope);
    await deleteProperty(scope, held.property_id, true, null);
    await setLegalHold(scope, held.signature_id, true);
    const contents = (reservation_id: string) => readLastOutboundMail({ reservation_id, template: 'packet' });
    installFakeClock(new Date(Date.now() + 400 * 86_400_000).toISOString());
    await deleteDataPastRetention();
    setClock(null);
    expect((await contents(held.reservation_id)).text).toContain('Ada');
    expect((await contents(free.reservation_id)).text).toBe('');
  });

  it('and a concurrent redaction: exactly one of them succeeds', async () => {
    const { signature_id } = await insertSealedCertificate(scope);
    await Promise.allSettled([setLegalHold(scope, signature_id, true), redactCertificate(scope, signature_id)]);
    const row = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
    if (row.legal_hold && row.redacted_at) {
      // If both calls succeeded, the hold was set after the redaction.
      const trail = await systemDb().trailEntry.findMany({
        where: { reservation_id: row.reservation_id },
        orderBy: { seq: 'asc' },
      });
      expect(trail.slice(-2).map(({ type }) => type)).toEqual(['certificate.redacted', 'legal_hold.set']);
    } else {
      expect(row.legal_hold).toBe(true);
      expect(row.signer_name).toBe(TEST_GUEST.name);
    }
  });
});

it('a copy opened just before a redaction leaves no trace after it', async () => {
  const { reservation_id, signature_id } = await insertSealedCertificate(scope);
  const holder = await findSignatureByGuestCopyToken(deriveLinkToken('copy', signature_id));
  if (!holder) throw new Error('There is no copy.');
  await redactCertificate(scope, signature_id);
  await recordGuestCertificateCopyVisit(holder, { ip: TEST_GUEST.ip, user_agent: TEST_GUEST.user_agent });
  const entries = await systemDb().trailEntry.findMany({ where: { reservation_id }, orderBy: { seq: 'asc' } });
  expect(entries.at(-1)?.type).toBe('certificate.redacted');
  expect(JSON.stringify(entries)).not.toContain(TEST_GUEST.ip);
});
