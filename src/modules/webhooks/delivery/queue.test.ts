import { describe, expect, it, vi } from 'vitest';
import { recordTeamWithRecentEvent } from '@/events/active-teams';
import { relayEventBatch } from '@/events/relay';
import { systemDb } from '@/infra/db/client';
import { getRegisteredProcessId } from '@/infra/process/processes';
import { startRawHttpReceiver } from '@/testing/raw-receiver';
import { commitTestEvent } from '@/testing/team';
import { MAX_PARALLEL_ATTEMPTS_PER_ENDPOINT } from '../endpoint-health.rules';
import { updateEndpoint } from '../service';
import { deliverDueEventsToEndpoint, releaseDeliveryLeasesOfDeadProcesses } from './delivery';
import { claimDueDeliveries } from './queue.repository';
import { requestDeliveryRuns, rescheduleDeliveriesDatedByFastClock } from './request-runs';
import { saveFinishedDeliveryAttempts } from './results';
import {
  createEndpointForUrl,
  deliverDueAttempts,
  fakeClock,
  findEndpoint,
  getUnreachableUrl,
  listStoredDeliveryAttempts,
  MINUTE_MS,
  runNextDeliveryAttempt,
  scope,
  sendEvent,
  setUpDeliveryTests,
  TEST_ENDPOINT_DELIVERY_RUN_LIMITS,
  webhookReceiver,
} from './testing/delivery-test-context';

setUpDeliveryTests();

