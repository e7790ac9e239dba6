/** Tests failed runs, concurrent runs, and the time of the next run. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { parseStoredRefusal } from '@/shared/refusals/refusal';
import { readOutboundMails } from '@/testing/mail';
import { insertTeam } from '@/testing/team';
import { decryptFeedUrl } from '../serializer';
import { createSyncSource } from '../service';
import { FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN } from '../testing/calendar-test-context';
import { renderTestCalendarFeed, startFeedServer } from '../testing/feed-server';
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
  MINUTE_MS,
  pollAllDueCalendars,
  property_id,
  runSyncOfTestSource,
  scope,
  serveTestCalendarFeed,
  setUpSyncRunTests,
  source_id,
} from '../testing/run-test-context';
import { deleteOldSyncRuns, findDueCalendars, pollDueCalendar } from './due';
import { claimSyncSource, SYNC_SOURCE_LEASE_MS } from './lease.repository';

setUpSyncRunTests();

describe('fetching a calendar', () => {
  it.each<[string, { status?: number; headers?: Record<string, string>; body?: string }, string, RegExp]>([
    ['404', { status: 404 }, 'link_invalid', /returned 404. The link was probably reset/],
    ['403', { status: 403 }, 'access_denied', /returned 403/],
    ['429', { status: 429, headers: { 'Retry-After': '7200' } }, 'rate_limited', /returned 429/],
    ['500', { status: 500, body: 'Oops' }, 'channel_error', /returned 500/],
    ['a web page', { body: '<!doctype html><html></html>' }, 'not_a_calendar', /web page/],
    ['an empty body', { body: '' }, 'empty', /empty response/],
    ['an endless redirect', { status: 302, headers: { Location: '/' } }, 'link_invalid', /redirected us/],
    [
      'a redirect to a private address',
      { status: 302, headers: { Location: 'http://10.0.0.1/' } },
      'link_invalid',
      /private/,
    ],
  ])(
    'that returns %s is reported in words, retried later and cancels nothing',
    async (_name, answer, last_status, words) => {
      serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN);
      await runSyncOfTestSource();
      fakeClock.advance(HOUR_MS);
      feedServer.serve(answer);
      const after = await runSyncOfTestSource();
      expect(after.last_status).toBe(last_status);
      expect(String(parseStoredRefusal(after.last_error))).toMatch(words);
      expect(after).toMatchObject({ consecutive_failures: 1, failing_since: fakeClock.now(), running_token: null });
      const wait = after.next_run_at!.getTime() - fakeClock.now().getTime();
      expect(wait).toBeGreaterThanOrEqual(answer.headers?.['Retry-After'] ? 2 * HOUR_MS : 15 * MINUTE_MS);
      expect(await findLastSyncRun()).toMatchObject({ status: 'failed', http_status: answer.status ?? 200 });
      expect((await listReservations()).every(({ status }) => status === 'synced')).toBe(true);
      serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN);
      expect(await runSyncOfTestSource()).toMatchObject({
        last_status: 'ok',
        consecutive_failures: 0,
        failing_since: null,
      });
    },
  );

  it('manually does not postpone the planned run, unless the server requests it', async () => {
    feedServer.serve({ status: 500 });
    await runSyncOfTestSource();
    const planned = new Date(fakeClock.now().getTime() + 10 * MINUTE_MS);
    await getTestDb().syncSource.updateMany({ data: { consecutive_failures: 5, next_run_at: planned } });
    fakeClock.advance(MINUTE_MS);
    await runSyncOfTestSource();
    expect(await findTestSyncSource()).toMatchObject({ consecutive_failures: 5, next_run_at: planned });
    feedServer.serve({ status: 429, headers: { 'Retry-After': '3600' } });
    await runSyncOfTestSource();
    expect((await findTestSyncSource()).next_run_at!.getTime()).toBeGreaterThanOrEqual(
      fakeClock.now().getTime() + HOUR_MS,
    );
  });

  it('from an unreachable server is a failed run', async () => {
    const gone = await startFeedServer();
    const { id } = await createSyncSource(scope, { property_id, kind: 'channel_b_ical', feed_url: gone.url });
    await gone.close();
    expect(await runSyncOfTestSource(id)).toMatchObject({ last_status: 'unreachable' });
  });

  it('decodes gzip and follows a redirect to another path', async () => {
    feedServer.handle((response, path) => {
      if (path.startsWith('/calendar')) response.writeHead(302, { Location: '/moved.ics' }).end();
      else
        response
          .writeHead(200, { 'Content-Encoding': 'gzip' })
          .end(gzipSync(renderTestCalendarFeed([FEED_STAY_OF_GUEST_ANA])));
    });
    expect(await runSyncOfTestSource()).toMatchObject({ last_status: 'ok' });
    await findOnlyReservation();
  });

  it('redacts the calendar’s address in the stored excerpt of a response', async () => {
    const { pathname } = new URL(decryptFeedUrl(await getTestDb().syncSource.findFirstOrThrow()) ?? '');
    feedServer.serve({ status: 500, body: `No ${pathname} here, and no https://a.example${pathname}?x=1` });
    await runSyncOfTestSource();
    expect((await findLastSyncRun())?.excerpt).toMatch(/^No \/?•+ here/);
    expect((await findLastSyncRun())?.excerpt).not.toContain(pathname);
  });

  it('of more than 5 MB is rejected', async () => {
    feedServer.serve('x'.repeat(5 * 1024 * 1024 + 1));
    expect(await runSyncOfTestSource()).toMatchObject({ last_status: 'too_large' });
  });

  it('mails the owner once after a day of failures, and again for the next failure', async () => {
    feedServer.serve({ status: 404 });
    const mails = () => readOutboundMails({ template: 'sync_failing' });
    for (let hour = 0; hour < 40; hour += 4) {
      await pollAllDueCalendars();
      expect(await mails()).toHaveLength(hour < 24 ? 0 : 1);
      fakeClock.advance(4 * HOUR_MS);
      await getTestDb().syncSource.updateMany({ data: { next_run_at: fakeClock.now() } });
    }
    expect((await mails())[0]).toMatchObject({ to: 'owner@example.com', status: 'captured' });
    expect((await mails())[0]?.text).toContain('The link was probably reset');
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
    await runSyncOfTestSource();
    feedServer.serve({ status: 404 });
    await runSyncOfTestSource();
    fakeClock.advance(24 * HOUR_MS);
    await runSyncOfTestSource();
    expect(await mails()).toHaveLength(2);
  });

  it('on schedule emits one event when failures begin and one when they end', async () => {
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
    await runSyncOfTestSource();
    const completed = async () =>
      (await listEventTypes()).filter((type) => type === 'sync_source.run.completed').length;
    const due = async () => {
      fakeClock.advance(7 * HOUR_MS);
      await pollAllDueCalendars();
    };
    const before = await completed();
    feedServer.serve({ status: 500 });
    await due();
    await due();
    expect(await completed()).toBe(before + 1);
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
    await due();
    await due();
    expect(await completed()).toBe(before + 2);
  });
});

describe('concurrent runs', () => {
  it('of one source exclude each other', async () => {
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
    const results = await Promise.allSettled([
      runSyncOfTestSource(),
      runSyncOfTestSource(),
      runSyncOfTestSource(),
      runSyncOfTestSource(),
      runSyncOfTestSource(),
    ]);
    const codes = results.map((result) => (result.status === 'fulfilled' ? 'ran' : result.reason.code));
    expect(codes.filter((code) => code === 'ran').length).toBeGreaterThanOrEqual(1);
    expect(codes.every((code) => code === 'ran' || code === 'sync_in_progress')).toBe(true);
    await findOnlyReservation();
  });

  it('are refused while the source is leased, also by the schedule', async () => {
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
    expect(await claimSyncSource(source_id, scope)).not.toBeNull();
    await expect(runSyncOfTestSource()).rejects.toMatchObject({ code: 'sync_in_progress' });
    expect(await findDueCalendars()).toEqual([]);
    expect(await pollDueCalendar(source_id)).toEqual({ outcome: 'not_due' });
    fakeClock.advance(SYNC_SOURCE_LEASE_MS);
    await runSyncOfTestSource();
    await findOnlyReservation();
  });

  it('claim every due source once, however many instances search', async () => {
    for (let n = 0; n < 9; n++) await createTestSyncSource();
    const looks = await Promise.all([findDueCalendars(), findDueCalendars(), findDueCalendars()]);
    const claims = await Promise.all(looks.flat().map((due) => claimSyncSource(due.sync_source_id, 'due')));
    const ids = claims.flatMap((claimed) => (claimed ? [claimed.row.id] : []));
    expect(new Set(ids).size).toBe(10);
    expect(ids).toHaveLength(10);
  });

  it('a run whose lease was taken over writes nothing', async () => {
    feedServer.handle(async (response) => {
      await getTestDb().syncSource.update({ where: { id: source_id }, data: { running_token: 'another' } });
      response.writeHead(200).end(renderTestCalendarFeed([FEED_STAY_OF_GUEST_ANA]));
    });
    await expect(runSyncOfTestSource()).rejects.toMatchObject({ code: 'sync_in_progress' });
    expect(await listReservations()).toEqual([]);
    expect(await findTestSyncSource()).toMatchObject({ running_token: 'another' });
  });

  it('do not restore a source that was removed during its fetch', async () => {
    feedServer.handle(async (response) => {
      await getTestDb().syncSource.delete({ where: { id: source_id } });
      response.writeHead(200).end(renderTestCalendarFeed([FEED_STAY_OF_GUEST_ANA]));
    });
    await expect(runSyncOfTestSource()).rejects.toMatchObject({ code: 'sync_in_progress' });
    expect(await listReservations()).toEqual([]);
  });
});

describe('the schedule', () => {
  it('runs due and enabled sources of all teams and sets each one’s next run', async () => {
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
    const other = await insertTeam('test', 'other@example.com');
    const theirs = await createProperty(other, PropertyCreate.parse({ name: 'Loft' }));
    await createSyncSource(other, { property_id: theirs.id, kind: 'channel_b_ical', feed_url: feedServer.url });
    await createSyncSource(scope, { property_id, kind: 'forward_email' });
    const disabled = await createTestSyncSource();
    await getTestDb().syncSource.update({ where: { id: disabled }, data: { enabled: false } });
    expect(await pollAllDueCalendars()).toBe(2);
    expect(await pollAllDueCalendars()).toBe(0);
    const next = (await findTestSyncSource()).next_run_at!.getTime() - fakeClock.now().getTime();
    expect(next).toBeGreaterThanOrEqual(7.5 * MINUTE_MS);
    expect(next).toBeLessThanOrEqual(22.5 * MINUTE_MS);
    expect((await listReservations()).map(({ mode }) => mode).sort()).toEqual(['live', 'test']);
  });

  it('imports hundreds of bookings completely in one run', async () => {
    const stays = Array.from({ length: 350 }, (_, n) => {
      const from = new Date(Date.parse('2026-06-01') + n * 86_400_000).toISOString().slice(0, 10);
      const to = new Date(Date.parse(from) + 86_400_000).toISOString().slice(0, 10);
      return { uid: `u${n}@a`, from, to };
    });
    serveTestCalendarFeed(...stays);
    await runSyncOfTestSource();
    expect(await listReservations()).toHaveLength(350);
    expect(await findLastSyncRun()).toMatchObject({ counts: { created: 350, seen: 350 } });
    await runSyncOfTestSource();
    expect(await findTestSyncSource()).toMatchObject({ last_status: 'unchanged' });
  });

  it('reports each source’s host and the outcome of its run', async () => {
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
    const [due] = await findDueCalendars();
    expect(due).toMatchObject({
      sync_source_id: source_id,
      team_id: scope.team_id,
      host: new URL(feedServer.url).hostname,
    });
    expect(await pollDueCalendar(source_id)).toEqual({ outcome: 'ok', problem: null });
    feedServer.serve({ status: 404 });
    fakeClock.advance(30 * MINUTE_MS);
    expect((await pollDueCalendar(source_id)).outcome).not.toBe('ok');
  });

  it('continues after the clock was hours ahead for a while', async () => {
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
    fakeClock.advance(5 * HOUR_MS);
    await pollAllDueCalendars();
    fakeClock.advance(-5 * HOUR_MS);
    expect(await pollAllDueCalendars()).toBe(1);
  });

  it('deletes the records of runs after 30 days', async () => {
    serveTestCalendarFeed(FEED_STAY_OF_GUEST_ANA);
    await runSyncOfTestSource();
    expect(await deleteOldSyncRuns()).toBe(0);
    fakeClock.advance(31 * 24 * HOUR_MS);
    expect(await deleteOldSyncRuns()).toBe(1);
  });
});
