import { describe, expect, it } from 'vitest';
import { markReservationSigned } from '@/modules/reservations/host.service';
import { resendReservation, sendReservation } from '@/modules/reservations/send';
import { cancelReservation, createReservation, updateReservation } from '@/modules/reservations/service';
import { performDueScheduledActions } from '@/modules/reservations/timed/due-work';
import { parseStoredRefusal } from '@/shared/refusals/refusal';
import { FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN } from '../testing/calendar-test-context';
import { type FeedStay, renderBookingDescription, renderTestCalendarFeed } from '../testing/feed-server';
import {
  createTestSyncSource,
  fakeClock,
  feedServer,
  findLastSyncRun,
  findOnlyReservation,
  findTestSyncSource,
  getTestDb,
  HOUR_MS,
  listEventTypes,
  listReservations,
  listTrailEntryTypesOfReservation,
  MINUTE_MS,
  parseDayAsUtcMidnight,
  pollAllDueCalendars,
  property_id,
  readTablesWrittenBySyncRun,
  runSyncOfTestSource,
  scope,
  serveTestCalendarFeed,
  setUpSyncRunTests,
  source_id,
} from '../testing/run-test-context';

setUpSyncRunTests();

/** Returns the previous values in each `reservation.updated` event of a reservation. */
const updates = async (object_id: string): Promise<unknown[]> => {
  const where = { object_id, type: 'reservation.updated' };
  const events = await getTestDb().event.findMany({ where, orderBy: { sequence: 'asc' } });
  return events.map(({ body }) => JSON.parse(body).data.previous_attributes);
};

