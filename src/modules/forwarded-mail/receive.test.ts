import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appSecret, setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { decryptBytes } from '@/infra/encryption';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { updateSource } from '@/modules/sync-sources/host.service';
import { runSource } from '@/modules/sync-sources/run/run';
import { createSyncSource } from '@/modules/sync-sources/service';
import { calendar, details, type FeedServer, startFeedServer } from '@/modules/sync-sources/testing/feed-server';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { emptyDatabase, insertTeam } from '@/testing/team';
import { receiveProviderNotice, receiveRawMail } from './http';
import * as inbox from './inbox.service';
import { MAIL_PURPOSE, receiveMail } from './receive';
import { InboxList } from './schemas';

let scope: Scope;
let time: FakeClock;
let feed: FeedServer;
let property_id: string;
let source_id: string;
let address: string;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  setConfig({
    inbound_domain: 'in.threshold.example',
    inbound_secret: 'the-inbound-secret',
    inbound_authserv_id: 'mx.threshold.example',
    mail_from: 'Threshold <no-reply@threshold.example>',
    resend_inbound_webhook_secret: undefined,
    resend_api_key: undefined,
  });
  await emptyDatabase();
  time = installFakeClock('2026-05-01T12:00:00Z');
  scope = await insertTeam();
  feed = await startFeedServer();
  property_id = (await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul' }))).id;
  const source = await createSyncSource(scope, { property_id, kind: 'forward_email' });
  source_id = source.id;
  address = `${source.inbound_token}@in.threshold.example`;
});
afterEach(async () => {
  setClock(null);
  await feed.close();
});

const db = () => systemDb();
const fixture = (name: string) => new Uint8Array(readFileSync(new URL(`./fixtures/mail/${name}.eml`, import.meta.url)));
const receive = async (name: string) => (await receiveMail(fixture(name), [address]))[0]?.outcome;
const mails = () => db().inboundMail.findMany({ orderBy: { id: 'asc' } });
const rows = () => db().reservation.findMany({ orderBy: { id: 'asc' } });
const day = (text: string) => new Date(`${text}T00:00:00Z`);
const trail = async (id: string) =>
  (await db().trailEntry.findMany({ where: { reservation_id: id }, orderBy: { seq: 'asc' } })).map(({ type }) => type);

async function syncCalendar(
  from: string,
  to: string,
  code: string,
  kind: 'channel_a_ical' | 'channel_b_ical' = 'channel_a_ical',
) {
  feed.serve(calendar([{ uid: 'u1@a', from, to, description: details(code) }]));
  const { id } = await createSyncSource(scope, { property_id, kind, feed_url: feed.url });
  await runSource(scope, id, 'forced');
  return id;
}