describe('the queue', () => {
  it('requests a run again at once when the first request was committed but its response was lost', async () => {
    const id = await createEndpointForUrl(webhookReceiver.url);
    await commitTestEvent(scope);
    await relayEventBatch(async () => {});
    const asked: string[] = [];
    const ask = async (work: { endpoint_id: string }[]) => void asked.push(...work.map((one) => one.endpoint_id));
    const query = systemDb().$queryRaw.bind(systemDb());
    let calls = 0;
    const spy = vi.spyOn(systemDb(), '$queryRaw').mockImplementation((async (...args: Parameters<typeof query>) => {
      const rows = await query(...args);
      // The second query stores the time of the requested run. It succeeds, but its response is
      // lost.
      if (++calls === 2) throw new Error('Query read timeout');
      return rows;
    }) as never);
    await expect(requestDeliveryRuns(ask)).rejects.toThrow('Query read timeout');
    spy.mockRestore();
    expect(await findEndpoint(id)).toMatchObject({ wake_at: expect.any(Date) });
    await requestDeliveryRuns(ask);
    expect(asked).toEqual([id]);
  });

  it('assigns each due attempt to one of several workers', async () => {
    const id = await createEndpointForUrl(webhookReceiver.url);
    for (let index = 0; index < 60; index++) await commitTestEvent(scope);
    await relayEventBatch(async () => {});
    // A second copy of the modules has its own state, as in another process.
    vi.resetModules();
    const other = await import('./delivery');
    await Promise.all([
      deliverDueEventsToEndpoint(id, TEST_ENDPOINT_DELIVERY_RUN_LIMITS),
      other.deliverDueEventsToEndpoint(id, TEST_ENDPOINT_DELIVERY_RUN_LIMITS),
    ]);
    await Promise.all([
      deliverDueEventsToEndpoint(id, TEST_ENDPOINT_DELIVERY_RUN_LIMITS),
      other.deliverDueEventsToEndpoint(id, TEST_ENDPOINT_DELIVERY_RUN_LIMITS),
    ]);
    expect(webhookReceiver.requests).toHaveLength(60);
    expect(new Set(webhookReceiver.requests.map(({ headers }) => headers['service-delivery-id'])).size).toBe(60);
    expect(await systemDb().webhookDelivery.count({ where: { endpoint_id: id, status: 'succeeded' } })).toBe(60);
  });

  it('repeats an attempt with the same ids after its worker died, and ignores that worker’s late result', async () => {
    const id = await createEndpointForUrl(webhookReceiver.url);
    await commitTestEvent(scope);
    await relayEventBatch(async () => {});
    const lease_until = new Date(fakeClock.now().getTime() + 30_000);
    const [held] = await claimDueDeliveries(
      [{ endpoint_id: id, in_flight: 0, most: 99 }],
      fakeClock.now(),
      lease_until,
      'dead',
      MAX_PARALLEL_ATTEMPTS_PER_ENDPOINT,
    );
    await deliverDueAttempts();
    expect(webhookReceiver.requests).toHaveLength(0);
    fakeClock.set(lease_until);
    await deliverDueAttempts();
    expect(webhookReceiver.requests[0]?.headers['service-delivery-id']).toBe(held?.id);
    const outcome = {
      accepted: false,
      status_code: 500,
      error_kind: null,
      error_message: null,
      response_body_truncated: '',
      duration_ms: 1,
      at: fakeClock.now(),
    };
    await saveFinishedDeliveryAttempts([{ delivery: held!, outcome, random: 0 }]);
    expect(await listStoredDeliveryAttempts(id)).toMatchObject([{ status: 'succeeded', attempt_number: 1 }]);
    expect(await findEndpoint(id)).toMatchObject({ consecutive_failures: 0 });
  });

  it('holds waiting attempts while an endpoint is disabled, and resumes when it is enabled', async () => {
    const id = await createEndpointForUrl(webhookReceiver.url);
    webhookReceiver.answer(500);
    await sendEvent();
    await updateEndpoint(scope, id, { status: 'disabled' }, null);
    webhookReceiver.answer(200);
    fakeClock.advance(60 * MINUTE_MS);
    await deliverDueAttempts();
    expect(webhookReceiver.requests).toHaveLength(1);
    await updateEndpoint(scope, id, { status: 'enabled' }, null);
    await deliverDueAttempts();
    expect(webhookReceiver.requests).toHaveLength(2);
  });

  it('sends an unreachable endpoint only probes, and the whole backlog after the first success', async () => {
    const id = await createEndpointForUrl(webhookReceiver.url);
    await systemDb().webhookEndpoint.update({ where: { id }, data: { url: await getUnreachableUrl() } });
    for (let index = 0; index < 40; index++) await commitTestEvent(scope);
    await relayEventBatch(async () => {});
    await deliverDueAttempts();
    const made = await systemDb().webhookDelivery.count({ where: { status: 'failed' } });
    expect(made).toBeGreaterThanOrEqual(5);
    expect(made).toBeLessThan(20);
    fakeClock.advance(14_000);
    await deliverDueAttempts();
    expect(await systemDb().webhookDelivery.count({ where: { status: 'failed' } })).toBe(made);
    fakeClock.advance(2 * MINUTE_MS);
    await deliverDueAttempts();
    expect(await systemDb().webhookDelivery.count({ where: { status: 'failed' } })).toBe(made + 1);
    await systemDb().webhookEndpoint.update({ where: { id }, data: { url: webhookReceiver.url } });
    fakeClock.advance(10 * MINUTE_MS);
    await deliverDueAttempts();
    await deliverDueAttempts();
    expect(await systemDb().webhookDelivery.count({ where: { status: 'pending' } })).toBe(0);
    expect(new Set(webhookReceiver.requests.map(({ headers }) => headers['service-event-id'])).size).toBe(40);
  });

  it('delivers a backlog in small batches while another team is active, and at full speed otherwise', async () => {
    const id = await createEndpointForUrl(webhookReceiver.url);
    await systemDb().webhookEndpoint.update({ where: { id }, data: { last_success_at: fakeClock.now() } });
    for (let index = 0; index < 400; index++) await commitTestEvent(scope);
    while ((await relayEventBatch(async () => {})) > 0);
    const active = setInterval(() => recordTeamWithRecentEvent('another_team'), 20);
    const session = deliverDueAttempts();
    await webhookReceiver.received(64, 30_000);
    await new Promise((resolve) => setTimeout(resolve, 300));
    clearInterval(active);
    // After the first 64 attempts, eight begin every 50 ms.
    expect(webhookReceiver.requests.length).toBeLessThan(300);
    await session;
    await deliverDueAttempts();
    expect(webhookReceiver.requests).toHaveLength(400);
  });

  it('does not delay a healthy endpoint for one that never responds', async () => {
    const silent = await startRawHttpReceiver(() => {});
    await createEndpointForUrl(silent.url);
    for (let index = 0; index < 100; index++) await commitTestEvent(scope);
    await relayEventBatch(async () => {});
    const healthy = await createEndpointForUrl(webhookReceiver.url);
    fakeClock.advance(1);
    for (let index = 0; index < 50; index++) await commitTestEvent(scope);
    await relayEventBatch(async () => {});
    const started = performance.now();
    const session = deliverDueAttempts();
    await webhookReceiver.received(50, 9_000);
    // 9.5 seconds are less than the timeout of one attempt, so deliveries to the healthy endpoint
    // did not wait for the silent endpoint.
    expect(performance.now() - started).toBeLessThan(9_500);
    await session;
    expect(await systemDb().webhookDelivery.count({ where: { endpoint_id: healthy, status: 'succeeded' } })).toBe(50);
    await silent.close();
  }, 30_000);

  it('limits the harm of a receiver that sends a byte a second, or a gigabyte, to its own attempt', async () => {
    const drip = await startRawHttpReceiver((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 1_000);
      response.on('close', () => clearInterval(timer));
    });
    let written = 0;
    const flood = await startRawHttpReceiver((_request, response) => {
      response.writeHead(200, { 'Content-Length': String(2 ** 30) });
      const chunk = Buffer.alloc(65_536, 'x');
      const more = () => {
        while (!response.destroyed && written < 2 ** 30) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
      };
      more();
    });
    const [dripping, flooding] = [await createEndpointForUrl(drip.url), await createEndpointForUrl(flood.url)];
    const healthy = await createEndpointForUrl(webhookReceiver.url);
    const memory = process.memoryUsage().rss;
    const started = performance.now();
    await commitTestEvent(scope);
    await relayEventBatch(async () => {});
    const slow = deliverDueEventsToEndpoint(dripping, TEST_ENDPOINT_DELIVERY_RUN_LIMITS);
    await Promise.all([
      deliverDueEventsToEndpoint(flooding, TEST_ENDPOINT_DELIVERY_RUN_LIMITS),
      deliverDueEventsToEndpoint(healthy, TEST_ENDPOINT_DELIVERY_RUN_LIMITS),
    ]);
    expect((await listStoredDeliveryAttempts(healthy))[0]).toMatchObject({ status: 'succeeded' });
    expect((await listStoredDeliveryAttempts(flooding))[0]).toMatchObject({
      status: 'succeeded',
      response_body_truncated: 'x'.repeat(1_024),
    });
    expect(performance.now() - started).toBeLessThan(6_000);
    expect(written).toBeLessThan(64 * 2 ** 20);
    expect(process.memoryUsage().rss - memory).toBeLessThan(200 * 2 ** 20);
    await slow;
    const [ended] = await listStoredDeliveryAttempts(dripping);
    expect(ended).toMatchObject({ status: 'succeeded', status_code: 200 });
    expect(ended?.duration_ms).toBeLessThan(11_000);
    await Promise.all([drip.close(), flood.close()]);
  }, 30_000);
});