describe('Sync run behaviour', () => {
  it('a new feed event inserts a reservation with status synced, with source, external ids, trail and event', async () => {
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA, {
      uid: 'x@a',
      from: '2026-06-20',
      to: '2026-06-25',
      summary: 'Channel A (Not available)',
    });
    const after = await runSyncOfTestSource();
    expect(after).toMatchObject({ last_status: 'ok', last_error: null, last_synced_at: fakeClock.now() });
    const row = await findOnlyReservation();
    expect(row).toMatchObject({
      status: 'synced',
      initial_status: 'synced',
      source: 'channel_a',
      guest_name: 'Guest HMANA00001',
      guest_email: null,
      guest_phone_last4: '1234',
      checkin_date: parseDayAsUtcMidnight('2026-06-10'),
      checkout_date: parseDayAsUtcMidnight('2026-06-14'),
      external_source: 'channel_a_ical',
      external_id: 'HMANA00001',
      external_uid: 'ana@a',
      sync_source_id: source_id,
    });
    expect(await listTrailEntryTypesOfReservation(row.id)).toEqual(['reservation.created']);
    const entry = await getTestDb().trailEntry.findFirstOrThrow();
    expect(entry.actor).toBe('system calendar-sync');
    expect((await listEventTypes()).slice(-2)).toEqual(['reservation.created', 'sync_source.run.completed']);
    expect(await findLastSyncRun()).toMatchObject({
      status: 'succeeded',
      trigger: 'forced',
      http_status: 200,
      counts: { seen: 2, created: 1, skipped: 1, updated: 0, unchanged: 0, vanished: 0, cancelled: 0 },
      skipped: [{ reason: 'block', summary: 'Channel A (Not available)' }],
    });
  });

  it('a skipped entry is stored even when its text is cut inside a surrogate pair', async () => {
    const summary = `${'a'.repeat(254)}😀`;
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA, {
      uid: 'gone@a',
      from: '2026-07-01',
      to: '2026-07-03',
      summary,
      status: 'CANCELLED',
    });
    await runSyncOfTestSource();
    expect(await findLastSyncRun()).toMatchObject({
      status: 'succeeded',
      skipped: [{ reason: 'cancelled', summary: `${'a'.repeat(254)}\ufffd` }],
    });
  });

  it('a modified feed event moves the dates and resets reminders and late alerts', async () => {
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
    await runSyncOfTestSource();
    const { id } = await findOnlyReservation();
    await getTestDb().reservation.update({
      where: { id },
      data: {
        reminder_24h_sent_at: fakeClock.now(),
        reminder_2h_sent_at: fakeClock.now(),
        late_notified_at: fakeClock.now(),
      },
    });
    fakeClock.advance(MINUTE_MS);
    serveTestCalendarFeed({ ...FEED_STAY_OF_GUEST_ANA, from: '2026-06-12', to: '2026-06-17' });
    await runSyncOfTestSource();
    expect(await findOnlyReservation()).toMatchObject({
      id,
      checkin_date: parseDayAsUtcMidnight('2026-06-12'),
      checkout_date: parseDayAsUtcMidnight('2026-06-17'),
      reminder_24h_sent_at: null,
      reminder_2h_sent_at: null,
      late_notified_at: null,
      updated_at: fakeClock.now(),
    });
    expect(await listTrailEntryTypesOfReservation(id)).toEqual(['reservation.created', 'reservation.updated']);
    expect(await updates(id)).toEqual([
      {
        checkin_date: '2026-06-10',
        checkout_date: '2026-06-14',
        reminder_24h_sent_at: expect.any(String),
        reminder_2h_sent_at: expect.any(String),
        late_notified_at: expect.any(String),
      },
    ]);
    expect(await findLastSyncRun()).toMatchObject({ counts: { updated: 1, created: 0 } });
  });

  it('a re-sync never overwrites guest name, e-mail or lifecycle', async () => {
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
    await runSyncOfTestSource();
    const { id } = await findOnlyReservation();
    await updateReservation(scope, id, { guest_name: 'Ana Lima', guest_email: 'ana@example.com' }, null);
    await sendReservation(scope, id);
    const sent = await findOnlyReservation();
    serveTestCalendarFeed({ ...FEED_STAY_OF_GUEST_ANA, summary: 'Reserved', from: '2026-06-11' });
    await runSyncOfTestSource();
    expect(await findOnlyReservation()).toMatchObject({
      guest_name: 'Ana Lima',
      guest_email: 'ana@example.com',
      status: 'sent',
      sent_at: sent.sent_at,
      signing_token_hash: sent.signing_token_hash,
      checkin_date: parseDayAsUtcMidnight('2026-06-11'),
      dates_changed_after_send_at: fakeClock.now(),
    });
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['signed', (id) => markReservationSigned(scope, id)],
    ['redacted', (id) => getTestDb().reservation.update({ where: { id }, data: { redacted: true } })],
    ['under legal hold', (id) => getTestDb().reservation.update({ where: { id }, data: { legal_hold: true } })],
  ])('a reservation that is %s is never changed', async (_name, protect) => {
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN);
    await runSyncOfTestSource();
    const { id } = (await listReservations())[0]!;
    await protect(id);
    const before = JSON.stringify((await listReservations())[0]);
    const steps: FeedStay[][] = [
      [{ ...FEED_STAY_OF_GUEST_ANA, from: '2026-06-11', to: '2026-06-20' }, FEED_STAY_OF_GUEST_BEN],
      [{ ...FEED_STAY_OF_GUEST_ANA, uid: 'new@a' }, FEED_STAY_OF_GUEST_BEN],
      [{ ...FEED_STAY_OF_GUEST_ANA, status: 'CANCELLED' }, FEED_STAY_OF_GUEST_BEN],
      [FEED_STAY_OF_GUEST_BEN],
      [FEED_STAY_OF_GUEST_BEN, { uid: 'more@a', from: '2026-09-01', to: '2026-09-03' }],
    ];
    for (const stays of steps) {
      fakeClock.advance(2 * HOUR_MS);
      serveTestCalendarFeed(...stays);
      await runSyncOfTestSource();
      expect(JSON.stringify((await listReservations())[0])).toBe(before);
    }
    expect((await listReservations()).filter(({ external_id }) => external_id === 'HMANA00001')).toHaveLength(1);
  });

  it('a guest who was erased is not named again by a cancellation in the calendar', async () => {
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
    await runSyncOfTestSource();
    await getTestDb().reservation.update({
      where: { id: (await findOnlyReservation()).id },
      data: { redacted: true, status: 'ignored' },
    });
    serveTestCalendarFeed({ ...FEED_STAY_OF_GUEST_ANA, status: 'CANCELLED', summary: 'Ana Sousa' });
    await runSyncOfTestSource();
    expect(await findLastSyncRun()).toMatchObject({ skipped: [{ reason: 'redacted', summary: null }] });
  });

  it('the record of a run does not name a guest who was erased', async () => {
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
    await runSyncOfTestSource();
    await getTestDb().reservation.update({ where: { id: (await findOnlyReservation()).id }, data: { redacted: true } });
    serveTestCalendarFeed({ ...FEED_STAY_OF_GUEST_ANA, to: '2026-06-20', summary: 'Ana Erased' });
    fakeClock.advance(2 * HOUR_MS);
    await runSyncOfTestSource();
    expect(await findLastSyncRun()).toMatchObject({ skipped: [{ reason: 'redacted', summary: null }] });
  });

  it.each<[string, Partial<FeedStay>]>([
    ['under the same identity', {}],
    ['under another identity with the same name', { uid: 'new@a', description: '' }],
  ])('an expired booking extended in the calendar %s gets its new dates and can be sent again', async (_what, over) => {
    const stay = { ...FEED_STAY_OF_GUEST_ANA, summary: 'Reserved - Ana Lima' };
    serveTestCalendarFeed(stay, FEED_STAY_OF_GUEST_BEN);
    await runSyncOfTestSource();
    const { id } = (await listReservations())[0]!;
    await updateReservation(scope, id, { guest_email: 'ana@example.com' }, null);
    await sendReservation(scope, id);
    fakeClock.set(new Date('2026-06-15T10:00:00Z'));
    await performDueScheduledActions('expire', id);
    expect((await listReservations())[0]).toMatchObject({ status: 'expired' });
    serveTestCalendarFeed({ ...stay, to: '2026-06-19', ...over }, FEED_STAY_OF_GUEST_BEN);
    await runSyncOfTestSource();
    const [row] = await listReservations();
    expect(row).toMatchObject({
      id,
      status: 'expired',
      checkin_date: parseDayAsUtcMidnight('2026-06-10'),
      checkout_date: parseDayAsUtcMidnight('2026-06-19'),
    });
    expect((await listTrailEntryTypesOfReservation(id)).at(-1)).toBe('reservation.updated');
    expect(await listReservations()).toHaveLength(2);
    await resendReservation(scope, id);
    expect((await listReservations())[0]).toMatchObject({ status: 'sent', expired_at: null });
  });

  it('a booking that disappears is cancelled by the second healthy miss an hour later, not before', async () => {
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN);
    await runSyncOfTestSource();
    const { id } = (await listReservations())[0]!;
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_BEN);
    await runSyncOfTestSource();
    expect((await listReservations())[0]).toMatchObject({ status: 'synced', feed_misses: 1 });
    expect(await findLastSyncRun()).toMatchObject({ counts: { vanished: 1, cancelled: 0 } });
    fakeClock.advance(59 * MINUTE_MS);
    await runSyncOfTestSource();
    expect((await listReservations())[0]).toMatchObject({ status: 'synced', feed_misses: 1 });
    fakeClock.advance(MINUTE_MS);
    await runSyncOfTestSource();
    expect((await listReservations())[0]).toMatchObject({
      status: 'ignored',
      cancel_reason: 'feed_removed',
      cancelled_at: fakeClock.now(),
    });
    const cancelled = await getTestDb().event.findFirstOrThrow({ where: { type: 'reservation.cancelled' } });
    expect(JSON.parse(cancelled.body).data).toMatchObject({ reason: 'feed_removed', object: { id } });
    expect(await listTrailEntryTypesOfReservation(id)).toEqual(['reservation.created', 'reservation.cancelled']);
  });

  it.each<[string, string | (() => string)]>([
    ['empty', () => renderTestCalendarFeed([])],
    ['truncated', () => renderTestCalendarFeed([FEED_STAY_OF_GUEST_BEN]).slice(0, -20)],
    ['a single word', 'placeholder'],
    ['a web page', '<!doctype html><html><body>Sign in</body></html>'],
  ])('a feed that is %s cancels nothing, however often it is fetched', async (_name, body) => {
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN);
    await runSyncOfTestSource();
    feedServer.serve(typeof body === 'string' ? body : body());
    for (let index = 0; index < 4; index++) {
      fakeClock.advance(3 * HOUR_MS);
      await runSyncOfTestSource();
    }
    expect((await listReservations()).map(({ status, feed_misses }) => [status, feed_misses])).toEqual([
      ['synced', 0],
      ['synced', 0],
    ]);
  });

  it('STATUS:CANCELLED cancels at once, and a booking that reappears is restored to its first status', async () => {
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN);
    await runSyncOfTestSource();
    serveTestCalendarFeed({ ...FEED_STAY_OF_GUEST_ANA, status: 'CANCELLED' }, FEED_STAY_OF_GUEST_BEN);
    await runSyncOfTestSource();
    expect((await listReservations())[0]).toMatchObject({ status: 'ignored', cancel_reason: 'feed_removed' });
    serveTestCalendarFeed({ ...FEED_STAY_OF_GUEST_ANA, to: '2026-06-15' }, FEED_STAY_OF_GUEST_BEN);
    await runSyncOfTestSource();
    const [row] = await listReservations();
    expect(row).toMatchObject({
      status: 'synced',
      cancel_reason: null,
      cancelled_at: null,
      checkout_date: parseDayAsUtcMidnight('2026-06-15'),
    });
    expect(await listTrailEntryTypesOfReservation(row!.id)).toEqual([
      'reservation.created',
      'reservation.cancelled',
      'reservation.restored',
      'reservation.updated',
    ]);
    expect(await updates(row!.id)).toEqual([
      { status: 'ignored', cancelled_at: expect.any(String), checkout_date: '2026-06-14' },
    ]);
    expect(await listReservations()).toHaveLength(2);
  });

  it('a sent booking that reappears is restored as sent, with the link that the guest has', async () => {
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN);
    await runSyncOfTestSource();
    const { id } = (await listReservations())[0]!;
    await updateReservation(scope, id, { guest_email: 'ana@example.com' }, null);
    await sendReservation(scope, id);
    const sent = (await listReservations())[0]!;
    serveTestCalendarFeed({ ...FEED_STAY_OF_GUEST_ANA, status: 'CANCELLED' }, FEED_STAY_OF_GUEST_BEN);
    await runSyncOfTestSource();
    expect((await listReservations())[0]).toMatchObject({ status: 'ignored' });
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN);
    await runSyncOfTestSource();
    const { status, sent_at, signing_token_hash, cancelled_at, cancel_reason } = (await listReservations())[0]!;
    expect({ status, sent_at, signing_token_hash, cancelled_at, cancel_reason }).toEqual({
      status: 'sent',
      sent_at: sent.sent_at,
      signing_token_hash: sent.signing_token_hash,
      cancelled_at: null,
      cancel_reason: null,
    });
  });

  it('a booking cancelled by the host stays cancelled', async () => {
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
    await runSyncOfTestSource();
    await cancelReservation(scope, (await findOnlyReservation()).id);
    serveTestCalendarFeed({ ...FEED_STAY_OF_GUEST_ANA, to: '2026-06-15' });
    await runSyncOfTestSource();
    expect(await findOnlyReservation()).toMatchObject({
      status: 'ignored',
      checkout_date: parseDayAsUtcMidnight('2026-06-14'),
    });
  });

  it('a calendar that shrank counts as healthy after a day', async () => {
    const stays = [1, 2, 3, 4, 5].map((n) => ({ uid: `u${n}@a`, from: `2026-08-0${n}`, to: `2026-08-0${n + 1}` }));
    serveTestCalendarFeed(...stays);
    await runSyncOfTestSource();
    serveTestCalendarFeed(...stays.slice(0, 2));
    await runSyncOfTestSource();
    expect(await findTestSyncSource()).toMatchObject({
      last_status: 'shrunk',
      shrunk_since: fakeClock.now(),
      last_healthy_count: 5,
    });
    fakeClock.advance(23 * HOUR_MS);
    await runSyncOfTestSource();
    expect((await listReservations()).filter(({ feed_misses }) => feed_misses > 0)).toHaveLength(0);
    fakeClock.advance(HOUR_MS);
    await runSyncOfTestSource();
    expect(await findTestSyncSource()).toMatchObject({ last_status: 'ok', shrunk_since: null, last_healthy_count: 2 });
    fakeClock.advance(HOUR_MS);
    await runSyncOfTestSource();
    expect((await listReservations()).map(({ status }) => status)).toEqual([
      'synced',
      'synced',
      'ignored',
      'ignored',
      'ignored',
    ]);
  });
});

