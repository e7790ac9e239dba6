import { describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { updateSyncSource } from '@/modules/sync-sources/host.service';
import { runSyncOfSource } from '@/modules/sync-sources/run/run';
import { createSyncSource } from '@/modules/sync-sources/service';
import { renderTestCalendarFeed } from '@/modules/sync-sources/testing/feed-server';
import { insertTeam } from '@/testing/team';
import * as inbox from './inbox.service';
import { receiveMail } from './receive';
import { ForwardedMailList } from './schemas';
import {
  fakeClock,
  feedServer,
  forwarding_address,
  getTestDb,
  listInboundMails,
  listReservations,
  listTrailEntryTypesOfReservation,
  parseDayAsUtcMidnight,
  property_id,
  readFixtureMail,
  receiveFixtureMail,
  scope,
  setUpForwardedMailTests,
  source_id,
  syncCalendarWithOneBooking,
} from './testing/mail-test-context';

setUpForwardedMailTests();

describe('a confirmation verified as the channel’s', () => {
  it('creates a reservation, with trail and event', async () => {
    expect(await receiveFixtureMail('channel-b-en-redirected')).toBe('applied');
    const [row] = await listReservations();
    expect(row).toMatchObject({
      property_id,
      guest_name: 'Jane Doe',
      guest_email: 'jane-doe-9f3k@messages.channel-b.example',
      guest_email_relay: true,
      checkin_date: parseDayAsUtcMidnight('2026-06-01'),
      checkout_date: parseDayAsUtcMidnight('2026-06-05'),
      source: 'channel_b',
      status: 'synced',
      initial_status: 'synced',
      external_source: 'forward_email',
      external_id: 'HA-Q2W3E4',
      sync_source_id: source_id,
      // The guest's language is stored as a guess, not as the guest's choice.
      locale: null,
      guest_locale: 'en',
    });
    expect(await listTrailEntryTypesOfReservation(row!.id)).toEqual(['reservation.created']);
    expect(await getTestDb().event.count({ where: { type: 'reservation.created' } })).toBe(1);
    expect(await listInboundMails()).toMatchObject([{ status: 'applied', reason: 'created', reservation_id: row!.id }]);
    const source = await getTestDb().syncSource.findUniqueOrThrow({ where: { id: source_id } });
    expect(source).toMatchObject({ last_status: 'ok', last_synced_at: fakeClock.now() });
  });

  it('fills in what a calendar left open, and keeps the calendar’s dates and identity', async () => {
    const calendar_id = await syncCalendarWithOneBooking('2026-06-12', '2026-06-15', 'HMABCD2345');
    expect(await receiveFixtureMail('channel-a-en-redirected')).toBe('applied');
    const [row, ...others] = await listReservations();
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      guest_name: 'Jane Doe',
      external_id: 'HMABCD2345',
      sync_source_id: calendar_id,
      version: 2,
    });
    expect(await listTrailEntryTypesOfReservation(row!.id)).toEqual(['reservation.created', 'reservation.updated']);
    expect(await listInboundMails()).toMatchObject([
      { status: 'applied', reason: 'filled_in', reservation_id: row!.id },
    ]);
  });

  it.each([
    [null, null, 'en'],
    [null, 'ja', 'ja'],
    ['fr', null, null],
  ])('sets no language when locale %j or guest locale %j is known', async (locale, guest_locale, after) => {
    await syncCalendarWithOneBooking('2026-06-12', '2026-06-15', 'HMABCD2345');
    await getTestDb().reservation.updateMany({ data: { locale, guest_locale } });
    await receiveFixtureMail('channel-a-en-redirected');
    expect(await listReservations()).toMatchObject([{ guest_name: 'Jane Doe', locale, guest_locale: after }]);
  });

  it('replaces the placeholder address, and a later calendar run does not overwrite it', async () => {
    const calendar_id = await syncCalendarWithOneBooking('2026-06-01', '2026-06-05', 'HA-Q2W3E4', 'channel_b_ical');
    expect((await listReservations())[0]?.guest_email).toBeNull();
    await receiveFixtureMail('channel-b-en-redirected');
    await getTestDb().syncSource.update({ where: { id: calendar_id }, data: { fingerprint: null } });
    await runSyncOfSource(scope, calendar_id, 'forced');
    expect(await listReservations()).toMatchObject([
      { guest_email: 'jane-doe-9f3k@messages.channel-b.example', guest_email_relay: true, guest_name: 'Jane Doe' },
    ]);
  });

  it('received before the calendar is adopted by the calendar, not duplicated', async () => {
    await receiveFixtureMail('channel-b-en-redirected');
    const calendar_id = await syncCalendarWithOneBooking('2026-06-01', '2026-06-05', 'HA-Q2W3E4', 'channel_b_ical');
    expect(await listReservations()).toMatchObject([{ guest_name: 'Jane Doe', sync_source_id: calendar_id }]);
  });

  it.each<[string, object]>([
    ['signed', { status: 'signed', signed_at: new Date('2026-05-01') }],
    ['redacted', { redacted: true }],
    ['under legal hold', { legal_hold: true }],
  ])('never changes a reservation that is %s', async (_name, data) => {
    await syncCalendarWithOneBooking('2026-06-12', '2026-06-15', 'HMABCD2345');
    const { id } = (await listReservations())[0]!;
    await getTestDb().reservation.update({ where: { id }, data });
    const before = JSON.stringify(await listReservations());
    expect(await receiveFixtureMail('channel-a-en-redirected')).toBe('applied');
    expect(JSON.stringify(await listReservations())).toBe(before);
    expect(await listInboundMails()).toMatchObject([{ reason: 'protected', reservation_id: id }]);
  });

  it('about a guest who was erased is noted without its text', async () => {
    await syncCalendarWithOneBooking('2026-06-12', '2026-06-15', 'HMABCD2345');
    await getTestDb().reservation.updateMany({ data: { redacted: true } });
    expect(await receiveFixtureMail('channel-a-en-redirected')).toBe('applied');
    const [mail] = await listInboundMails();
    expect(mail).toMatchObject({ reason: 'protected', raw: null, subject: null, from_address: null });
    expect(JSON.stringify(mail)).not.toContain('Jane');
    expect(await receiveFixtureMail('channel-a-en-redirected')).toBe('duplicate');
  });

  it('does not overwrite a name and an address that a host entered', async () => {
    await syncCalendarWithOneBooking('2026-06-01', '2026-06-05', 'HA-Q2W3E4', 'channel_b_ical');
    const { id } = (await listReservations())[0]!;
    await getTestDb().reservation.update({
      where: { id },
      data: { guest_name: 'Jane D.', guest_email: 'jane@example.com' },
    });
    await receiveFixtureMail('channel-b-en-redirected');
    expect((await listReservations())[0]).toMatchObject({ guest_name: 'Jane D.', guest_email: 'jane@example.com' });
  });

  it('received several times, also at once, creates one reservation', async () => {
    const outcomes = await Promise.all([1, 2, 3].map(() => receiveFixtureMail('channel-b-en-redirected')));
    expect(outcomes.toSorted()).toEqual(['applied', 'duplicate', 'duplicate']);
    expect(await listReservations()).toHaveLength(1);
    expect(await listInboundMails()).toHaveLength(1);
  });

  it('for a disabled source waits for the host', async () => {
    await updateSyncSource(scope, { id: source_id, enabled: false });
    expect(await receiveFixtureMail('channel-b-en-redirected')).toBe('inbox');
    expect(await listReservations()).toEqual([]);
    expect(await listInboundMails()).toMatchObject([{ reason: 'source_disabled' }]);
  });
});

