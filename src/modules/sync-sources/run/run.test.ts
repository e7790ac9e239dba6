import { describe, expect, it } from 'vitest';
import { signManually } from '@/modules/reservations/host.service';
import { resendReservation, sendReservation } from '@/modules/reservations/send';
import { cancelReservation, createReservation, updateReservation } from '@/modules/reservations/service';
import { doDueWork } from '@/modules/reservations/timed/due-work';
import { readRefusal } from '@/shared/refusals/refusal';
import { ANA, BEN } from '../testing/calendar-world';
import { calendar, details, type FeedStay } from '../testing/feed-server';
import {
  day,
  db,
  everythingElse,
  feed,
  HOUR,
  lastRun,
  MINUTE,
  newSource,
  only,
  openRunWorld,
  property_id,
  rows,
  run,
  runDueSources,
  scope,
  serve,
  source,
  source_id,
  time,
  trail,
  types,
} from '../testing/run-world';

openRunWorld();

/** Returns the previous values in each `reservation.updated` event of a reservation. */
const updates = async (object_id: string): Promise<unknown[]> => {
  const where = { object_id, type: 'reservation.updated' };
  const events = await db().event.findMany({ where, orderBy: { sequence: 'asc' } });
  return events.map(({ body }) => JSON.parse(body).data.previous_attributes);
};