describe('a confirmation that the channel vouches for', () => {
  it('becomes a reservation, with trail and event', async () => {
    expect(await receive('channel-b-en-redirected')).toBe('applied');
    const [row] = await rows();
    expect(row).toMatchObject({
      property_id,
      guest_name: 'Jane Doe',
      guest_email: 'jane-doe-9f3k@messages.channel-b.example',
      guest_email_relay: true,
      checkin_date: day('2026-06-01'),
      checkout_date: day('2026-06-05'),
      source: 'channel_b',
      status: 'synced',
      initial_status: 'synced',
      external_source: 'forward_email',
      external_id: 'HA-Q2W3E4',
      sync_source_id: source_id,
      // What the mail is written in is a guess.
      locale: null,
      guest_locale: 'en',
    });
    expect(await trail(row!.id)).toEqual(['reservation.created']);
    expect(await db().event.count({ where: { type: 'reservation.created' } })).toBe(1);
    expect(await mails()).toMatchObject([{ status: 'applied', reason: 'created', reservation_id: row!.id }]);
    const source = await db().syncSource.findUniqueOrThrow({ where: { id: source_id } });
    expect(source).toMatchObject({ last_status: 'ok', last_synced_at: time.now() });
  });

  it('fills in what a calendar had left open, and keeps the calendar’s dates and identity', async () => {
    const calendar_id = await syncCalendar('2026-06-12', '2026-06-15', 'HMABCD2345');
    expect(await receive('channel-a-en-redirected')).toBe('applied');
    const [row, ...others] = await rows();
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      guest_name: 'Jane Doe',
      external_id: 'HMABCD2345',
      sync_source_id: calendar_id,
      version: 2,
    });
    expect(await trail(row!.id)).toEqual(['reservation.created', 'reservation.updated']);
    expect(await mails()).toMatchObject([{ status: 'applied', reason: 'filled_in', reservation_id: row!.id }]);
  });

  it.each([
    [null, null, 'en'],
    [null, 'ja', 'ja'],
    ['fr', null, null],
  ])('guesses no language where %j was said or %j is known', async (locale, guest_locale, after) => {
    await syncCalendar('2026-06-12', '2026-06-15', 'HMABCD2345');
    await db().reservation.updateMany({ data: { locale, guest_locale } });
    await receive('channel-a-en-redirected');
    expect(await rows()).toMatchObject([{ guest_name: 'Jane Doe', locale, guest_locale: after }]);
  });

  it('replaces the placeholder address, and a calendar run afterwards leaves all of it alone', async () => {
    const calendar_id = await syncCalendar('2026-06-01', '2026-06-05', 'HA-Q2W3E4', 'channel_b_ical');
    expect((await rows())[0]?.guest_email).toBeNull();
    await receive('channel-b-en-redirected');
    await db().syncSource.update({ where: { id: calendar_id }, data: { fingerprint: null } });
    await runSource(scope, calendar_id, 'forced');
    expect(await rows()).toMatchObject([
      { guest_email: 'jane-doe-9f3k@messages.channel-b.example', guest_email_relay: true, guest_name: 'Jane Doe' },
    ]);
  });

  it('that came before the calendar is adopted by the calendar, not doubled', async () => {
    await receive('channel-b-en-redirected');
    const calendar_id = await syncCalendar('2026-06-01', '2026-06-05', 'HA-Q2W3E4', 'channel_b_ical');
    expect(await rows()).toMatchObject([{ guest_name: 'Jane Doe', sync_source_id: calendar_id }]);
  });

  it.each<[string, object]>([
    ['signed', { status: 'signed', signed_at: new Date('2026-05-01') }],
    ['redacted', { redacted: true }],
    ['under legal hold', { legal_hold: true }],
  ])('never touches a reservation that is %s', async (_name, data) => {
    await syncCalendar('2026-06-12', '2026-06-15', 'HMABCD2345');
    const { id } = (await rows())[0]!;
    await db().reservation.update({ where: { id }, data });
    const before = JSON.stringify(await rows());
    expect(await receive('channel-a-en-redirected')).toBe('applied');
    expect(JSON.stringify(await rows())).toBe(before);
    expect(await mails()).toMatchObject([{ reason: 'protected', reservation_id: id }]);
  });

  it('keeps a name and an address that a host entered', async () => {
    await syncCalendar('2026-06-01', '2026-06-05', 'HA-Q2W3E4', 'channel_b_ical');
    const { id } = (await rows())[0]!;
    await db().reservation.update({ where: { id }, data: { guest_name: 'Jane D.', guest_email: 'jane@example.com' } });
    await receive('channel-b-en-redirected');
    expect((await rows())[0]).toMatchObject({ guest_name: 'Jane D.', guest_email: 'jane@example.com' });
  });

  it('twice, also at once, is one reservation', async () => {
    const outcomes = await Promise.all([1, 2, 3].map(() => receive('channel-b-en-redirected')));
    expect(outcomes.toSorted()).toEqual(['applied', 'duplicate', 'duplicate']);
    expect(await rows()).toHaveLength(1);
    expect(await mails()).toHaveLength(1);
  });

  it('for a disabled source waits for the host', async () => {
    await updateSource(scope, { id: source_id, enabled: false });
    expect(await receive('channel-b-en-redirected')).toBe('inbox');
    expect(await rows()).toEqual([]);
    expect(await mails()).toMatchObject([{ reason: 'source_disabled' }]);
  });
});