it('a calendar counts as shrunk when it loses bookings, not when it loses blocked days', async () => {
  const blocks = [1, 2, 3, 4].map((n) => ({
    uid: `b${n}@a`,
    from: `2026-08-0${n}`,
    to: `2026-08-0${n + 1}`,
    summary: 'Channel A (Not available)',
  }));
  const stays = [1, 2, 3].map((n) => ({ uid: `u${n}@a`, from: `2026-09-0${n}`, to: `2026-09-0${n + 1}` }));
  serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
  await runSyncOfTestSource();
  serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA, ...blocks);
  await runSyncOfTestSource();
  expect(await findTestSyncSource()).toMatchObject({ last_status: 'ok', last_healthy_count: 1 });
  serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA, ...stays);
  await runSyncOfTestSource();
  expect(await findTestSyncSource()).toMatchObject({ last_status: 'ok', last_healthy_count: 4 });
  serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA, ...blocks);
  await runSyncOfTestSource();
  expect(await findTestSyncSource()).toMatchObject({
    last_status: 'shrunk',
    last_error: '{"key":"calendar.shrunk","values":{"count":1,"was":4}}',
  });
  expect(await listReservations()).not.toContainEqual(expect.objectContaining({ feed_misses: 1 }));
});

describe('a feed that shrank without losing a booking', () => {
  it('is no longer reported as shrunk after a day', async () => {
    const over = [1, 2, 3, 4].map((n) => ({ uid: `o${n}@a`, from: `2026-05-0${n}`, to: `2026-05-0${n + 1}` }));
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA, ...over);
    await runSyncOfTestSource();
    fakeClock.advance(7 * 24 * HOUR_MS);
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
    await runSyncOfTestSource();
    expect(await findTestSyncSource()).toMatchObject({ last_status: 'shrunk' });
    for (let hours = 0; hours <= 24; hours += 8) {
      fakeClock.advance(8 * HOUR_MS);
      await runSyncOfTestSource();
    }
    expect(await findTestSyncSource()).toMatchObject({ shrunk_since: null, last_healthy_count: 1, last_error: null });
    expect((await findTestSyncSource()).last_status).toMatch(/^(?:ok|unchanged)$/);
  });
});

