import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import type { FakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { previewFeed, simulateSyncRun } from './dry-run';
import * as host from './host.service';
import { runSyncOfSource } from './run/run';
import { createSyncSource, listSyncSourcePage } from './service';
import { openCalendarTestContext } from './testing/calendar-test-context';
import { type FeedServer, renderTestCalendarFeed } from './testing/feed-server';

const HOUR = 3_600_000;
let scope: Scope;
let time: FakeClock;
let feed: FeedServer;
let property_id: string;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  ({ time, scope, feed, property_id } = await openCalendarTestContext());
});
afterEach(async () => {
  setClock(null);
  await feed.close();
});

const db = () => systemDb();
const events = async () =>
  (await db().event.findMany({ orderBy: { sequence: 'asc' } })).map(({ type, body }) => ({ type, body }));
const types = async () => (await events()).map(({ type }) => type).filter((type) => type.startsWith('sync_source'));
const connect = (changes: object = {}) =>
  host.connectSyncSource(scope, {
    property_id,
    kind: 'channel_c_ical',
    feed_url: feed.url,
    closures_are_blocks: false,
    ...changes,
  });
const LONG = { uid: 'l@c', from: '2026-06-01', to: '2026-09-01', summary: 'CLOSED - Not available' };
const SHORT = { uid: 's@c', from: '2026-05-12', to: '2026-05-14', summary: 'CLOSED - Not available' };