describe('what a host has to look at', () => {
  it.each([
    ['channel-a-spoofed', 'not_verified'],
    ['channel-a-fr-gmail-inline', 'not_verified'],
    ['channel-a-en-attached', 'not_verified'],
    ['channel-a-inquiry', 'not_a_confirmation'],
    ['channel-c-cancelled', 'cancellation'],
    ['form-en', 'unknown_channel'],
    ['form-ambiguous', 'ambiguous_dates'],
    ['channel-a-march-or-tuesday', 'ambiguous_dates'],
    ['channel-a-checkin-only', 'missing_dates'],
    ['newsletter', 'not_a_confirmation'],
  ])('%s waits in the inbox as %s', async (name, reason) => {
    expect(await receive(name)).toBe('inbox');
    expect(await mails()).toMatchObject([{ status: 'inbox', reason, handled_at: null }]);
    expect(await rows()).toEqual([]);
  });

  it.each([
    ['loop', 'loop'],
    ['bounce', 'bounce'],
    ['out-of-office', 'automatic_reply'],
  ])('%s is dismissed, and stays listed', async (name, reason) => {
    expect(await receive(name)).toBe('dismissed');
    expect(await inbox.listInbox(scope, { waiting: true })).toEqual([]);
    expect(await inbox.listInbox(scope, { waiting: false })).toMatchObject([{ reason }]);
  });

  it('bytes that are no mail are not dropped', async () => {
    for (const bytes of [
      [0, 1, 2],
      [13, 10],
    ]) {
      expect((await receiveMail(new Uint8Array(bytes), [address]))[0]?.outcome).toBe('inbox');
    }
    expect(await mails()).toMatchObject([{ reason: 'not_a_confirmation' }, { reason: 'unreadable' }]);
  });

  it('without a trusted server nothing is verified', async () => {
    setConfig({ inbound_authserv_id: undefined });
    expect(await receive('channel-b-en-redirected')).toBe('inbox');
  });

  it('Gmail’s question is shown with its link and code', async () => {
    expect(await receive('gmail-forwarding-confirmation')).toBe('inbox');
    const [entry] = await inbox.listInbox(scope, { waiting: true });
    expect(entry).toMatchObject({ reason: 'forwarding_confirmation' });
    expect(entry?.confirmation?.link).toMatch(/^https:\/\/mail(-settings)?\.google\.com\/mail\/vf-/);
    expect(entry?.confirmation?.code).toMatch(/^\d+$/);
  });

  it('is completed by hand: a new reservation, once', async () => {
    await receive('form-en');
    const [entry] = await inbox.listInbox(scope, { waiting: true });
    const detail = await inbox.retrieveMail(scope, entry!.id);
    expect(detail.text).toContain(entry!.found?.guest_name);
    const form = {
      id: entry!.id,
      guest_name: 'Ada Smith',
      guest_email: 'ada@example.com',
      checkin_date: '2026-06-12',
      checkout_date: '2026-06-14',
      source: 'direct' as const,
      reservation_code: null,
      reservation_id: null,
    };
    const { reservation_id } = await inbox.completeMail(scope, form);
    expect(await rows()).toMatchObject([{ id: reservation_id, guest_name: 'Ada Smith', status: 'synced' }]);
    expect(await mails()).toMatchObject([{ status: 'applied', reason: 'by_host', reservation_id }]);
    await expect(inbox.completeMail(scope, form)).rejects.toMatchObject({ code: 'concurrent_edit' });
    expect(await rows()).toHaveLength(1);
  });

  it('names the property, and every way its dates can be read', async () => {
    await receive('channel-a-march-or-tuesday');
    expect(await inbox.listInbox(scope, { waiting: true })).toMatchObject([
      {
        property_id,
        property_name: 'Casa Azul',
        found: {
          checkin_date: null,
          readings: [
            { checkin_date: '2027-03-05', checkout_date: '2027-03-12' },
            { checkin_date: '2026-05-05', checkout_date: '2026-05-12' },
          ],
        },
      },
    ]);
  });

  it.each([
    ['channel-a-checkin-only', '2026-06-12', '2026-06-16', true],
    ['channel-a-checkin-only', '2026-06-11', '2026-06-16', false],
    ['channel-a-march-or-tuesday', '2026-05-05', '2026-05-12', true],
    ['channel-a-march-or-tuesday', '2026-05-05', '2026-05-11', false],
  ])('%s is offered as a pair with a stay from %s to %s: %s', async (name, from, to, offered) => {
    await receive(name);
    // The calendar may tell of it later than the mail.
    feed.serve(calendar([{ uid: 'u1@a', from, to, summary: 'Reserved' }]));
    const { id } = await createSyncSource(scope, { property_id, kind: 'channel_a_ical', feed_url: feed.url });
    await runSource(scope, id, 'forced');
    const [row] = await rows();
    const [mail] = await inbox.listInbox(scope, { waiting: true });
    const { pairs } = await inbox.retrieveMail(scope, mail!.id);
    const pair = { reservation_id: row!.id, guest_name: 'Guest', checkin_date: from, checkout_date: to };
    expect(pairs).toEqual(offered ? [pair] : []);
    if (!offered) return;
    const values = { guest_name: 'Jane Doe', guest_email: null, source: 'channel_a' as const, reservation_code: null };
    await inbox.completeMail(scope, { ...values, ...pair, id: mail!.id, guest_name: 'Jane Doe' });
    expect(await rows()).toMatchObject([{ guest_name: 'Jane Doe', checkin_date: day(from), checkout_date: day(to) }]);
    expect((await inbox.retrieveMail(scope, mail!.id)).pairs).toEqual([]);
  });

  it('completes the reservation it belongs to', async () => {
    await syncCalendar('2026-06-12', '2026-06-15', 'HMSPOOF001');
    await receive('channel-a-spoofed');
    const [entry] = await inbox.listInbox(scope, { waiting: true });
    expect(entry?.reservation_id).toBe((await rows())[0]?.id);
    await inbox.completeMail(scope, {
      id: entry!.id,
      guest_name: 'Real Guest',
      guest_email: 'real@example.com',
      checkin_date: '2026-06-12',
      checkout_date: '2026-06-15',
      source: 'channel_a',
      reservation_code: 'HMSPOOF001',
      reservation_id: entry!.reservation_id,
    });
    expect(await rows()).toMatchObject([{ guest_name: 'Real Guest', guest_email: 'real@example.com' }]);
  });

  it('a code that the property has already makes no second reservation', async () => {
    await syncCalendar('2026-06-12', '2026-06-15', 'HMSPOOF001');
    await receive('form-en');
    const [entry] = await inbox.listInbox(scope, { waiting: true });
    const form = {
      id: entry!.id,
      guest_name: 'A',
      guest_email: null,
      checkin_date: '2026-06-12',
      checkout_date: '2026-06-15',
      source: 'channel_a' as const,
      reservation_code: 'HMSPOOF001',
      reservation_id: null,
    };
    await expect(inbox.completeMail(scope, form)).rejects.toMatchObject({ param: 'reservation_code' });
    expect((await mails())[0]?.status).toBe('inbox');
  });

  it('that redaction emptied is still in the list', async () => {
    await receive('channel-b-en-redirected');
    await db().inboundMail.updateMany({ data: { raw: null, from_address: null, subject: null, extracted: {} } });
    const listed = InboxList.parse({ data: await inbox.listInbox(scope, { waiting: false }) });
    expect(listed.data).toMatchObject([{ found: null, verified: false, forwarding: null, confirmation: null }]);
  });

  it('is dismissed and taken back; nobody else’s mail is there', async () => {
    await receive('newsletter');
    const { id } = (await mails())[0]!;
    const other = await insertTeam('live', 'other@example.com');
    await expect(inbox.dismissMail(other, id)).rejects.toMatchObject({ code: 'resource_missing' });
    await inbox.dismissMail(scope, id);
    await expect(inbox.dismissMail(scope, id)).rejects.toMatchObject({ code: 'concurrent_edit' });
    expect(await inbox.listInbox(scope, { waiting: true })).toEqual([]);
    await inbox.reopenMail(scope, id);
    expect(await inbox.listInbox(scope, { waiting: true })).toHaveLength(1);
  });
});

