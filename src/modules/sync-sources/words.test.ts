/**
 * Tests the host's word rules, which classify calendar entries as bookings or blocks by their text,
 * and calendars that do not belong to a channel.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import type { FakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { previewFeed, simulateSyncRun } from './dry-run';
import * as host from './host.service';
import type { FeedEntryInterpretationSettings } from './json-columns.schemas';
import { runSyncOfSource } from './run/run';
import { listSyncSourcePage, retrieveSyncSource } from './service';
import { openCalendarTestContext } from './testing/calendar-test-context';
import { type FeedServer, type FeedStay, renderTestCalendarFeed } from './testing/feed-server';

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

const connect = (kind: 'other_ical' | 'channel_a_ical', reading?: FeedEntryInterpretationSettings) =>
  host.connectSyncSource(scope, {
    property_id,
    kind,
    feed_url: feed.url,
    closures_are_blocks: false,
    ...(reading && { reading: { ...reading, rules: [...reading.rules] } }),
  });
const run = (id: string) => runSyncOfSource(scope, id, 'forced');
const rows = async () =>
  (await systemDb().reservation.findMany({ orderBy: [{ checkin_date: 'asc' }, { id: 'asc' }] })).map(
    ({ guest_name, status, source }) => `${guest_name} ${status} ${source}`,
  );
const stay = (uid: string, month: number, summary: string): FeedStay => ({
  uid,
  from: `2026-${String(month).padStart(2, '0')}-10`,
  to: `2026-${String(month).padStart(2, '0')}-14`,
  summary,
});
const ALL: FeedEntryInterpretationSettings = { otherwise: 'booking', rules: [] };

describe('a non-channel calendar', () => {
  const OWN = [
    stay('1', 6, 'Jane Doe'),
    stay('2', 7, 'Not available'),
    stay('3', 8, 'Booked - Ben Okri'),
    stay('4', 9, 'Müller, 2 Gäste'),
    stay('5', 10, 'CLOSED'),
    stay('6', 11, 'Tentative'),
  ];

  it('creates direct bookings under the guests’ names, and none for blocks', async () => {
    feed.serve(renderTestCalendarFeed(OWN));
    const { id } = await connect('other_ical', ALL);
    await run(id);
    expect(await rows()).toEqual(['Jane Doe synced direct', 'Ben Okri synced direct', 'Müller synced direct']);
    feed.serve(renderTestCalendarFeed(OWN.map((one) => ({ ...one, summary: `${one.summary} ` }))));
    await run(id);
    expect(await rows()).toHaveLength(3);
  });

  it('creates only the entries that are clearly bookings, and its preview counts the others as unknown', async () => {
    feed.serve(renderTestCalendarFeed([...OWN, stay('7', 12, 'Birthday of Tom')]));
    const input = { property_id, kind: 'other_ical' as const, feed_url: feed.url, closures_are_blocks: false };
    expect(await previewFeed(scope, input)).toMatchObject({ bookings: 1, unknown: 3 });
    expect(await previewFeed(scope, { ...input, reading: { otherwise: 'booking', rules: [] } })).toMatchObject({
      bookings: 4,
      unknown: 0,
    });
    const { id } = await connect('other_ical');
    await run(id);
    expect(await rows()).toEqual(['Ben Okri synced direct']);
  });

  it('asks about all entries that look like blocks at once, and then follows the host’s answer', async () => {
    feed.serve(
      renderTestCalendarFeed([
        stay('1', 6, 'Jane Doe'),
        stay('2', 7, 'Maintenance, Mr Doe'),
        stay('3', 8, 'Owner: Smiths'),
        stay('4', 9, 'Cleaning'),
      ]),
    );
    const input = { property_id, kind: 'other_ical' as const, feed_url: feed.url, closures_are_blocks: false };
    const asked = await previewFeed(scope, { ...input, reading: { otherwise: 'booking', rules: [] } });
    expect(asked).toMatchObject({ bookings: 1, blocks: 1, doubtful_total: 2, changes_total: 1 });
    expect(asked.ok && asked.doubtful.map(({ summary }) => summary)).toEqual(['Maintenance, Mr Doe', 'Owner: Smiths']);
    const reading = { otherwise: 'booking' as const, doubtful: 'booking' as const, rules: [] };
    expect(await previewFeed(scope, { ...input, reading })).toMatchObject({
      bookings: 3,
      doubtful: [],
      doubtful_total: 0,
    });
    const { id } = await connect('other_ical', ALL);
    await run(id);
    expect(await rows()).toEqual(['Jane Doe synced direct']);
    expect(await simulateSyncRun(scope, id)).toMatchObject({ doubtful: asked.ok && asked.doubtful, doubtful_total: 2 });
    expect((await host.listSyncRuns(scope, id))[0]?.skipped.map(({ reason }) => reason)).toEqual([
      'looks_like_block',
      'looks_like_block',
      'block',
    ]);
    const said = await host.updateSyncSource(scope, { id, doubtful: 'booking' });
    expect(said.reading).toMatchObject({ otherwise: 'booking', doubtful: 'booking' });
    await run(id);
    expect(await rows()).toHaveLength(3);
    await host.setFeedEntryClassificationRule(scope, { id, words: 'Jane', match: 'contains', as: 'booking' });
    expect((await host.retrieveSyncSourceDetail(scope, id)).reading).toMatchObject({ doubtful: 'booking' });
  });

  it('keeps a reservation whose entry later looks like a block', async () => {
    feed.serve(renderTestCalendarFeed([stay('1', 6, 'Jane Doe'), stay('2', 7, 'Tom Roe')]));
    const { id } = await connect('other_ical', ALL);
    await run(id);
    feed.serve(renderTestCalendarFeed([stay('1', 6, 'Maintenance, Mr Doe'), stay('2', 7, 'Tom Roe')]));
    for (let turn = 0; turn < 3; turn++) {
      await run(id);
      time.advance(HOUR);
    }
    expect(await rows()).toEqual(['Jane Doe synced direct', 'Tom Roe synced direct']);
  });

  it('is hidden from partners: not listed, retrieved or sent in events', async () => {
    feed.serve(renderTestCalendarFeed(OWN));
    const { id } = await connect('other_ical', ALL);
    await run(id);
    await host.updateSyncSource(scope, { id, otherwise: 'skip' });
    expect((await listSyncSourcePage(scope, { limit: 25 }, false)).data).toEqual([]);
    expect((await listSyncSourcePage(scope, { limit: 25 }, true)).data).toHaveLength(1);
    await expect(retrieveSyncSource(scope, id, false)).rejects.toMatchObject({ code: 'resource_missing' });
    const types = (await systemDb().event.findMany()).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith('sync_source'))).toEqual([]);
    expect(types.filter((type) => type === 'reservation.created')).toHaveLength(3);
  });
});

describe('a word rule', () => {
  it('turns entries with unknown words into bookings from the next run, even in an unchanged calendar', async () => {
    feed.serve(
      renderTestCalendarFeed([
        stay('1', 6, 'Fully taken'),
        stay('2', 7, 'Fully  TAKEN'),
        stay('3', 8, 'Fully taken, maybe'),
      ]),
    );
    const { id } = await connect('channel_a_ical');
    await run(id);
    expect(await rows()).toEqual([]);
    const changed = await host.setFeedEntryClassificationRule(scope, {
      id,
      words: 'fully taken',
      match: 'whole',
      as: 'booking',
    });
    expect(changed.reading.rules).toEqual([{ words: 'fully taken', match: 'whole', as: 'booking' }]);
    expect((await systemDb().syncSource.findFirstOrThrow()).next_run_at).toEqual(time.now());
    await run(id);
    expect(await rows()).toEqual(['Guest synced channel_a', 'Guest synced channel_a']);
  });

  it('for blocks cancels the bookings that it matches, and its removal restores them', async () => {
    feed.serve(renderTestCalendarFeed([stay('1', 6, 'Reserved'), stay('2', 7, 'Reserved by the club')]));
    const { id } = await connect('other_ical', ALL);
    await run(id);
    expect(await rows()).toHaveLength(2);
    await host.setFeedEntryClassificationRule(scope, { id, words: 'Club', match: 'contains', as: 'block' });
    for (let turn = 0; turn < 3; turn++) {
      await run(id);
      time.advance(HOUR);
    }
    expect((await rows()).map((text) => text.split(' ').at(-2))).toEqual(['synced', 'ignored']);
    await host.setFeedEntryClassificationRule(scope, { id, words: 'club', match: 'contains', as: null });
    await run(id);
    expect((await rows()).map((text) => text.split(' ').at(-2))).toEqual(['synced', 'synced']);
  });

  it('is stored once for each wording, at most a hundred in total, and never for forwarded mail', async () => {
    const { id } = await connect('channel_a_ical');
    await host.setFeedEntryClassificationRule(scope, { id, words: 'Taken', match: 'whole', as: 'booking' });
    const { reading } = await host.setFeedEntryClassificationRule(scope, {
      id,
      words: ' TAKEN',
      match: 'whole',
      as: 'block',
    });
    expect(reading.rules.map(({ as }) => as)).toEqual(['block']);
    for (let count = 1; count < 100; count++)
      await host.setFeedEntryClassificationRule(scope, { id, words: `word ${count}`, match: 'contains', as: 'block' });
    await expect(
      host.setFeedEntryClassificationRule(scope, { id, words: 'one more', match: 'whole', as: 'block' }),
    ).rejects.toMatchObject({ code: 'too_many_items' });
    const mail = await host.connectSyncSource(scope, {
      property_id,
      kind: 'forward_email',
      closures_are_blocks: false,
    });
    await expect(
      host.setFeedEntryClassificationRule(scope, { id: mail.id, words: 'x', match: 'whole', as: 'block' }),
    ).rejects.toMatchObject({ code: 'sync_not_supported' });
  });
});