describe('Sync run behaviour', () => {
  it('a new feed event inserts a reservation with status synced, with source, external ids, trail and event', async () => {
    serve(ANA, { uid: 'x@a', from: '2026-06-20', to: '2026-06-25', summary: 'Channel A (Not available)' });
    const after = await run();
    expect(after).toMatchObject({ last_status: 'ok', last_error: null, last_synced_at: time.now() });
    const row = await only();
    expect(row).toMatchObject({
      status: 'synced',
      initial_status: 'synced',
      source: 'channel_a',
      guest_name: 'Guest HMANA00001',
      guest_email: null,
      guest_phone_last4: '1234',
      checkin_date: day('2026-06-10'),
      checkout_date: day('2026-06-14'),
      external_source: 'channel_a_ical',
      external_id: 'HMANA00001',
      external_uid: 'ana@a',
      sync_source_id: source_id,
    });
    expect(await trail(row.id)).toEqual(['reservation.created']);
    const entry = await db().trailEntry.findFirstOrThrow();
    expect(entry.actor).toBe('system calendar-sync');
    expect((await types()).slice(-2)).toEqual(['reservation.created', 'sync_source.run.completed']);
    expect(await lastRun()).toMatchObject({
      status: 'succeeded',
      trigger: 'forced',
      http_status: 200,
      counts: { seen: 2, created: 1, skipped: 1, updated: 0, unchanged: 0, vanished: 0, cancelled: 0 },
      skipped: [{ reason: 'block', summary: 'Channel A (Not available)' }],
    });
  });

  it('a skipped entry is stored even when its text is cut inside a surrogate pair', async () => {
    const summary = `${'a'.repeat(254)}😀`;
    serve(ANA, { uid: 'gone@a', from: '2026-07-01', to: '2026-07-03', summary, status: 'CANCELLED' });
    await run();
    expect(await lastRun()).toMatchObject({
      status: 'succeeded',
      skipped: [{ reason: 'cancelled', summary: `${'a'.repeat(254)}\ufffd` }],
    });
  });

  it('a modified feed event moves the dates and resets reminders and late alerts', async () => {
    serve(ANA);
    await run();
    const { id } = await only();
    await db().reservation.update({
      where: { id },
      data: { reminder_24h_sent_at: time.now(), reminder_2h_sent_at: time.now(), late_notified_at: time.now() },
    });
    time.advance(MINUTE);
    serve({ ...ANA, from: '2026-06-12', to: '2026-06-17' });
    await run();
    expect(await only()).toMatchObject({
      id,
      checkin_date: day('2026-06-12'),
      checkout_date: day('2026-06-17'),
      reminder_24h_sent_at: null,
      reminder_2h_sent_at: null,
      late_notified_at: null,
      updated_at: time.now(),
    });
    expect(await trail(id)).toEqual(['reservation.created', 'reservation.updated']);
    expect(await updates(id)).toEqual([
      {
        checkin_date: '2026-06-10',
        checkout_date: '2026-06-14',
        reminder_24h_sent_at: expect.any(String),
        reminder_2h_sent_at: expect.any(String),
        late_notified_at: expect.any(String),
      },
    ]);
    expect(await lastRun()).toMatchObject({ counts: { updated: 1, created: 0 } });
  });

  it('a re-sync never overwrites guest name, e-mail or lifecycle', async () => {
    serve(ANA);
    await run();
    const { id } = await only();
    await updateReservation(scope, id, { guest_name: 'Ana Lima', guest_email: 'ana@example.com' }, null);
    await sendReservation(scope, id);
    const sent = await only();
    serve({ ...ANA, summary: 'Reserved', from: '2026-06-11' });
    await run();
    expect(await only()).toMatchObject({
      guest_name: 'Ana Lima',
      guest_email: 'ana@example.com',
      status: 'sent',
      sent_at: sent.sent_at,
      signing_token_hash: sent.signing_token_hash,
      checkin_date: day('2026-06-11'),
      dates_changed_after_send_at: time.now(),
    });
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['signed', (id) => signManually(scope, id)],
    ['redacted', (id) => db().reservation.update({ where: { id }, data: { redacted: true } })],
    ['under legal hold', (id) => db().reservation.update({ where: { id }, data: { legal_hold: true } })],
  ])('a reservation that is %s is never changed', async (_name, protect) => {
    serve(ANA, BEN);
    await run();
    const { id } = (await rows())[0]!;
    await protect(id);
    const before = JSON.stringify((await rows())[0]);
    const steps: FeedStay[][] = [
      [{ ...ANA, from: '2026-06-11', to: '2026-06-20' }, BEN],
      [{ ...ANA, uid: 'new@a' }, BEN],
      [{ ...ANA, status: 'CANCELLED' }, BEN],
      [BEN],
      [BEN, { uid: 'more@a', from: '2026-09-01', to: '2026-09-03' }],
    ];
    for (const stays of steps) {
      time.advance(2 * HOUR);
      serve(...stays);
      await run();
      expect(JSON.stringify((await rows())[0])).toBe(before);
    }
    expect((await rows()).filter(({ external_id }) => external_id === 'HMANA00001')).toHaveLength(1);
  });

  it('a guest who was erased is not named again by a cancellation in the calendar', async () => {
    serve(ANA);
    await run();
    await db().reservation.update({ where: { id: (await only()).id }, data: { redacted: true, status: 'ignored' } });
    serve({ ...ANA, status: 'CANCELLED', summary: 'Ana Sousa' });
    await run();
    expect(await lastRun()).toMatchObject({ skipped: [{ reason: 'redacted', summary: null }] });
  });

  it('the record of a run does not name a guest who was erased', async () => {
    serve(ANA);
    await run();
    await db().reservation.update({ where: { id: (await only()).id }, data: { redacted: true } });
    serve({ ...ANA, to: '2026-06-20', summary: 'Ana Erased' });
    time.advance(2 * HOUR);
    await run();
    expect(await lastRun()).toMatchObject({ skipped: [{ reason: 'redacted', summary: null }] });
  });

  it.each<[string, Partial<FeedStay>]>([
    ['under the same identity', {}],
    ['under another identity with the same name', { uid: 'new@a', description: '' }],
  ])('an expired booking extended in the calendar %s gets its new dates and can be sent again', async (_what, over) => {
    const stay = { ...ANA, summary: 'Reserved - Ana Lima' };
    serve(stay, BEN);
    await run();
    const { id } = (await rows())[0]!;
    await updateReservation(scope, id, { guest_email: 'ana@example.com' }, null);
    await sendReservation(scope, id);
    time.set(new Date('2026-06-15T10:00:00Z'));
    await doDueWork('expire', id);
    expect((await rows())[0]).toMatchObject({ status: 'expired' });
    serve({ ...stay, to: '2026-06-19', ...over }, BEN);
    await run();
    const [row] = await rows();
    expect(row).toMatchObject({
      id,
      status: 'expired',
      checkin_date: day('2026-06-10'),
      checkout_date: day('2026-06-19'),
    });
    expect((await trail(id)).at(-1)).toBe('reservation.updated');
    expect(await rows()).toHaveLength(2);
    await resendReservation(scope, id);
    expect((await rows())[0]).toMatchObject({ status: 'sent', expired_at: null });
  });

  it('a booking that disappears is cancelled by the second healthy miss an hour later, not before', async () => {
    serve(ANA, BEN);
    await run();
    const { id } = (await rows())[0]!;
    serve(BEN);
    await run();
    expect((await rows())[0]).toMatchObject({ status: 'synced', feed_misses: 1 });
    expect(await lastRun()).toMatchObject({ counts: { vanished: 1, cancelled: 0 } });
    time.advance(59 * MINUTE);
    await run();
    expect((await rows())[0]).toMatchObject({ status: 'synced', feed_misses: 1 });
    time.advance(MINUTE);
    await run();
    expect((await rows())[0]).toMatchObject({
      status: 'ignored',
      cancel_reason: 'feed_removed',
      cancelled_at: time.now(),
    });
    const cancelled = await db().event.findFirstOrThrow({ where: { type: 'reservation.cancelled' } });
    expect(JSON.parse(cancelled.body).data).toMatchObject({ reason: 'feed_removed', object: { id } });
    expect(await trail(id)).toEqual(['reservation.created', 'reservation.cancelled']);
  });

  it.each<[string, string | (() => string)]>([
    ['empty', () => calendar([])],
    ['truncated', () => calendar([BEN]).slice(0, -20)],
    ['a single word', 'placeholder'],
    ['a web page', '<!doctype html><html><body>Sign in</body></html>'],
  ])('a feed that is %s cancels nothing, however often it is fetched', async (_name, body) => {
    serve(ANA, BEN);
    await run();
    feed.serve(typeof body === 'string' ? body : body());
    for (let index = 0; index < 4; index++) {
      time.advance(3 * HOUR);
      await run();
    }
    expect((await rows()).map(({ status, feed_misses }) => [status, feed_misses])).toEqual([
      ['synced', 0],
      ['synced', 0],
    ]);
  });

  it('STATUS:CANCELLED cancels at once, and a booking that reappears is restored to its first status', async () => {
    serve(ANA, BEN);
    await run();
    serve({ ...ANA, status: 'CANCELLED' }, BEN);
    await run();
    expect((await rows())[0]).toMatchObject({ status: 'ignored', cancel_reason: 'feed_removed' });
    serve({ ...ANA, to: '2026-06-15' }, BEN);
    await run();
    const [row] = await rows();
    expect(row).toMatchObject({
      status: 'synced',
      cancel_reason: null,
      cancelled_at: null,
      checkout_date: day('2026-06-15'),
    });
    expect(await trail(row!.id)).toEqual([
      'reservation.created',
      'reservation.cancelled',
      'reservation.restored',
      'reservation.updated',
    ]);
    expect(await updates(row!.id)).toEqual([
      { status: 'ignored', cancelled_at: expect.any(String), checkout_date: '2026-06-14' },
    ]);
    expect(await rows()).toHaveLength(2);
  });

  it('a sent booking that reappears is restored as sent, with the link that the guest has', async () => {
    serve(ANA, BEN);
    await run();
    const { id } = (await rows())[0]!;
    await updateReservation(scope, id, { guest_email: 'ana@example.com' }, null);
    await sendReservation(scope, id);
    const sent = (await rows())[0]!;
    serve({ ...ANA, status: 'CANCELLED' }, BEN);
    await run();
    expect((await rows())[0]).toMatchObject({ status: 'ignored' });
    serve(ANA, BEN);
    await run();
    const { status, sent_at, signing_token_hash, cancelled_at, cancel_reason } = (await rows())[0]!;
    expect({ status, sent_at, signing_token_hash, cancelled_at, cancel_reason }).toEqual({
      status: 'sent',
      sent_at: sent.sent_at,
      signing_token_hash: sent.signing_token_hash,
      cancelled_at: null,
      cancel_reason: null,
    });
  });

  it('a booking cancelled by the host stays cancelled', async () => {
    serve(ANA);
    await run();
    await cancelReservation(scope, (await only()).id);
    serve({ ...ANA, to: '2026-06-15' });
    await run();
    expect(await only()).toMatchObject({ status: 'ignored', checkout_date: day('2026-06-14') });
  });

  it('a calendar that shrank counts as healthy after a day', async () => {
    const stays = [1, 2, 3, 4, 5].map((n) => ({ uid: `u${n}@a`, from: `2026-08-0${n}`, to: `2026-08-0${n + 1}` }));
    serve(...stays);
    await run();
    serve(...stays.slice(0, 2));
    await run();
    expect(await source()).toMatchObject({ last_status: 'shrunk', shrunk_since: time.now(), last_healthy_count: 5 });
    time.advance(23 * HOUR);
    await run();
    expect((await rows()).filter(({ feed_misses }) => feed_misses > 0)).toHaveLength(0);
    time.advance(HOUR);
    await run();
    expect(await source()).toMatchObject({ last_status: 'ok', shrunk_since: null, last_healthy_count: 2 });
    time.advance(HOUR);
    await run();
    expect((await rows()).map(({ status }) => status)).toEqual(['synced', 'synced', 'ignored', 'ignored', 'ignored']);
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
  serve(ANA);
  await run();
  serve(ANA, ...blocks);
  await run();
  expect(await source()).toMatchObject({ last_status: 'ok', last_healthy_count: 1 });
  serve(ANA, ...stays);
  await run();
  expect(await source()).toMatchObject({ last_status: 'ok', last_healthy_count: 4 });
  serve(ANA, ...blocks);
  await run();
  expect(await source()).toMatchObject({
    last_status: 'shrunk',
    last_error: '{"key":"calendar.shrunk","values":{"count":1,"was":4}}',
  });
  expect(await rows()).not.toContainEqual(expect.objectContaining({ feed_misses: 1 }));
});

describe('a feed that shrank without losing a booking', () => {
  it('is no longer reported as shrunk after a day', async () => {
    const over = [1, 2, 3, 4].map((n) => ({ uid: `o${n}@a`, from: `2026-05-0${n}`, to: `2026-05-0${n + 1}` }));
    serve(ANA, ...over);
    await run();
    time.advance(7 * 24 * HOUR);
    serve(ANA);
    await run();
    expect(await source()).toMatchObject({ last_status: 'shrunk' });
    for (let hours = 0; hours <= 24; hours += 8) {
      time.advance(8 * HOUR);
      await run();
    }
    expect(await source()).toMatchObject({ shrunk_since: null, last_healthy_count: 1, last_error: null });
    expect((await source()).last_status).toMatch(/^(?:ok|unchanged)$/);
  });
});

describe('an unchanged feed', () => {
  it('writes only the source’s own row on a scheduled run', async () => {
    serve(ANA, BEN);
    await run();
    const before = await everythingElse();
    time.advance(30 * MINUTE);
    feed.serve(calendar([BEN, ANA], '20260501T103000Z'));
    expect(await runDueSources()).toBe(1);
    expect(await everythingElse()).toBe(before);
    expect(await source()).toMatchObject({
      last_status: 'unchanged',
      last_synced_at: time.now(),
      running_until: null,
      running_token: null,
    });
  });

  it('is requested with its validators and may be answered with 304', async () => {
    feed.serve({ body: calendar([ANA]), headers: { ETag: '"v1"', 'Last-Modified': 'Fri, 01 May 2026 00:00:00 GMT' } });
    await run();
    feed.serve({ status: 304 });
    const after = await run();
    expect(feed.requests.at(-1)?.headers).toMatchObject({
      'if-none-match': '"v1"',
      'if-modified-since': 'Fri, 01 May 2026 00:00:00 GMT',
    });
    expect(after).toMatchObject({ last_status: 'unchanged', last_error: null });
    expect(await lastRun()).toMatchObject({ status: 'unchanged', http_status: 304 });
    expect((await types()).at(-1)).toBe('sync_source.run.completed');
  });

  it('is requested without validators while a booking awaits its second miss', async () => {
    const headers = { ETag: '"v1"' };
    feed.serve({ body: calendar([ANA, BEN]), headers });
    await run();
    feed.serve({ body: calendar([BEN]), headers });
    await run();
    time.advance(HOUR);
    await run();
    expect(feed.requests.map((request) => request.headers['if-none-match'])).toEqual([undefined, '"v1"', undefined]);
    expect((await rows())[0]).toMatchObject({ status: 'ignored' });
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'the property’s time zone',
      () => db().property.update({ where: { id: property_id }, data: { timezone: 'Asia/Tokyo' } }),
    ],
    [
      'a setting of the source',
      () => db().syncSource.update({ where: { id: source_id }, data: { closures_are_blocks: true } }),
    ],
  ])('is read again when %s has changed', async (_name, change) => {
    feed.serve({ body: calendar([ANA]), headers: { ETag: '"v1"' } });
    await run();
    await change();
    await run();
    expect(feed.requests.at(-1)?.headers['if-none-match']).toBeUndefined();
    expect(await source()).toMatchObject({ last_status: 'ok' });
  });

  it('still reports its unreadable events', async () => {
    const broken = calendar([ANA, { uid: 'bad@a', from: '2026-06-31', to: '2026-07-02' }]);
    feed.serve(broken);
    await run();
    expect(await source()).toMatchObject({ last_status: 'ok_with_problems' });
    await run();
    expect(await source()).toMatchObject({ last_status: 'ok_with_problems' });
    expect(String(readRefusal((await source()).last_error))).toContain('1 event could not be read');
  });
});

describe('ownership of a booking', () => {
  it('a reservation created through the API for the same dates is adopted, not duplicated', async () => {
    const { row } = await createReservation(scope, {
      property_id,
      guest_name: 'Ana Lima',
      guest_email: 'ana@example.com',
      checkin_date: ANA.from,
      checkout_date: ANA.to,
      source: 'channel_a',
    });
    serve(ANA);
    await run();
    expect(await only()).toMatchObject({
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
      checkin_date: ANA.from,
      checkout_date: ANA.to,
      source: 'channel_a',
      external_id: 'HMANA00001',
      metadata: { unit: '4b' },
    });
    serve(ANA);
    await run();
    await run();
    expect(await only()).toMatchObject({ id: row.id, sync_source_id: source_id, metadata: { unit: '4b' } });
    expect(await updates(row.id)).toEqual([{ external_source: null }]);
  });

  it('two calendars of one property create a booking once, and the second leaves it unchanged', async () => {
    const second = await newSource();
    serve(ANA);
    await run();
    await run(second);
    const before = JSON.stringify(await only());
    serve({ ...ANA, to: '2026-06-20' });
    await run(second);
    expect(JSON.stringify(await only())).toBe(before);
  });

  it('two rooms booked for the same dates are two reservations', async () => {
    const second = await newSource('channel_a_ical');
    serve(ANA);
    await run();
    serve({ ...ANA, uid: 'cleo@a', description: details('HMCLEO0001') });
    await run(second);
    serve(ANA);
    await run();
    expect((await rows()).map(({ external_id }) => external_id).sort()).toEqual(['HMANA00001', 'HMCLEO0001']);
  });

  it('a new UID every day stays one reservation (channel C)', async () => {
    const c = await newSource('channel_c_ical');
    for (let n = 1; n <= 5; n++) {
      serve({ uid: `${'0'.repeat(31)}${n}@c`, from: `2026-05-0${n}`, to: '2026-05-09', summary: 'CLOSED - Ana Lima' });
      await run(c);
      time.advance(24 * HOUR);
    }
    expect(await only()).toMatchObject({
      guest_name: 'Ana Lima',
      checkin_date: day('2026-05-01'),
      source: 'channel_c',
    });
  });

  it('a closure over 60 nights is proposed as a block, and the proposal is stored', async () => {
    const c = await newSource('channel_c_ical');
    serve({ uid: 'l@c', from: '2026-06-01', to: '2026-09-01', summary: 'CLOSED - Not available' });
    await run(c);
    expect(await rows()).toEqual([]);
    expect((await db().syncSource.findUniqueOrThrow({ where: { id: c } })).marked_blocks).toEqual([
      { checkin_date: '2026-06-01', checkout_date: '2026-09-01', as: 'proposed' },
    ]);
    await run(c);
    expect(await db().syncSource.findUniqueOrThrow({ where: { id: c } })).toMatchObject({ last_status: 'unchanged' });
  });
});