describe('mails that came as files', () => {
  const part = (headers: string[], body: string) => [...headers, '', body].join('\r\n');
  const outer = (parts: string[], subject = 'FW: bookings') =>
    new Uint8Array(
      Buffer.from(
        [
          'From: Hanna Host <hanna@host.example>',
          `To: ${address}`,
          `Subject: ${subject}`,
          'Message-ID: <several@host.example>',
          'Date: Fri, 01 May 2026 10:00:00 +0000',
          'MIME-Version: 1.0',
          'Content-Type: multipart/mixed; boundary="mix"',
          '',
          '--mix',
          part(['Content-Type: text/plain; charset=utf-8'], 'See attached.'),
          ...parts.flatMap((one) => ['--mix', one]),
          '--mix--',
          '',
        ].join('\r\n'),
      ),
    );
  const eml = (number: number) =>
    part(
      ['Content-Type: message/rfc822', `Content-Disposition: attachment; filename="booking-${number}.eml"`],
      part(
        [
          'From: "Channel A" <automated@channel-a.example>',
          `Subject: Reservation confirmed - Kim Lee arrives Jul ${number}`,
          `Message-ID: <a-${number}@channel-a.example>`,
          'Date: Fri, 01 May 2026 10:00:00 +0000',
          'Content-Type: text/plain; charset=utf-8',
        ],
        `Check-in\r\nJul ${number}, 2026\r\n\r\nCheckout\r\nJul ${number + 2}, 2026\r\n\r\nConfirmation code\r\nHMATTACH${number}0\r\n`,
      ),
    );
  const outlook = (type: string, name: string) =>
    part(
      [
        `Content-Type: ${type}; name="${name}"`,
        `Content-Disposition: attachment; filename="${name}"`,
        'Content-Transfer-Encoding: base64',
      ],
      '0M8R4KGxGuE=',
    );
  const listed = () => inbox.listInbox(scope, { waiting: true });

  it('are each read, and none twice when the mail comes again', async () => {
    const raw = outer([eml(1), eml(10), eml(20)]);
    expect(await receiveMail(raw, [address])).toMatchObject([{ outcome: 'inbox' }]);
    expect(await receiveMail(raw, [address])).toMatchObject([{ outcome: 'duplicate' }]);
    const rows = (await listed()).reverse();
    expect(rows.map(({ found }) => [found?.checkin_date, found?.reservation_code])).toEqual([
      ['2026-07-01', 'HMATTACH10'],
      ['2026-07-10', 'HMATTACH100'],
      ['2026-07-20', 'HMATTACH200'],
    ]);
    expect(rows.map(({ reason }) => reason)).toEqual(['not_verified', 'not_verified', 'not_verified']);
    // Each is shown as the mail that it is.
    const last = await inbox.retrieveMail(scope, rows[2]?.id ?? '');
    expect(last.text).toContain('HMATTACH200');
    expect(last.text).not.toContain('HMATTACH10\n');
  });

  it('are read up to twenty, and the others named', async () => {
    await receiveMail(outer(Array.from({ length: 23 }, (_, index) => eml(1 + index))), [address]);
    const rows = await listed();
    expect(rows).toHaveLength(20);
    expect(rows.flatMap(({ unread }) => unread)).toEqual(['Reservation confirmed - Kim Lee arrives Jul 21']);
  });

  it.each([
    ['application/vnd.ms-outlook', 'Booking of July.msg'],
    ['application/octet-stream', 'booking.MSG'],
    ['application/ms-tnef', 'winmail.dat'],
    ['application/octet-stream', 'winmail.dat'],
  ])('as %s named %s are named as what cannot be read', async (type, name) => {
    await receiveMail(outer([outlook(type, name)]), [address]);
    expect(await listed()).toMatchObject([{ reason: 'attachment_unread', unread: [name] }]);
  });

  it('that cannot be read are named beside one that can', async () => {
    await receiveMail(outer([eml(1), outlook('application/vnd.ms-outlook', 'second.msg')]), [address]);
    expect(await listed()).toMatchObject([{ reason: 'not_verified', unread: ['second.msg'] }]);
  });

  it('are not what a picture beside them is', async () => {
    await receiveMail(outer([outlook('image/png', 'msg.png')]), [address]);
    expect(await listed()).toMatchObject([{ reason: 'not_a_confirmation', unread: [] }]);
  });
});

