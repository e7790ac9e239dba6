/**
 * Tests questions to the host about particular stays. A run asks them, a mail and the dashboard
 * show them, and the host answers them in the dashboard. The answer is applied immediately.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import type { FakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readOutboundMails } from '@/testing/mail';
import { storeHostAnswerAndRunCalendar } from './answer-calendar-question';
import { simulateSyncRun } from './dry-run';
import * as host from './host.service';
import { runSyncOfSource } from './run/run';
import { createSyncSource } from './service';
import { openCalendarTestContext } from './testing/calendar-test-context';
import { type FeedServer, type FeedStay, renderTestCalendarFeed } from './testing/feed-server';

const HOUR = 3_600_000;
let scope: Scope;
let time: FakeClock;
let feed: FeedServer;
let source_id: string;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  const world = await openCalendarTestContext();
  ({ time, scope, feed } = world);
  const { property_id } = world;
  source_id = (await createSyncSource(scope, { property_id, kind: 'channel_c_ical', feed_url: feed.url })).id;
});
afterEach(async () => {
  setClock(null);
  await feed.close();
});

const closed = (uid: string, from: number, to: number, summary = 'CLOSED - Not available'): FeedStay => ({
  uid,
  from: `2026-06-${from}`,
  to: `2026-06-${to}`,
  summary,
});
const serve = (...stays: FeedStay[]) => feed.serve(renderTestCalendarFeed(stays));
const THIRD = closed('third', 24, 28);
const run = () => runSyncOfSource(scope, source_id, 'forced');
const detail = () => host.retrieveSyncSourceDetail(scope, source_id);
const rows = async () =>
  (await systemDb().reservation.findMany({ orderBy: [{ checkin_date: 'asc' }, { id: 'asc' }] })).map(
    ({ guest_name, status, checkin_date, checkout_date }) =>
      `${guest_name} ${status} ${checkin_date.getUTCDate()}-${checkout_date.getUTCDate()}`,
  );

async function settle() {
  for (let hour = 0; hour < 3; hour += 1) {
    time.advance(HOUR);
    await run();
  }
}

it('two closures merged into one raise one question, and the answer “keep” leaves both reservations unchanged', async () => {
  serve(closed('a', 10, 14), closed('b', 14, 18), THIRD);
  await run();
  const before = await rows();
  serve(closed('ab', 10, 18), THIRD);
  const dry = await simulateSyncRun(scope, source_id);
  expect(dry.ok && dry.asked).toMatchObject([
    { kind: 'rearranged', reservations: [{ checkin_date: '2026-06-10' }, { checkin_date: '2026-06-14' }] },
  ]);
  await settle();
  expect(await rows()).toEqual(before);
  const asked = await detail();
  expect(asked).toMatchObject({
    last_status: 'held',
    last_error: { key: 'calendar.stays_rearranged' },
    asked: [{ kind: 'rearranged', entries: [{ checkin_date: '2026-06-10', checkout_date: '2026-06-18' }] }],
  });
  expect(await readOutboundMails({ template: 'sync_asks_stays' })).toHaveLength(1);
  const [ask] = asked.asked;
  await expect(
    storeHostAnswerAndRunCalendar(scope, { id: source_id, answer: 'keep', since: ask!.since, key: 'another' }),
  ).rejects.toMatchObject({ code: 'concurrent_edit' });
  const after = await storeHostAnswerAndRunCalendar(scope, {
    id: source_id,
    answer: 'keep',
    since: ask!.since,
    key: ask!.key,
  });
  expect(after).toMatchObject({ asked: [], keeps: true, last_status: 'ok' });
  await settle();
  expect(await rows()).toEqual(before);
  // After the host's answer is withdrawn, the run asks the host the same question again.
  const again = await storeHostAnswerAndRunCalendar(scope, { id: source_id, answer: 'ask_again', since: null });
  expect(again.asked).toHaveLength(1);
});

it('a named closure that reappears on other days under a new UID moves its reservation only after the answer “apply”', async () => {
  serve(closed('a', 10, 14, 'CLOSED - Jane Doe'), THIRD);
  await run();
  const [jane] = await systemDb().reservation.findMany({ orderBy: { checkin_date: 'asc' } });
  serve(closed('new', 20, 24, 'CLOSED - Jane Doe'), THIRD);
  await settle();
  expect(await rows()).toEqual(['Jane Doe synced 10-14', 'Guest synced 24-28']);
  const [ask] = (await detail()).asked;
  expect(ask).toMatchObject({ kind: 'moved' });
  const after = await storeHostAnswerAndRunCalendar(scope, {
    id: source_id,
    answer: 'apply',
    since: ask!.since,
    key: ask!.key,
  });
  expect(after.asked).toEqual([]);
  await settle();
  expect(await rows()).toEqual(['Jane Doe synced 20-24', 'Guest synced 24-28']);
  expect((await systemDb().reservation.findUniqueOrThrow({ where: { id: jane!.id } })).external_uid).toBe('new');
});