describe('a run of an endpoint’s deliveries', () => {
  async function asked() {
    const found: [string, Date | null][] = [];
    await requestDeliveryRuns(
      async (work) => void found.push(...work.map((one): [string, Date | null] => [one.endpoint_id, one.at])),
    );
    return found;
  }

  it('is requested once: now for new deliveries, at the due time for retries, never while disabled', async () => {
    const id = await createEndpointForUrl(webhookReceiver.url);
    await commitTestEvent(scope);
    await commitTestEvent(scope);
    await relayEventBatch(async () => {});
    expect(await asked()).toEqual([[id, null]]);
    expect(await asked()).toEqual([]);
    webhookReceiver.answer(500);
    await deliverDueAttempts();
    const due = (await listStoredDeliveryAttempts(id))
      .filter(({ status }) => status === 'pending')
      .map(({ due_at }) => due_at.getTime());
    const [[, at] = []] = (await asked()) as [string, Date][];
    expect(at?.getTime()).toBeGreaterThanOrEqual(Math.min(...due));
    expect(at?.getTime()).toBeLessThan(Math.min(...due) + 1_000);
    expect(await asked()).toEqual([]);
    await commitTestEvent(scope);
    await relayEventBatch(async () => {});
    expect(await asked()).toEqual([[id, null]]);
    await updateEndpoint(scope, id, { status: 'disabled' }, null);
    fakeClock.advance(10 * MINUTE_MS);
    expect(await asked()).toEqual([]);
    await updateEndpoint(scope, id, { status: 'enabled' }, null);
    expect(await asked()).toEqual([[id, null]]);
  });

  it('is requested again when it has not started after 30 seconds', async () => {
    const id = await createEndpointForUrl(webhookReceiver.url);
    await commitTestEvent(scope);
    await relayEventBatch(async () => {});
    expect(await asked()).toEqual([[id, null]]);
    fakeClock.advance(29_000);
    expect(await asked()).toEqual([]);
    fakeClock.advance(1_000);
    expect(await asked()).toEqual([[id, null]]);
  });

  it('is requested again at once when the request failed or its process died', async () => {
    const id = await createEndpointForUrl(webhookReceiver.url);
    await commitTestEvent(scope);
    await relayEventBatch(async () => {});
    await expect(requestDeliveryRuns(() => Promise.reject(new Error('Inngest is away')))).rejects.toThrow('away');
    expect(await asked()).toEqual([[id, null]]);
    expect(await asked()).toEqual([]);
    await releaseDeliveryLeasesOfDeadProcesses();
    expect(await asked()).toEqual([[id, null]]);
  });

  it('skips attempts that another process has leased, without delaying others', async () => {
    const id = await createEndpointForUrl(webhookReceiver.url);
    for (let index = 0; index < 30; index++) await commitTestEvent(scope);
    await relayEventBatch(async () => {});
    await systemDb().webhookEndpoint.update({ where: { id }, data: { last_success_at: fakeClock.now() } });
    const lease_until = new Date(fakeClock.now().getTime() + 30_000);
    const held = await claimDueDeliveries(
      [{ endpoint_id: id, in_flight: MAX_PARALLEL_ATTEMPTS_PER_ENDPOINT.healthy - 30, most: 99 }],
      fakeClock.now(),
      lease_until,
      `${getRegisteredProcessId()}:1`,
      MAX_PARALLEL_ATTEMPTS_PER_ENDPOINT,
    );
    expect(held).toHaveLength(30);
    expect(await asked()).toEqual([]);
    const fresh = await commitTestEvent(scope);
    await relayEventBatch(async () => {});
    expect(await asked()).toEqual([[id, null]]);
    await deliverDueAttempts();
    expect(webhookReceiver.requests.map(({ headers }) => headers['service-event-id'])).toEqual([fresh]);
    expect(await asked()).toEqual([]);
    // The leasing process is dead, so its leases are released.
    await releaseDeliveryLeasesOfDeadProcesses();
    expect(await asked()).toEqual([[id, null]]);
    await deliverDueAttempts();
    expect(webhookReceiver.requests).toHaveLength(31);
  });

  it('includes retries that were scheduled while the clock was an hour ahead', async () => {
    const id = await createEndpointForUrl(webhookReceiver.url);
    webhookReceiver.answer(500);
    fakeClock.advance(60 * MINUTE_MS);
    await sendEvent();
    await asked();
    fakeClock.advance(-60 * MINUTE_MS);
    await rescheduleDeliveriesDatedByFastClock();
    const [[, at] = []] = (await asked()) as [string, Date][];
    expect(at?.getTime()).toBeLessThanOrEqual(fakeClock.now().getTime() + 1.2 * MINUTE_MS);
    webhookReceiver.answer(200);
    await runNextDeliveryAttempt(id);
    expect(webhookReceiver.requests).toHaveLength(2);
  });
});