describe('what is kept', () => {
  it('the bytes encrypted, without attachments', async () => {
    const secret = Buffer.from('passport scan '.repeat(50)).toString('base64');
    const raw = [
      'From: host@example.com',
      `To: ${address}`,
      'Message-ID: <with-attachment@example.com>',
      'Subject: A booking',
      'Content-Type: multipart/mixed; boundary="b"',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'Guest: Ada',
      '--b',
      'Content-Type: application/pdf; name="id.pdf"',
      'Content-Disposition: attachment; filename="id.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      secret,
      '--b--',
      '',
    ].join('\r\n');
    await receiveMail(new TextEncoder().encode(raw), [address]);
    const [mail] = await mails();
    expect(Buffer.from(mail!.raw!).toString('latin1')).not.toContain('Ada');
    const kept = decryptBytes(appSecret(), MAIL_PURPOSE, mail!.raw!).toString('latin1');
    expect(kept).toContain('Guest: Ada');
    expect(kept).toContain('id.pdf');
    expect(kept).not.toContain(secret.slice(0, 40));
    expect((await inbox.retrieveMail(scope, mail!.id)).text).toContain('Guest: Ada');
  });

  it('of a mail that came as a file its text, without what was attached to it', async () => {
    const scan = Buffer.from('passport scan '.repeat(50)).toString('base64');
    const mail = (boundary: string, part: string) =>
      `From: host@example.com\r\nTo: ${address}\r\nMessage-ID: <${boundary}@example.com>\r\nSubject: A booking\r\nContent-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n--${boundary}\r\nContent-Type: text/plain\r\n\r\nIn ${boundary}.\r\n--${boundary}\r\n${part}\r\n--${boundary}--\r\n`;
    const picture = `Content-Type: image/png; name="id.png"\r\nContent-Disposition: attachment; filename="id.png"\r\nContent-Transfer-Encoding: base64\r\n\r\n${scan}`;
    const inner = Buffer.from(mail('inner', picture)).toString('base64').replace(/.{76}/g, '$&\r\n');
    const file = `Content-Type: application/octet-stream; name="mail.eml"\r\nContent-Disposition: attachment; filename="mail.eml"\r\nContent-Transfer-Encoding: base64\r\n\r\n${inner}`;
    await receiveMail(new TextEncoder().encode(mail('outer', file)), [address]);
    const [stored] = await mails();
    expect((await inbox.retrieveMail(scope, stored!.id)).text).toContain('In inner.');
    const kept = decryptBytes(appSecret(), MAIL_PURPOSE, stored!.raw!).toString('latin1');
    expect(kept).toContain('In outer.');
    const of_file = Buffer.from(
      /\r\n\r\n([A-Za-z0-9+/=\r\n]{200,})\r\n--outer/.exec(kept)?.[1] ?? '',
      'base64',
    ).toString();
    expect(of_file).toContain('id.png');
    expect(of_file).not.toContain(scan.slice(0, 40));
  });

  it('a mail whose bytes are gone is listed without text', async () => {
    await receive('newsletter');
    await db().inboundMail.updateMany({ data: { raw: null } });
    const { id } = (await mails())[0]!;
    expect((await inbox.retrieveMail(scope, id)).text).toBeNull();
  });
});