describe('an unchanged feed', () => {
  it('writes only the source’s own row on a scheduled run', async () => {
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN);
    await runSyncOfTestSource();
    const before = await readTablesWrittenBySyncRun();
    fakeClock.advance(30 * MINUTE_MS);
    feedServer.serve(renderTestCalendarFeed([FEED_STAY_OF_GUEST_BEN, FEED_STAY_OF_GUEST_ANA], '20260501T103000Z'));
    expect(await pollAllDueCalendars()).toBe(1);
    expect(await readTablesWrittenBySyncRun()).toBe(before);
    expect(await findTestSyncSource()).toMatchObject({
      last_status: 'unchanged',
      last_synced_at: fakeClock.now(),
      running_until: null,
      running_token: null,
    });
  });

  it('is requested with its validators and may be answered with 304', async () => {
    feedServer.serve({
      body: renderTestCalendarFeed([FEED_STAY_OF_GUEST_ANA]),
      headers: { ETag: '"v1"', 'Last-Modified': 'Fri, 01 May 2026 00:00:00 GMT' },
    });
    await runSyncOfTestSource();
    feedServer.serve({ status: 304 });
    const after = await runSyncOfTestSource();
    expect(feedServer.requests.at(-1)?.headers).toMatchObject({
      'if-none-match': '"v1"',
      'if-modified-since': 'Fri, 01 May 2026 00:00:00 GMT',
    });
    expect(after).toMatchObject({ last_status: 'unchanged', last_error: null });
    expect(await findLastSyncRun()).toMatchObject({ status: 'unchanged', http_status: 304 });
    expect((await listEventTypes()).at(-1)).toBe('sync_source.run.completed');
  });

  it('is requested without validators while a booking awaits its second miss', async () => {
    const headers = { ETag: '"v1"' };
    feedServer.serve({ body: renderTestCalendarFeed([FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN]), headers });
    await runSyncOfTestSource();
    feedServer.serve({ body: renderTestCalendarFeed([FEED_STAY_OF_GUEST_BEN]), headers });
    await runSyncOfTestSource();
    fakeClock.advance(HOUR_MS);
    await runSyncOfTestSource();
    expect(feedServer.requests.map((request) => request.headers['if-none-match'])).toEqual([
      undefined,
      '"v1"',
      undefined,
    ]);
    expect((await listReservations())[0]).toMatchObject({ status: 'ignored' });
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'the property’s time zone',
      () => getTestDb().property.update({ where: { id: property_id }, data: { timezone: 'Asia/Tokyo' } }),
    ],
    [
      'a setting of the source',
      () => getTestDb().syncSource.update({ where: { id: source_id }, data: { closures_are_blocks: true } }),
    ],
  ])('is read again when %s has changed', async (_name, change) => {
    feedServer.serve({ body: renderTestCalendarFeed([FEED_STAY_OF_GUEST_ANA]), headers: { ETag: '"v1"' } });
    await runSyncOfTestSource();
    await change();
    await runSyncOfTestSource();
    expect(feedServer.requests.at(-1)?.headers['if-none-match']).toBeUndefined();
    expect(await findTestSyncSource()).toMatchObject({ last_status: 'ok' });
  });

  it('still reports its unreadable events', async () => {
    const broken = renderTestCalendarFeed([
      FEED_STAY_OF_GUEST_ANA,
      { uid: 'bad@a', from: '2026-06-31', to: '2026-07-02' },
    ]);
    feedServer.serve(broken);
    await runSyncOfTestSource();
    expect(await findTestSyncSource()).toMatchObject({ last_status: 'ok_with_problems' });
    await runSyncOfTestSource();
    expect(await findTestSyncSource()).toMatchObject({ last_status: 'ok_with_problems' });
    expect(String(parseStoredRefusal((await findTestSyncSource()).last_error))).toContain('1 event could not be read');
  });
});