it('only one of simultaneous requests to connect or change to the same calendar address succeeds', async () => {
  const all = await Promise.allSettled(Array.from({ length: 6 }, () => connect()));
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const one = await connect({ feed_url: `${feed.url}&room=1` });
  const two = await connect({ feed_url: `${feed.url}&room=2` });
  const to = { feed_url: `${feed.url}&room=3` };
  const moved = await Promise.allSettled([one, two].map(({ id }) => host.updateSyncSource(scope, { id, ...to })));
  expect(moved.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

it('simultaneous changes of different settings are all saved', async () => {
  const { id } = await connect();
  for (const round of [1, 2, 3]) {
    const rule = { id, words: `Away ${round}`, match: 'whole', as: 'block' } as const;
    const otherwise = round % 2 === 1 ? 'booking' : 'skip';
    await Promise.all([
      host.updateSyncSource(scope, { id, otherwise }),
      host.setFeedEntryClassificationRule(scope, rule),
    ]);
    const { reading } = await host.retrieveSyncSourceDetail(scope, id);
    expect(reading).toMatchObject({ otherwise, rules: { length: round } });
  }
});

describe('a preview', () => {
  it('reports the calendar’s bookings and blocks and stores nothing', async () => {
    feed.serve(
      renderTestCalendarFeed([
        SHORT,
        LONG,
        { uid: 'p@c', from: '2026-04-01', to: '2026-04-03', summary: 'CLOSED - Ana' },
      ]),
    );
    const input = { property_id, kind: 'channel_c_ical' as const, feed_url: feed.url, closures_are_blocks: false };
    expect(await previewFeed(scope, input)).toEqual({
      ok: true,
      bookings: 1,
      blocks: 1,
      next_arrival: '2026-05-12',
      unknown: 0,
      doubtful: [],
      doubtful_total: 0,
      problems: 0,
      whole: true,
      changes: [
        {
          what: 'create',
          reservation_id: null,
          same_nights: [],
          guest_name: 'Guest',
          checkin_date: '2026-05-12',
          checkout_date: '2026-05-14',
          was: null,
        },
      ],
      changes_total: 1,
    });
    expect(await previewFeed(scope, { ...input, closures_are_blocks: true })).toMatchObject({ bookings: 0, blocks: 2 });
    expect(await db().syncSource.count()).toBe(0);
    expect(await db().reservation.count()).toBe(0);
  });

  it.each<[string, Parameters<FeedServer['serve']>[0], object]>([
    ['a 404 response', { status: 404 }, { key: 'calendar.link_reset', values: { status: 404 } }],
    ['a web page', '<!doctype html><html></html>', { key: 'calendar.html', values: {} }],
  ])('of %s returns an error message', async (_name, answer, message) => {
    feed.serve(answer);
    expect(
      await previewFeed(scope, { property_id, kind: 'channel_a_ical', feed_url: feed.url, closures_are_blocks: false }),
    ).toMatchObject({ ok: false, message });
  });

  it.each<[string, object, string]>([
    ['an invalid address', { feed_url: 'nowhere' }, 'url_not_https'],
    ['a private address', { feed_url: 'https://10.0.0.1/a.ics' }, 'url_not_allowed'],
    ['an unknown property', { property_id: 'prop_nothing00' }, 'resource_missing'],
  ])('rejects %s', async (_name, changes, code) => {
    const input = { property_id, kind: 'channel_a_ical' as const, feed_url: feed.url, closures_are_blocks: false };
    await expect(previewFeed(scope, { ...input, ...changes })).rejects.toMatchObject({ code });
  });
});

describe('a dry run', () => {
  const ana = { uid: 'a@c', from: '2026-06-10', to: '2026-06-12', summary: 'CLOSED - Not available' };
  const would = async (id: string) => {
    const said = await simulateSyncRun(scope, id);
    if (!said.ok) throw new Error(String(said.message));
    return said.changes.map(({ what, checkin_date, was }) => [what, checkin_date, was?.checkin_date ?? null]);
  };

  it('lists what connecting would take over and the next run would change, and writes nothing', async () => {
    const { id } = await connect();
    feed.serve(renderTestCalendarFeed([ana, SHORT]));
    expect(await would(id)).toEqual([
      ['create', '2026-05-12', null],
      ['create', '2026-06-10', null],
    ]);
    expect(await db().reservation.count()).toBe(0);
    await runSyncOfSource(scope, id, 'forced');
    expect(await would(id)).toEqual([]);
    feed.serve(renderTestCalendarFeed([{ ...ana, from: '2026-06-09' }]));
    const before = JSON.stringify(await db().reservation.findMany());
    expect(await would(id)).toEqual([
      ['miss', '2026-05-12', null],
      ['update', '2026-06-09', '2026-06-10'],
    ]);
    expect(JSON.stringify(await db().reservation.findMany())).toBe(before);
    await host.removeSyncSource(scope, id);
    const input = { property_id, kind: 'channel_c_ical' as const, feed_url: feed.url, closures_are_blocks: false };
    const preview = await previewFeed(scope, input);
    expect(preview.ok && preview.changes.map(({ what }) => what)).toEqual(['update']);
  });

  it('reports the question that a run would ask, and why a calendar cannot be read', async () => {
    const { id } = await connect();
    feed.serve(renderTestCalendarFeed([ana, SHORT]));
    await runSyncOfSource(scope, id, 'forced');
    feed.serve(renderTestCalendarFeed([{ uid: 'x@c', from: '2026-12-01', to: '2026-12-03', summary: 'Blocked' }]));
    expect(await simulateSyncRun(scope, id)).toMatchObject({
      ok: true,
      asks: true,
      changes: [{ what: 'cancel' }, { what: 'cancel' }],
    });
    expect((await db().syncSource.findFirstOrThrow()).held).toEqual({ kept: [], question: null });
    feed.serve({ status: 404 });
    expect(await simulateSyncRun(scope, id)).toMatchObject({
      ok: false,
      message: { key: 'calendar.link_reset', values: { status: 404 } },
    });
  });

  it('is not available for a forwarding address', async () => {
    const { id } = await connect({ kind: 'forward_email', feed_url: null });
    await expect(simulateSyncRun(scope, id)).rejects.toMatchObject({ code: 'sync_not_supported' });
  });
});

describe('connecting', () => {
  it('makes a calendar due at once, encrypts its address and masks it in the event', async () => {
    const source = await connect();
    expect(source).toMatchObject({ feed_url: feed.url, property_name: 'Casa Azul', forwarding_address: null });
    const row = await db().syncSource.findUniqueOrThrow({ where: { id: source.id } });
    expect(row.feed_url).not.toContain('127.0.0.1');
    expect(row.next_run_at).toEqual(time.now());
    const created = (await events()).find(({ type }) => type === 'sync_source.created');
    expect(created?.body).not.toContain('t=secret');
  });

  it('generates a unique address for each forwarding source', async () => {
    const [one, two] = [
      await connect({ kind: 'forward_email', feed_url: null }),
      await connect({ kind: 'forward_email', feed_url: null }),
    ];
    expect(one.forwarding_address).toMatch(/^[0-9a-f]{20}@in\.threshold\.invalid$/);
    expect(one.forwarding_address).not.toBe(two.forwarding_address);
  });

  it('rejects a calendar address that is already connected, also with the webcal scheme', async () => {
    const url = 'https://example.com/a.ics';
    await createSyncSource(scope, { property_id, kind: 'channel_a_ical', feed_url: url });
    await expect(connect({ feed_url: 'webcal://example.com/a.ics' })).rejects.toMatchObject({
      code: 'invalid_field',
      param: 'feed_url',
    });
  });

  it.each([
    ['a calendar without an address', { feed_url: null }, 'missing_required_field'],
    ['a forwarding source with a calendar address', { kind: 'forward_email' }, 'invalid_field'],
  ])('rejects %s', async (_name, changes, code) => {
    await expect(connect(changes)).rejects.toMatchObject({ code });
  });
});

describe('changing a source', () => {
  it('emits one event for an actual change and none for a repeated one', async () => {
    const { id } = await connect();
    await host.updateSyncSource(scope, { id, enabled: false });
    await host.updateSyncSource(scope, { id, enabled: false, closures_are_blocks: false, feed_url: feed.url });
    expect(await types()).toEqual(['sync_source.created', 'sync_source.updated']);
  });

  it('applies closures_are_blocks even though the calendar did not change', async () => {
    feed.serve({
      body: renderTestCalendarFeed([
        SHORT,
        { uid: 'n@c', from: '2026-07-01', to: '2026-07-03', summary: 'CLOSED - Ana' },
      ]),
    });
    const { id } = await connect();
    await runSyncOfSource(scope, id, 'forced');
    expect(await host.listUpcomingStaysOfSyncSource(scope, id)).toHaveLength(2);
    await host.updateSyncSource(scope, { id, closures_are_blocks: true });
    await runSyncOfSource(scope, id, 'forced');
    time.advance(HOUR);
    await runSyncOfSource(scope, id, 'forced');
    const statuses = (await host.listUpcomingStaysOfSyncSource(scope, id)).map(({ guest_name, status }) => [
      guest_name,
      status,
    ]);
    expect(statuses).toEqual([
      ['Guest', 'ignored'],
      ['Ana', 'synced'],
    ]);
  });

  it('aborts the run in progress when disabling, and makes the source due when enabling', async () => {
    const { id } = await connect();
    feed.handle(async (response) => {
      await host.updateSyncSource(scope, { id, enabled: false });
      response.writeHead(200).end(renderTestCalendarFeed([SHORT]));
    });
    await expect(runSyncOfSource(scope, id, 'forced')).rejects.toMatchObject({ code: 'sync_in_progress' });
    expect(await db().reservation.count()).toBe(0);
    expect((await host.retrieveSyncSourceDetail(scope, id)).next_run_at).toBeNull();
    expect((await host.updateSyncSource(scope, { id, enabled: true })).next_run_at).toBe(time.now().toISOString());
  });

  it('to a new address fetches without the old validators and duplicates no reservation', async () => {
    const { id } = await connect();
    feed.serve({ body: renderTestCalendarFeed([SHORT]), headers: { ETag: '"v1"' } });
    await runSyncOfSource(scope, id, 'forced');
    await host.updateSyncSource(scope, { id, feed_url: feed.url.replace('secret', 'other') });
    await runSyncOfSource(scope, id, 'forced');
    expect(feed.requests.at(-1)).toMatchObject({ path: '/calendar.ics?t=other' });
    expect(feed.requests.at(-1)?.headers['if-none-match']).toBeUndefined();
    expect(await db().reservation.count()).toBe(1);
  });

  it('to a new address discards what was learned from the old one and keeps the host’s settings', async () => {
    const { id: fresh_id } = await connect({ feed_url: `${feed.url}&room=fresh` });
    const { id } = await connect();
    const then = time.now();
    const learned = {
      blocked_nights: [{ checkin_date: '2026-05-12', checkout_date: '2026-05-14', words: 'Closed' }],
      last_synced_at: then,
      last_status: 'shrunk',
      last_error: 'The calendar has 1 event.',
      last_healthy_count: 40,
      shrunk_since: then,
      empty_since: then,
      empty_mailed_at: then,
      held: { question: null, kept: ['res_1'] },
      waiting: true,
      fingerprint: 'f',
      etag: '"v1"',
      last_modified: 'yesterday',
      consecutive_failures: 3,
      failing_since: then,
      failure_mailed_at: then,
      running_until: then,
      running_token: 't',
    };
    await db().syncSource.update({ where: { id }, data: { ...learned, next_run_at: null } });
    // The host's answers and classified stays remain when the same listing gets another URL.
    const said = {
      enabled: true,
      closures_are_blocks: true,
      apply_proven_mails: true,
      marked_blocks: [{ checkin_date: '2026-05-12', checkout_date: '2026-05-14' }],
      reading: { otherwise: 'booking', rules: [] },
    };
    await db().syncSource.update({ where: { id }, data: said });
    await host.updateSyncSource(scope, { id, feed_url: `${feed.url}&room=other` });
    const row = await db().syncSource.findUniqueOrThrow({ where: { id } });
    const fresh = await db().syncSource.findUniqueOrThrow({ where: { id: fresh_id } });
    expect(row).toEqual({ ...fresh, ...said, id, feed_url: row.feed_url, held: { question: null, kept: [] } });
    // A new column must be added to one of the two lists.
    const of_itself = ['id', 'team_id', 'mode', 'property_id', 'kind', 'feed_url', 'inbound_token'];
    const times = ['next_run_at', 'created_at', 'updated_at'];
    expect(Object.keys(row).sort()).toEqual([...of_itself, ...Object.keys({ ...said, ...learned }), ...times].sort());
  });

  it('to a new address accepts a smaller calendar and discards misses counted in the old one', async () => {
    const stays = [1, 2, 3, 4, 5].map((n) => ({
      uid: `u${n}@c`,
      from: `2026-08-0${n}`,
      to: `2026-08-0${n + 1}`,
      summary: 'CLOSED - Ana',
    }));
    const { id } = await connect();
    feed.serve(renderTestCalendarFeed(stays));
    await runSyncOfSource(scope, id, 'forced');
    feed.serve(renderTestCalendarFeed(stays.slice(0, 4)));
    await runSyncOfSource(scope, id, 'forced');
    expect(await db().reservation.count({ where: { feed_misses: 1 } })).toBe(1);
    await host.updateSyncSource(scope, { id, feed_url: `${feed.url}&room=other` });
    time.advance(HOUR);
    feed.serve(renderTestCalendarFeed(stays.slice(0, 1)));
    expect((await runSyncOfSource(scope, id, 'forced')).last_status).toBe('ok');
    expect(await db().reservation.count({ where: { feed_misses: 1 } })).toBe(4);
    expect(await db().reservation.count({ where: { status: 'synced' } })).toBe(5);
  });
});

describe('marking a stay', () => {
  it('turns a proposed block into a booking', async () => {
    feed.serve(renderTestCalendarFeed([LONG]));
    const { id } = await connect();
    await runSyncOfSource(scope, id, 'forced');
    const stay = { checkin_date: LONG.from, checkout_date: LONG.to };
    expect(await host.listBlockOrBookingClassifications(scope, id)).toEqual({ marks: [{ ...stay, as: 'proposed' }] });
    await host.classifyStayAsBlockOrBooking(scope, { id, ...stay, as: 'booking' });
    expect(await host.listBlockOrBookingClassifications(scope, id)).toEqual({ marks: [{ ...stay, as: 'booking' }] });
    await runSyncOfSource(scope, id, 'forced');
    expect(await host.listUpcomingStaysOfSyncSource(scope, id)).toMatchObject([{ ...stay, status: 'synced' }]);
  });

  it('during a run is saved and applied by the next run, which is due at once', async () => {
    const { id } = await connect();
    time.advance(1_000);
    feed.handle(async (response) => {
      await host.classifyStayAsBlockOrBooking(scope, {
        id,
        checkin_date: SHORT.from,
        checkout_date: SHORT.to,
        as: 'block',
      });
      response.writeHead(200).end(renderTestCalendarFeed([SHORT]));
    });
    await runSyncOfSource(scope, id, 'forced');
    expect((await host.listBlockOrBookingClassifications(scope, id)).marks).toHaveLength(1);
    expect((await host.retrieveSyncSourceDetail(scope, id)).next_run_at).toBe(time.now().toISOString());
    await runSyncOfSource(scope, id, 'forced');
    expect(await db().reservation.count()).toBe(0);
  });

  it('by a word rule during an unchanged or failed run makes the next run due at once', async () => {
    const { id } = await connect();
    feed.serve(renderTestCalendarFeed([SHORT]));
    await runSyncOfSource(scope, id, 'schedule');
    expect((await host.retrieveSyncSourceDetail(scope, id)).next_run_at).not.toBe(time.now().toISOString());
    for (const status of [200, 500]) {
      time.advance(60_000);
      feed.handle(async (response) => {
        await host.setFeedEntryClassificationRule(scope, { id, words: `Away ${status}`, match: 'whole', as: 'block' });
        response.writeHead(status).end(renderTestCalendarFeed([SHORT]));
      });
      await runSyncOfSource(scope, id, 'schedule');
      expect((await host.retrieveSyncSourceDetail(scope, id)).next_run_at).toBe(time.now().toISOString());
    }
  });

  it('is rejected for a forwarding address', async () => {
    const { id } = await connect({ kind: 'forward_email', feed_url: null });
    await expect(
      host.classifyStayAsBlockOrBooking(scope, {
        id,
        checkin_date: '2026-06-01',
        checkout_date: '2026-06-02',
        as: 'block',
      }),
    ).rejects.toMatchObject({ code: 'sync_not_supported' });
  });
});

describe('removing a source', () => {
  it('keeps its reservations, and a new source of the channel takes them over', async () => {
    feed.serve(renderTestCalendarFeed([SHORT]));
    const { id } = await connect();
    await runSyncOfSource(scope, id, 'forced');
    await host.removeSyncSource(scope, id);
    expect((await listSyncSourcePage(scope, { limit: 25 }, true)).data).toEqual([]);
    await expect(host.retrieveSyncSourceDetail(scope, id)).rejects.toMatchObject({ code: 'resource_missing' });
    const again = await connect();
    await runSyncOfSource(scope, again.id, 'forced');
    expect(await host.listUpcomingStaysOfSyncSource(scope, again.id)).toHaveLength(1);
    expect(await db().reservation.count()).toBe(1);
  });

  it('is refused for another team’s source, as are changing it and listing its runs', async () => {
    const other = await insertTeam('live', 'other@example.com');
    const { id } = await connect();
    for (const call of [
      () => host.removeSyncSource(other, id),
      () => host.updateSyncSource(other, { id, enabled: false }),
      () => host.listSyncRuns(other, id),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'resource_missing' });
    }
  });
});