describe('POST /api/inbound/email', () => {
  const post = (body: Uint8Array | string, options: { secret?: string; to?: string; headers?: object } = {}) =>
    receiveRawMail(
      new Request(`http://localhost/api/inbound/email${options.to ? `?to=${encodeURIComponent(options.to)}` : ''}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${options.secret ?? 'the-inbound-secret'}`, ...options.headers },
        body: body as BodyInit,
      }),
    );

  it('takes a raw message for the envelope’s recipient', async () => {
    const response = await post(fixture('channel-b-en-redirected'), { to: address });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ results: [{ address, outcome: 'applied' }] });
  });

  it('reads the recipient from the message when the envelope is not given', async () => {
    const text = Buffer.from(fixture('channel-b-en-redirected'))
      .toString('latin1')
      .replaceAll(/k7f2m9@in\.threshold\.example/g, address);
    expect((await post(text)).status).toBe(200);
    expect(await rows()).toHaveLength(1);
  });

  it.each<[string, () => Promise<Response>, number]>([
    ['a wrong secret', () => post('x', { secret: 'the-inbound-secre', to: 'a@b' }), 401],
    ['an unknown address', () => post('From: a@b.example\r\n\r\nx', { to: 'nobody@in.threshold.example' }), 404],
    ['another domain', () => post('From: a@b.example\r\n\r\nx', { to: address.replace('in.', 'out.') }), 404],
    ['no body', () => post('', { to: address }), 400],
  ])('refuses %s', async (_name, call, status) => {
    expect((await call()).status).toBe(status);
    expect(await mails()).toEqual([]);
  });

  it('is not there without a secret', async () => {
    setConfig({ inbound_secret: undefined });
    expect((await post('x', { secret: '' })).status).toBe(404);
  });
});

