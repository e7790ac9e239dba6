/** Tests `POST /v1/sync_sources/{id}/run` as partners call it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { createSystemScope, type Scope } from '@/shared/scope';
import { startTestApiServer, type TestApiServer, type TestTeam } from '@/testing/api';
import type { SyncSource, SyncSourceKind } from './schemas';
import { createSyncSource } from './service';
import {
  type FeedServer,
  renderBookingDescription,
  renderTestCalendarFeed,
  startFeedServer,
} from './testing/feed-server';

let api: TestApiServer;
let team: TestTeam;
let scope: Scope;
let feed: FeedServer;
let property_id: string;

beforeAll(async () => {
  api = await startTestApiServer();
  feed = await startFeedServer();
  team = await api.createTeam();
  scope = createSystemScope(team.id, 'live', 'test');
});
afterAll(async () => {
  await feed.close();
  await api.close();
});
beforeEach(async () => {
  property_id = (await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul' }))).id;
  feed.serve(
    renderTestCalendarFeed([
      { uid: 'a@a', from: '2030-06-10', to: '2030-06-14', description: renderBookingDescription('HMANA00001') },
    ]),
  );
});

// A property can connect a calendar only once, so each source gets its own URL of the same server.
let rooms = 0;
const newSource = async (kind: SyncSourceKind = 'channel_a_ical') =>
  (
    await createSyncSource(scope, {
      property_id,
      kind,
      feed_url: kind === 'forward_email' ? null : `${feed.url}&room=${++rooms}`,
    })
  ).id;
const run = (id: string, options: { key?: string; headers?: Record<string, string> } = {}) =>
  api.request<SyncSource & { error: { code: string; type: string } }>('POST', `/sync_sources/${id}/run`, {
    key: team.live,
    ...options,
  });
const reservations = async () =>
  (
    await api.request<{ data: Record<string, unknown>[] }>('GET', `/reservations?property=${property_id}`, {
      key: team.live,
    })
  ).body.data;

describe('POST /sync_sources/{id}/run', () => {
  it('runs the calendar now and returns the source with its new status', async () => {
    const id = await newSource();
    const { status, body } = await run(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, object: 'sync_source', last_status: 'ok', last_error: null });
    expect(body.last_synced_at).toMatch(/Z$/);
    expect(await reservations()).toMatchObject([
      {
        status: 'synced',
        source: 'channel_a',
        guest_name: 'Guest HMANA00001',
        guest_contact_missing: true,
        checkin_date: '2030-06-10',
        checkout_date: '2030-06-14',
        external_source: 'channel_a_ical',
        external_id: 'HMANA00001',
      },
    ]);
    expect((await api.request('GET', `/sync_sources/${id}`, { key: team.live })).body).toEqual(body);
  });

  it('returns 200 with the error in last_error when the calendar cannot be read', async () => {
    const id = await newSource();
    feed.serve({ status: 404 });
    const { status, body } = await run(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ last_status: 'link_invalid' });
    expect(body.last_error).toContain('returned 404');
  });

  it('with an Idempotency-Key runs once and replays its response', async () => {
    const id = await newSource();
    const before = feed.requests.length;
    const first = await run(id, { headers: { 'Idempotency-Key': `run ${id}` } });
    const second = await run(id, { headers: { 'Idempotency-Key': `run ${id}` } });
    expect(first.status).toBe(200);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replay')).toBe('true');
    expect(feed.requests.length - before).toBe(1);
    expect(await reservations()).toHaveLength(1);
  });

  it('holds no database transaction open while it waits for the calendar', async () => {
    const id = await newSource();
    let during: number | null = null;
    feed.handle(async (response) => {
      // On the embedded database, this request would block if the run held a transaction open
      // during the fetch.
      during = (await api.request('GET', '/properties', { key: team.live })).status;
      response.writeHead(200).end(renderTestCalendarFeed([]));
    });
    expect((await run(id, { headers: { 'Idempotency-Key': `slow ${id}` } })).status).toBe(200);
    expect(during).toBe(200);
  });

  it('persists a run’s reservations even when its response cannot be stored', async () => {
    const id = await newSource();
    feed.handle(async (response) => {
      await systemDb().idempotencyRecord.deleteMany({ where: { key: `lost ${id}` } });
      const stay = {
        uid: 'a@a',
        from: '2030-06-10',
        to: '2030-06-14',
        description: renderBookingDescription('HMANA00002'),
      };
      response.writeHead(200).end(renderTestCalendarFeed([stay]));
    });
    const lost = await run(id, { headers: { 'Idempotency-Key': `lost ${id}` } });
    expect(lost.body.error.code).toBe('idempotency_key_in_use');
    expect(await reservations()).toMatchObject([{ external_id: 'HMANA00002' }]);
  });

  it('returns 409 for a disabled, unsupported or running source, and 404 for an unknown one or another mode’s', async () => {
    const disabled = await newSource();
    await systemDb().syncSource.update({ where: { id: disabled }, data: { enabled: false } });
    const busy = await newSource();
    await systemDb().syncSource.update({
      where: { id: busy },
      data: { running_until: new Date(Date.now() + 60_000), running_token: 'x' },
    });
    const answers = [
      await run(disabled),
      await run(await newSource('forward_email')),
      await run(busy),
      await run('ss_nothing00'),
      await run(await newSource(), { key: team.test }),
    ];
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([
      [409, 'sync_source_disabled'],
      [409, 'sync_not_supported'],
      [409, 'sync_in_progress'],
      [404, 'resource_missing'],
      [404, 'resource_missing'],
    ]);
  });

  it('runs one of two simultaneous requests and rejects the other with 409', async () => {
    const id = await newSource();
    feed.handle(async (response) => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      response.writeHead(200).end(renderTestCalendarFeed([]));
    });
    const answers = await Promise.all([run(id), run(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