describe('a mail for the host’s inbox', () => {
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
  ])('like %s waits in the inbox as %s', async (name, reason) => {
    expect(await receiveFixtureMail(name)).toBe('inbox');
    expect(await listInboundMails()).toMatchObject([{ status: 'inbox', reason, handled_at: null }]);
    expect(await listReservations()).toEqual([]);
  });

  it.each([
    ['loop', 'loop'],
    ['bounce', 'bounce'],
    ['out-of-office', 'automatic_reply'],
  ])('like %s is dismissed, and stays listed', async (name, reason) => {
    expect(await receiveFixtureMail(name)).toBe('dismissed');
    expect(await inbox.listInboxMails(scope, { waiting: true })).toEqual([]);
    expect(await inbox.listInboxMails(scope, { waiting: false })).toMatchObject([{ reason }]);
  });

  it('may consist of bytes that are not a mail', async () => {
    for (const bytes of [
      [0, 1, 2],
      [13, 10],
    ]) {
      expect((await receiveMail(new Uint8Array(bytes), [forwarding_address]))[0]?.outcome).toBe('inbox');
    }
    expect(await listInboundMails()).toMatchObject([{ reason: 'not_a_confirmation' }, { reason: 'unreadable' }]);
  });

  it('is any mail when no server is trusted', async () => {
    setConfig({ inbound_authserv_id: undefined });
    expect(await receiveFixtureMail('channel-b-en-redirected')).toBe('inbox');
  });

  it('from Gmail’s forwarding confirmation shows the link and code', async () => {
    expect(await receiveFixtureMail('gmail-forwarding-confirmation')).toBe('inbox');
    const [entry] = await inbox.listInboxMails(scope, { waiting: true });
    expect(entry).toMatchObject({ reason: 'forwarding_confirmation' });
    expect(entry?.confirmation?.link).toMatch(/^https:\/\/mail(-settings)?\.google\.com\/mail\/vf-/);
    expect(entry?.confirmation?.code).toMatch(/^\d+$/);
  });

  it('is completed by hand into one new reservation', async () => {
    await receiveFixtureMail('form-en');
    const [entry] = await inbox.listInboxMails(scope, { waiting: true });
    const detail = await inbox.retrieveForwardedMail(scope, entry!.id);
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
    const { reservation_id } = await inbox.completeReservationFromMail(scope, form);
    expect(await listReservations()).toMatchObject([{ id: reservation_id, guest_name: 'Ada Smith', status: 'synced' }]);
    expect(await listInboundMails()).toMatchObject([{ status: 'applied', reason: 'by_host', reservation_id }]);
    await expect(inbox.completeReservationFromMail(scope, form)).rejects.toMatchObject({ code: 'concurrent_edit' });
    expect(await listReservations()).toHaveLength(1);
  });

  it('includes the property and every possible reading of its dates', async () => {
    await receiveFixtureMail('channel-a-march-or-tuesday');
    expect(await inbox.listInboxMails(scope, { waiting: true })).toMatchObject([
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
  ])('(%s) is offered as a pair with a stay from %s to %s: %s', async (name, from, to, offered) => {
    await receiveFixtureMail(name);
    // The calendar lists the booking after the mail has arrived.
    feedServer.serve(renderTestCalendarFeed([{ uid: 'u1@a', from, to, summary: 'Reserved' }]));
    const { id } = await createSyncSource(scope, { property_id, kind: 'channel_a_ical', feed_url: feedServer.url });
    await runSyncOfSource(scope, id, 'forced');
    const [row] = await listReservations();
    const [mail] = await inbox.listInboxMails(scope, { waiting: true });
    const { pairs } = await inbox.retrieveForwardedMail(scope, mail!.id);
    const pair = { reservation_id: row!.id, guest_name: 'Guest', checkin_date: from, checkout_date: to };
    expect(pairs).toEqual(offered ? [pair] : []);
    if (!offered) return;
    const values = { guest_name: 'Jane Doe', guest_email: null, source: 'channel_a' as const, reservation_code: null };
    await inbox.completeReservationFromMail(scope, { ...values, ...pair, id: mail!.id, guest_name: 'Jane Doe' });
    expect(await listReservations()).toMatchObject([
      { guest_name: 'Jane Doe', checkin_date: parseDayAsUtcMidnight(from), checkout_date: parseDayAsUtcMidnight(to) },
    ]);
    expect((await inbox.retrieveForwardedMail(scope, mail!.id)).pairs).toEqual([]);
  });

  it('completes the reservation that it belongs to', async () => {
    await syncCalendarWithOneBooking('2026-06-12', '2026-06-15', 'HMSPOOF001');
    await receiveFixtureMail('channel-a-spoofed');
    const [entry] = await inbox.listInboxMails(scope, { waiting: true });
    expect(entry?.reservation_id).toBe((await listReservations())[0]?.id);
    await inbox.completeReservationFromMail(scope, {
      id: entry!.id,
      guest_name: 'Real Guest',
      guest_email: 'real@example.com',
      checkin_date: '2026-06-12',
      checkout_date: '2026-06-15',
      source: 'channel_a',
      reservation_code: 'HMSPOOF001',
      reservation_id: entry!.reservation_id,
    });
    expect(await listReservations()).toMatchObject([{ guest_name: 'Real Guest', guest_email: 'real@example.com' }]);
  });

  describe('with a booking number', () => {
    const relay = 'asmith.482193@guest.channel-c.example';
    const written = (name: string, put: (text: string) => string) =>
      receiveMail(new TextEncoder().encode(put(new TextDecoder().decode(readFixtureMail(name)))), [forwarding_address]);
    const closed = () =>
      renderTestCalendarFeed([
        { uid: 'c1@c', from: '2026-06-12', to: '2026-06-14', summary: 'CLOSED - Not available' },
      ]);
    async function calendarsGuest() {
      feedServer.serve(closed());
      const { id } = await createSyncSource(scope, { property_id, kind: 'channel_c_ical', feed_url: feedServer.url });
      await runSyncOfSource(scope, id, 'forced');
      return { calendar_id: id, reservation_id: (await listReservations())[0]!.id };
    }
    const complete = async (mail_id: string, reservation_id: string, over: object = {}) =>
      inbox.completeReservationFromMail(scope, {
        id: mail_id,
        guest_name: 'Ada Smith',
        guest_email: relay,
        checkin_date: '2026-06-12',
        checkout_date: '2026-06-14',
        source: 'channel_c',
        reservation_code: '3456789012',
        reservation_id,
        ...over,
      });

    it('gives the number and the relay address to the reservation, and later mails match it', async () => {
      const { calendar_id, reservation_id } = await calendarsGuest();
      // The cancellation arrives before its reservation has a code. The confirmation contains no
      // check-out date.
      await written('channel-c-cancelled', (text) => text.replace('<c-x@', '<c-early@').replace(/^Check-.*$/gm, ''));
      await written('channel-c-en-redirected', (text) => text.replace(/^Check-out.*$/m, ''));
      const [early, entry] = await listInboundMails();
      expect(early).toMatchObject({ reason: 'cancellation', reservation_id: null });
      expect((await inbox.retrieveForwardedMail(scope, entry!.id)).pairs).toMatchObject([{ reservation_id }]);
      await complete(entry!.id, reservation_id);
      expect(await listReservations()).toMatchObject([
        { external_id: '3456789012', external_uid: 'c1@c', guest_email: relay, guest_email_relay: true },
      ]);
      expect((await listInboundMails())[0]).toMatchObject({ status: 'inbox', reservation_id });
      await written('channel-c-cancelled', (text) => text.replace(/^Check-.*$/gm, ''));
      expect((await listInboundMails()).at(-1)).toMatchObject({ reason: 'cancellation', reservation_id });
      await runSyncOfSource(scope, calendar_id, 'forced');
      expect(await listReservations()).toMatchObject([
        { external_id: '3456789012', status: 'synced', guest_name: 'Ada Smith' },
      ]);
    });

    it('does not replace an existing number, and rejects one of another booking', async () => {
      const { reservation_id } = await calendarsGuest();
      await written('channel-c-en-redirected', (text) => text.replace(/^Check-out.*$/m, ''));
      await written('channel-c-nl-redirected', (text) => text.replace(/^Vertrek.*$/m, ''));
      const [first, second] = await listInboundMails();
      await complete(first!.id, reservation_id);
      await expect(complete(second!.id, reservation_id, { reservation_code: '5678901234' })).rejects.toMatchObject({
        code: 'invalid_field',
        param: 'reservation_code',
      });
      expect(await listReservations()).toMatchObject([{ external_id: '3456789012' }]);
      await complete(second!.id, reservation_id, { reservation_code: null });
      expect(await listReservations()).toMatchObject([{ external_id: '3456789012' }]);
    });
  });

  it('with a code that the property already has creates no second reservation', async () => {
    await syncCalendarWithOneBooking('2026-06-12', '2026-06-15', 'HMSPOOF001');
    await receiveFixtureMail('form-en');
    const [entry] = await inbox.listInboxMails(scope, { waiting: true });
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
    await expect(inbox.completeReservationFromMail(scope, form)).rejects.toMatchObject({ param: 'reservation_code' });
    expect((await listInboundMails())[0]?.status).toBe('inbox');
  });

  it('whose content was redacted is still listed', async () => {
    await receiveFixtureMail('channel-b-en-redirected');
    await getTestDb().inboundMail.updateMany({ data: { raw: null, from_address: null, subject: null, extracted: {} } });
    const listed = ForwardedMailList.parse({ data: await inbox.listInboxMails(scope, { waiting: false }) });
    expect(listed.data).toMatchObject([{ found: null, verified: false, forwarding: null, confirmation: null }]);
  });

  it('is dismissed and reopened, and is invisible to other teams', async () => {
    await receiveFixtureMail('newsletter');
    const { id } = (await listInboundMails())[0]!;
    const other = await insertTeam('live', 'other@example.com');
    await expect(inbox.dismissForwardedMail(other, id)).rejects.toMatchObject({ code: 'resource_missing' });
    await inbox.dismissForwardedMail(scope, id);
    await expect(inbox.dismissForwardedMail(scope, id)).rejects.toMatchObject({ code: 'concurrent_edit' });
    expect(await inbox.listInboxMails(scope, { waiting: true })).toEqual([]);
    await inbox.reopenForwardedMail(scope, id);
    expect(await inbox.listInboxMails(scope, { waiting: true })).toHaveLength(1);
  });
});