describe('POST /api/inbound/resend', () => {
  const SECRET = `whsec_${Buffer.from('a key of the provider').toString('base64')}`;
  let answers: Record<string, { status: number; body: string | Uint8Array }>;
  let provider: ReturnType<typeof createServer>;
  let base: string;

  beforeEach(async () => {
    answers = {};
    provider = createServer((request, response) => {
      const answer = answers[request.url ?? ''] ?? { status: 404, body: '' };
      response.writeHead(answer.status).end(answer.body);
    });
    await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done));
    base = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    setConfig({ resend_inbound_webhook_secret: SECRET, resend_api_key: 're_test', resend_base_url: base });
    answers['/emails/receiving/em_1'] = {
      status: 200,
      body: JSON.stringify({ raw: { download_url: `${base}/raw/1` } }),
    };
    answers['/raw/1'] = { status: 200, body: fixture('channel-b-en-redirected') };
  });
  afterEach(() => new Promise<void>((done) => void provider.close(() => done())));

  function notice(body: object, sign = true): Request {
    const text = JSON.stringify(body);
    const timestamp = String(Math.floor(time.now().getTime() / 1000));
    const signature = createHmac('sha256', Buffer.from(SECRET.slice(6), 'base64'))
      .update(`msg_1.${timestamp}.${text}`)
      .digest('base64');
    return new Request('http://localhost/api/inbound/resend', {
      method: 'POST',
      headers: { 'svix-id': 'msg_1', 'svix-timestamp': timestamp, 'svix-signature': `v1,${sign ? signature : 'AAAA'}` },
      body: text,
    });
  }
  const received = (to = address) => ({ type: 'email.received', data: { email_id: 'em_1', to: [`Host <${to}>`] } });

  it('fetches the message it tells of; again, it does nothing', async () => {
    const first = await receiveProviderNotice(notice(received()));
    expect([first.status, await first.json()]).toEqual([200, { results: [{ address, outcome: 'applied' }] }]);
    const second = await receiveProviderNotice(notice(received()));
    expect(await second.json()).toEqual({ results: [{ address, outcome: 'duplicate' }] });
    expect(await rows()).toHaveLength(1);
  });

  it('an unsigned notice is refused, another kind of notice and another domain’s mail are passed over', async () => {
    expect((await receiveProviderNotice(notice(received(), false))).status).toBe(401);
    expect((await receiveProviderNotice(notice({ type: 'email.sent', data: {} }))).status).toBe(200);
    expect((await receiveProviderNotice(notice(received('a@elsewhere.example')))).status).toBe(200);
    expect((await receiveProviderNotice(notice({ type: 'email.received', data: {} }))).status).toBe(400);
    expect(await mails()).toEqual([]);
  });

  it('a message that cannot be fetched is told of again', async () => {
    answers['/raw/1'] = { status: 500, body: '' };
    expect((await receiveProviderNotice(notice(received()))).status).toBe(502);
    expect(await mails()).toEqual([]);
  });
});
