import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getAppSecret, setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { decryptBytes } from '@/infra/encryption';
import { closeParserPool, getParserPool } from '@/infra/parser-pool';
import { WorkerPool } from '@/infra/worker-pool';
import { retrieveForwardedMail } from '@/modules/forwarded-mail/inbox.service';
import { MAIL_ENCRYPTION_PURPOSE, receiveMail } from '@/modules/forwarded-mail/receive';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { previewFeed } from '@/modules/sync-sources/dry-run';
import { runSyncOfSource } from '@/modules/sync-sources/run/run';
import { createSyncSource } from '@/modules/sync-sources/service';
import {
  type FeedServer,
  renderBookingDescription,
  renderTestCalendarFeed,
  startFeedServer,
} from '@/modules/sync-sources/testing/feed-server';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { MATRIX_TEST_OPTIONS, selectSampledCases } from '@/testing/sample';
import { clearDatabase, insertTeam } from '@/testing/team';

let scope: Scope;
let feed: FeedServer;

beforeAll(async () => {
  await openTestDatabase();
  await closeParserPool();
  // Uses a smaller budget than the product, and a worker that exceeds it on two special words. No
  // known calendar exceeds the budget.
  getParserPool({
    entry: () => path.resolve('src/parser-worker/memory-limit-worker.mjs'),
    size: 1,
    job_timeout_ms: 6_000,
    memory_mb: 128,
  });
});
afterAll(async () => {
  await closeParserPool();
  await closeTestDatabase();
});
beforeEach(async () => {
  setConfig({ inbound_domain: 'in.threshold.example' });
  await clearDatabase();
  scope = await insertTeam();
  feed = await startFeedServer();
});
afterEach(() => feed.close());

const ANA = { uid: 'ana@a', from: '2036-06-10', to: '2036-06-14', description: renderBookingDescription('HMANA00001') };
const taking = (what: string) =>
  renderTestCalendarFeed([ANA]).replace('BEGIN:VEVENT', `BEGIN:VEVENT\r\nX-TAKE:${what}`);
const db = () => systemDb();

async function newSource(in_scope = scope) {
  const property = await createProperty(in_scope, PropertyCreate.parse({ name: 'Casa Azul' }));
  return createSyncSource(in_scope, { property_id: property.id, kind: 'channel_a_ical', feed_url: feed.url });
}

describe.each(
  selectSampledCases([
    ['for-ever', 'calendar.took_too_long'],
    ['all-memory', 'calendar.too_much_memory'],
  ] as const),
)('a calendar whose parsing takes %s', MATRIX_TEST_OPTIONS, (what, key) => {
  it('fails one run of its owner with the reason, and delays nobody else', async () => {
    const source = await newSource();
    const other = await insertTeam('live', 'other@example.com');
    const theirs = await newSource(other);
    // The thread must exist before the time is measured.
    feed.serve(renderTestCalendarFeed([]));
    await runSyncOfSource(other, theirs.id, 'forced');

    feed.serve(taking(what));
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const failed = await runSyncOfSource(scope, source.id, 'forced');
    delay.disable();
    expect(failed).toMatchObject({ last_status: 'too_large', last_error: expect.stringContaining(`"${key}"`) });
    expect(failed.consecutive_failures).toBe(1);
    const told = await db().syncRun.findFirstOrThrow({ where: { sync_source_id: source.id } });
    expect(told).toMatchObject({ status: 'failed', error: failed.last_error });
    // The event loop was not blocked. The 95th percentile ignores short delays that other processes
    // cause.
    expect(delay.percentile(95) / 1e6).toBeLessThan(100);

    feed.serve(renderTestCalendarFeed([ANA]));
    expect(await runSyncOfSource(other, theirs.id, 'forced')).toMatchObject({ last_status: 'ok' });
    expect(await runSyncOfSource(scope, source.id, 'forced')).toMatchObject({ last_status: 'ok' });
    expect(await db().reservation.count()).toBe(2);
  });
});

it('the preview of a calendar that is not connected yet reports why it cannot be read', async () => {
  const { id } = await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul' }));
  feed.serve(taking('all-memory'));
  const input = { property_id: id, kind: 'channel_a_ical', feed_url: feed.url, closures_are_blocks: false } as const;
  const preview = await previewFeed(scope, input);
  expect(preview).toMatchObject({ ok: false });
  expect(String((preview as { message: unknown }).message)).toContain('too much memory');
});

it.each(
  selectSampledCases([
    ['for-ever', 'took_too_long'],
    ['all-memory', 'too_much_memory'],
  ] as const),
)(
  'a mail whose parsing takes %s is kept in the inbox once, and the next mail is read',
  MATRIX_TEST_OPTIONS,
  async (what, reason) => {
    const { id } = await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul' }));
    const source = await createSyncSource(scope, { property_id: id, kind: 'forward_email' });
    const address = `${source.inbound_token}@in.threshold.example`;
    const raw = (text: string) => new TextEncoder().encode(`From: a@b.example\r\nSubject: Hi\r\n\r\n${text}\r\n`);
    const receive = async (text: string) => (await receiveMail(raw(text), [address]))[0]?.outcome;
    expect(await receive(`X-TAKE:${what}`)).toBe('inbox');
    const [mail] = await db().inboundMail.findMany();
    expect(mail).toMatchObject({ status: 'inbox', reason });
    expect(decryptBytes(getAppSecret(), MAIL_ENCRYPTION_PURPOSE, mail!.raw!).toString()).toContain('Subject: Hi');
    expect((await retrieveForwardedMail(scope, mail!.id)).text).toContain('Subject: Hi');
    expect(await receive(`X-TAKE:${what}`)).toBe('duplicate');
    expect(await receive('Guest: Jane Doe')).toBe('inbox');
    expect(await db().inboundMail.findMany({ where: { reason } })).toHaveLength(1);
    expect(await db().inboundMail.findMany({ where: { reason: 'not_a_confirmation' } })).toHaveLength(1);
  },
);

it('an idle pool stops its thread, and a closed pool rejects its jobs', async () => {
  const pool = new WorkerPool({
    name: 'reader',
    entry: () => path.resolve('src/parser-worker/worker.dev.mjs'),
    size: 1,
    idle_ms: 50,
    job_timeout_ms: 10_000,
    memory_mb: 256,
  });
  const job = () => pool.run({ type: 'calendar', bytes: new Uint8Array(0), content_type: null, context: {} });
  expect(await job()).toMatchObject({ result: { ok: false, reason: 'empty_body' } });
  await expect.poll(() => pool.thread_count).toBe(0);
  const left = job();
  await Promise.all([expect(left).rejects.toMatchObject({ reason: 'closed' }), pool.close()]);
});