describe('ownership of a booking', () => {
  it('a reservation created through the API for the same dates is adopted, not duplicated', async () => {
    const { row } = await createReservation(scope, {
      property_id,
      guest_name: 'Ana Lima',
      guest_email: 'ana@example.com',
      checkin_date: FEED_STAY_OF_GUEST_ANA.from,
      checkout_date: FEED_STAY_OF_GUEST_ANA.to,
      source: 'channel_a',
    });
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
    await runSyncOfTestSource();
    expect(await findOnlyReservation()).toMatchObject({
      id: row.id,
      status: 'draft',
      guest_name: 'Ana Lima',
      sync_source_id: source_id,
      external_id: 'HMANA00001',
    });
  });

  it('a reservation with the same code is adopted as it is and emits one update', async () => {
    const { row } = await createReservation(scope, {
      property_id,
      guest_name: 'Ana Lima',
      guest_email: 'ana@example.com',
      checkin_date: FEED_STAY_OF_GUEST_ANA.from,
      checkout_date: FEED_STAY_OF_GUEST_ANA.to,
      source: 'channel_a',
      external_id: 'HMANA00001',
      metadata: { unit: '4b' },
    });
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
    await runSyncOfTestSource();
    await runSyncOfTestSource();
    expect(await findOnlyReservation()).toMatchObject({
      id: row.id,
      sync_source_id: source_id,
      metadata: { unit: '4b' },
    });
    expect(await updates(row.id)).toEqual([{ external_source: null }]);
  });

  it('two calendars of one property create a booking once, and the second leaves it unchanged', async () => {
    const second = await createTestSyncSource();
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
    await runSyncOfTestSource();
    await runSyncOfTestSource(second);
    const before = JSON.stringify(await findOnlyReservation());
    serveTestCalendarFeed({ ...FEED_STAY_OF_GUEST_ANA, to: '2026-06-20' });
    await runSyncOfTestSource(second);
    expect(JSON.stringify(await findOnlyReservation())).toBe(before);
  });

  it('two rooms booked for the same dates are two reservations', async () => {
    const second = await createTestSyncSource('channel_a_ical');
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
    await runSyncOfTestSource();
    serveTestCalendarFeed({
      ...FEED_STAY_OF_GUEST_ANA,
      uid: 'cleo@a',
      description: renderBookingDescription('HMCLEO0001'),
    });
    await runSyncOfTestSource(second);
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
    await runSyncOfTestSource();
    expect((await listReservations()).map(({ external_id }) => external_id).sort()).toEqual([
      'HMANA00001',
      'HMCLEO0001',
    ]);
  });

  it('a new UID every day stays one reservation (channel C)', async () => {
    const c = await createTestSyncSource('channel_c_ical');
    for (let n = 1; n <= 5; n++) {
      serveTestCalendarFeed({
        uid: `${'0'.repeat(31)}${n}@c`,
        from: `2026-05-0${n}`,
        to: '2026-05-09',
        summary: 'CLOSED - Ana Lima',
      });
      await runSyncOfTestSource(c);
      fakeClock.advance(24 * HOUR_MS);
    }
    expect(await findOnlyReservation()).toMatchObject({
      guest_name: 'Ana Lima',
      checkin_date: parseDayAsUtcMidnight('2026-05-01'),
      source: 'channel_c',
    });
  });

  it('a closure over 60 nights is proposed as a block, and the proposal is stored', async () => {
    const c = await createTestSyncSource('channel_c_ical');
    serveTestCalendarFeed({ uid: 'l@c', from: '2026-06-01', to: '2026-09-01', summary: 'CLOSED - Not available' });
    await runSyncOfTestSource(c);
    expect(await listReservations()).toEqual([]);
    expect((await getTestDb().syncSource.findUniqueOrThrow({ where: { id: c } })).marked_blocks).toEqual([
      { checkin_date: '2026-06-01', checkout_date: '2026-09-01', as: 'proposed' },
    ]);
    await runSyncOfTestSource(c);
    expect(await getTestDb().syncSource.findUniqueOrThrow({ where: { id: c } })).toMatchObject({
      last_status: 'unchanged',
    });
  });
});
