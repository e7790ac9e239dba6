/**
 * Tests a run that asks the host first because it would change too much: its question, its mail to
 * the owner, and its record.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { updateReservation } from '@/modules/reservations/service';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import type { FakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readOutboundMails } from '@/testing/mail';
import { addTestUserToTeams } from '@/testing/team';
import { storeHostAnswerAndRunCalendar } from '../answer-calendar-question';
import * as host from '../host.service';
import { createSyncSource } from '../service';
import {
  FEED_STAY_OF_GUEST_ANA,
  FEED_STAY_OF_GUEST_BEN,
  openCalendarTestContext,
} from '../testing/calendar-test-context';
import {
  type FeedServer,
  type FeedStay,
  renderBookingDescription,
  renderTestCalendarFeed,
} from '../testing/feed-server';
import { runSyncOfSource } from './run';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let scope: Scope;
let time: FakeClock;
let feed: FeedServer;
let property_id: string;
let source_id: string;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  ({ time, scope, feed, property_id } = await openCalendarTestContext());
  source_id = await newSource();
});
afterEach(async () => {
  setClock(null);
  await feed.close();
});

// A property can connect a calendar only once, so each source gets its own URL of the same server.
let rooms = 0;
const newSource = async () =>
  (await createSyncSource(scope, { property_id, kind: 'channel_a_ical', feed_url: `${feed.url}&room=${++rooms}` })).id;
const run = (id = source_id) => runSyncOfSource(scope, id, 'forced');
const serve = (...stays: FeedStay[]) => feed.serve(renderTestCalendarFeed(stays));
const db = () => systemDb();
const rows = () => db().reservation.findMany({ orderBy: [{ checkin_date: 'asc' }, { id: 'asc' }] });
const only = async () => {
  const [row, ...others] = await rows();
  expect(others).toEqual([]);
  return row!;
};
const lastRun = () => db().syncRun.findFirstOrThrow({ orderBy: { id: 'desc' } });

describe('a run that would cancel all bookings', () => {
  const GONE = { uid: 'x@a', from: '2026-12-20', to: '2026-12-25', summary: 'Channel A (Not available)' };
  const asks = () => readOutboundMails({ template: 'sync_asks' });

  it('changes nothing and asks the owner once, by mail and in the dashboard, until all bookings are back', async () => {
    serve(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN);
    await run();
    const before = JSON.stringify(await rows());
    serve(GONE);
    for (let hour = 0; hour < 5; hour++) {
      expect(await run()).toMatchObject({ last_status: 'held' });
      time.advance(HOUR);
    }
    expect(JSON.stringify(await rows())).toBe(before);
    const mails = await asks();
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ to: 'owner@example.com' });
    expect(mails[0]?.text).toContain('Guest HMANA00001');
    const { held } = await host.retrieveSyncSourceDetail(scope, source_id);
    expect(held?.would).toMatchObject([
      { what: 'cancel', guest_name: 'Guest HMANA00001', checkin_date: FEED_STAY_OF_GUEST_ANA.from },
      { what: 'cancel', guest_name: 'Guest HMBEN00001', checkin_date: FEED_STAY_OF_GUEST_BEN.from },
    ]);
    serve(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN);
    expect(await run()).toMatchObject({ last_status: 'ok' });
    expect((await host.retrieveSyncSourceDetail(scope, source_id)).held).toBeNull();
    expect(JSON.stringify(await rows())).toBe(before);
  });

  it('makes the changes and mails the cancellations after the answer “apply”', async () => {
    serve(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN);
    await run();
    serve(GONE, { uid: 'new@a', from: '2026-08-01', to: '2026-08-03' });
    await run();
    const since = (await host.retrieveSyncSourceDetail(scope, source_id)).held!.since;
    const after = await storeHostAnswerAndRunCalendar(scope, { id: source_id, answer: 'apply', since });
    expect(after).toMatchObject({ held: null, last_status: 'ok' });
    expect((await rows()).map(({ status }) => status)).toEqual(['ignored', 'ignored', 'synced']);
    const [mail, ...others] = await readOutboundMails({ template: 'sync_cancelled' });
    expect(others).toEqual([]);
    expect(mail?.subject).toContain('2 bookings');
  });

  it('leaves everything unchanged after the answer “keep”, until the host chooses to be asked again', async () => {
    serve(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN);
    await run();
    serve(GONE);
    await run();
    const since = (await host.retrieveSyncSourceDetail(scope, source_id)).held!.since;
    expect(await storeHostAnswerAndRunCalendar(scope, { id: source_id, answer: 'keep', since })).toMatchObject({
      held: null,
      keeps: true,
    });
    for (let hour = 0; hour < 3; hour++) {
      time.advance(HOUR);
      expect(await run()).toMatchObject({ last_status: 'unchanged' });
    }
    expect((await rows()).map(({ status, feed_misses }) => [status, feed_misses])).toEqual([
      ['synced', 0],
      ['synced', 0],
    ]);
    const again = await storeHostAnswerAndRunCalendar(scope, { id: source_id, answer: 'ask_again', since: null });
    expect(again.held?.would).toHaveLength(2);
  });

  it('delays the answer “apply” while the calendar is empty, without asking again', async () => {
    serve(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN);
    await run();
    serve(GONE);
    await run();
    const since = (await host.retrieveSyncSourceDetail(scope, source_id)).held!.since;
    serve();
    const waiting = await storeHostAnswerAndRunCalendar(scope, { id: source_id, answer: 'apply', since });
    expect(waiting).toMatchObject({ held: { apply: true }, last_status: 'empty' });
    expect((await rows()).every(({ status }) => status === 'synced')).toBe(true);
    serve(GONE);
    await run();
    expect((await rows()).every(({ status }) => status === 'ignored')).toBe(true);
    expect(await asks()).toHaveLength(1);
  });

  it('rejects an answer to a question that no longer exists', async () => {
    serve(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN);
    await run();
    for (const answer of ['apply', 'keep'] as const) {
      const late = storeHostAnswerAndRunCalendar(scope, { id: source_id, answer, since: time.now().toISOString() });
      await expect(late).rejects.toMatchObject({ code: 'concurrent_edit' });
    }
  });

  it('asks again under a new calendar address despite an earlier answer', async () => {
    serve(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN);
    await run();
    serve(GONE);
    await run();
    const since = (await host.retrieveSyncSourceDetail(scope, source_id)).held!.since;
    await storeHostAnswerAndRunCalendar(scope, { id: source_id, answer: 'keep', since });
    await host.updateSyncSource(scope, { id: source_id, feed_url: `${feed.url}&room=new` });
    expect(await run()).toMatchObject({ last_status: 'held' });
  });
});

describe('the mails to the owner', () => {
  it('list every cancellation of a run in one mail', async () => {
    const CLEO = {
      ...FEED_STAY_OF_GUEST_BEN,
      uid: 'cleo@a',
      from: '2026-09-01',
      to: '2026-09-03',
      description: renderBookingDescription('HMCLEO0001'),
    };
    serve(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN, CLEO);
    await run();
    serve({ ...FEED_STAY_OF_GUEST_ANA, status: 'CANCELLED' }, { ...FEED_STAY_OF_GUEST_BEN, status: 'CANCELLED' }, CLEO);
    await run();
    await run();
    const mails = await readOutboundMails({ template: 'sync_cancelled' });
    expect(mails).toHaveLength(1);
    for (const name of ['HMANA00001', 'HMBEN00001']) expect(mails[0]?.text).toContain(name);
    expect(mails[0]?.text).not.toContain('HMCLEO0001');
  });

  it('do not mention a booking cancelled in the calendar during the stay, which is left unchanged', async () => {
    serve({ ...FEED_STAY_OF_GUEST_ANA, from: '2026-05-03' }, FEED_STAY_OF_GUEST_BEN);
    await run();
    time.advance(4 * 24 * HOUR);
    serve({ ...FEED_STAY_OF_GUEST_ANA, from: '2026-05-03', status: 'CANCELLED' }, FEED_STAY_OF_GUEST_BEN);
    for (let hour = 0; hour < 3; hour++) {
      await run();
      time.advance(HOUR);
      serve(
        { ...FEED_STAY_OF_GUEST_ANA, from: '2026-05-03', status: 'CANCELLED' },
        { ...FEED_STAY_OF_GUEST_BEN, summary: `Reserved ${hour}` },
      );
    }
    expect((await rows()).map(({ status }) => status)).toEqual(['synced', 'synced']);
    expect(await readOutboundMails({ template: 'sync_cancelled' })).toEqual([]);
  });

  it('report once that a calendar has been empty for three days despite upcoming bookings', async () => {
    const mails = () => readOutboundMails({ template: 'sync_empty' });
    serve(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN);
    await run();
    serve();
    for (let day = 0; day <= 5; day++) {
      await run();
      expect(await mails()).toHaveLength(day < 3 ? 0 : 1);
      time.advance(24 * HOUR);
    }
    expect((await rows()).every(({ status }) => status === 'synced')).toBe(true);
    serve(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN);
    await run();
    serve();
    await run();
    time.advance(3 * 24 * HOUR);
    await run();
    expect(await mails()).toHaveLength(2);
  });

  it('do not report an empty calendar without upcoming bookings', async () => {
    serve({ ...FEED_STAY_OF_GUEST_ANA, from: '2026-05-01', to: '2026-05-03' });
    await run();
    serve();
    for (let day = 0; day <= 5; day++) {
      await run();
      time.advance(24 * HOUR);
    }
    expect(await readOutboundMails({ template: 'sync_empty' })).toEqual([]);
  });
});

describe('a run’s record', () => {
  it('lists what was cancelled, moved and created, with guest names and earlier dates', async () => {
    const CLEO = {
      ...FEED_STAY_OF_GUEST_BEN,
      uid: 'cleo@a',
      from: '2026-09-01',
      to: '2026-09-03',
      description: renderBookingDescription('HMCLEO0001'),
    };
    serve(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN);
    await run();
    serve({ ...FEED_STAY_OF_GUEST_ANA, status: 'CANCELLED' }, { ...FEED_STAY_OF_GUEST_BEN, to: '2026-07-16' }, CLEO);
    await run();
    const [last, first] = await host.listSyncRuns(scope, source_id);
    const names = (changes: typeof last extends { changes: infer C } | undefined ? C : never) =>
      changes.map(({ what, guest_name }) => [what, guest_name]);
    expect(names(last!.changes)).toEqual([
      ['cancelled', 'Guest HMANA00001'],
      ['updated', 'Guest HMBEN00001'],
      ['created', 'Guest HMCLEO0001'],
    ]);
    expect(last!.changes[1]).toMatchObject({
      checkout_date: '2026-07-16',
      was: { checkin_date: '2026-07-10', checkout_date: '2026-07-14' },
    });
    expect(names(first!.changes).map(([what]) => what)).toEqual(['created', 'created']);
  });

  it('names the member who started the run', async () => {
    serve(FEED_STAY_OF_GUEST_ANA);
    await addTestUserToTeams(scope.team_id);
    const actor = { kind: 'user', id: 'user_1', name: 'Olga', role: 'owner' } as const;
    await runSyncOfSource({ ...scope, actor }, source_id, 'forced');
    expect((await host.listSyncRuns(scope, source_id))[0]?.started_by).toEqual({ kind: 'member', name: 'Olga' });
  });

  it('stores no guest name, because the page reads it from the reservation', async () => {
    serve(FEED_STAY_OF_GUEST_ANA);
    await run();
    const { id } = await only();
    await updateReservation(scope, id, { guest_name: 'Ana Lima' }, null);
    expect(JSON.stringify((await lastRun()).changes)).not.toContain('Guest');
    expect((await host.listSyncRuns(scope, source_id))[0]?.changes).toMatchObject([{ guest_name: 'Ana Lima' }]);
  });
});
