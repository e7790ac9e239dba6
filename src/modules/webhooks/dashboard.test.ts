import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { trpcBuilder } from '@/api/trpc/init';
import { recordEvent } from '@/events/record';
import { relayEventBatch } from '@/events/relay';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { setClock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Mode, Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { addTestUserToTeams, insertTeams } from '@/testing/team';
import { webhookEndpointsDashboardRouter } from './dashboard.router';
import { webhookEndpointsRouter } from './router';
import { createEndpoint, updateEndpoint } from './service';

let now = new Date('2026-03-01T12:00:00.000Z');
const later = (ms: number) => {
  now = new Date(now.getTime() + ms);
};
const HOUR = 3_600_000;

beforeAll(async () => {
  await openTestDatabase();
  setClock({ now: () => now });
});
afterAll(async () => {
  setClock(null);
  await closeTestDatabase();
});

let scope: Scope;
let endpoint: string;
beforeEach(async () => {
  scope = teamScope('test');
  await insertTeams(scope.team_id);
  await addTestUserToTeams(scope.team_id);
  endpoint = (await createEndpoint(scope, { url: 'https://example.com/hook', events: ['*'] })).row.id;
  later(1_000);
});

function teamScope(mode: Mode, team_id = newId('team')): Scope {
  return { team_id, mode, actor: { kind: 'user', id: 'user_1', name: 'Olga', role: 'owner' } };
}

const createCaller = trpcBuilder.createCallerFactory(
  trpcBuilder.mergeRouters(webhookEndpointsRouter, webhookEndpointsDashboardRouter),
);
function callerOf(as: Scope, role: 'owner' | 'manager' = 'owner') {
  return createCaller({
    request_id: 'req_test',
    surface: 'dashboard',
    scope: as,
    user: { id: 'user_1', name: 'Olga', email: 'olga@example.com', role, session_id: 's' },
    ip: null,
    user_agent: null,
    if_match: null,
    reply: { headers: {} },
  });
}

const appError = (code: string) => expect.objectContaining({ cause: expect.objectContaining({ code }) });

/** Records an event and queues its deliveries. */
async function makeEvent(of: Scope = scope, type: 'property.created' | 'packet.updated' = 'property.created') {
  const id = await inTransaction(of, () =>
    recordEvent(of, {
      type,
      object_id: newId('property'),
      data: { object: { id: randomBytes(4).toString('hex') } },
    }),
  );
  await relayEventBatch(async () => {});
  return id;
}

const attemptsOf = (event_id: string, endpoint_id = endpoint) =>
  systemDb().webhookDelivery.findMany({ where: { event_id, endpoint_id }, orderBy: { attempt_number: 'asc' } });

/** Stores a result for the latest attempt of an event, as the delivery worker does. */
async function endAttempt(event_id: string, status: 'failed' | 'succeeded', retry_in_ms?: number) {
  const attempts = await attemptsOf(event_id);
  const last = attempts.at(-1)!;
  const retry_at = retry_in_ms === undefined ? null : new Date(now.getTime() + retry_in_ms);
  await systemDb().webhookDelivery.update({
    where: { id: last.id },
    data: {
      status,
      status_code: status === 'failed' ? 500 : 200,
      duration_ms: 40,
      attempted_at: now,
      next_retry_at: retry_at,
      response_body_truncated: 'an answer',
    },
  });
  if (retry_at) {
    const { id: _id, ...rest } = last;
    await systemDb().webhookDelivery.create({
      data: {
        ...rest,
        id: newId('webhook_delivery'),
        attempt_number: last.attempt_number + 1,
        failures_before: 1,
        trigger: 'retry',
        due_at: retry_at,
        created_at: now,
      },
    });
  }
}

describe('a test event', () => {
  it('is a real event of the chosen type with a sample payload, for this endpoint alone', async () => {
    const other = (await createEndpoint(scope, { url: 'https://example.com/other', events: ['*'] })).row.id;
    later(1_000);
    const { id } = await callerOf(scope).send_test({ id: endpoint, type: 'reservation.signed' });
    await relayEventBatch(async () => {
      throw new Error('A test event reached the durable functions.');
    });
    const delivery = await callerOf(scope).retrieve_attempt({ id });
    expect(delivery).toMatchObject({
      endpoint_id: endpoint,
      event_type: 'reservation.signed',
      attempt_number: 1,
      status: 'pending',
      trigger: 'test',
    });
    const body = JSON.parse(delivery.request.body);
    expect(body).toMatchObject({
      id: delivery.event_id,
      object: 'event',
      type: 'reservation.signed',
      livemode: false,
      sequence: 1,
      data: { object: { object: 'reservation', status: 'signed' }, test_event: true },
    });
    expect(await attemptsOf(delivery.event_id, other)).toEqual([]);
  });

  it('is sent once: a failure is not retried and does not disable the endpoint', async () => {
    const { id } = await callerOf(scope).send_test({ id: endpoint, type: 'property.created' });
    const row = await systemDb().webhookDelivery.findUniqueOrThrow({ where: { id } });
    const { decideDeliveryAttemptConsequence } = await import('./delivery/retry.rules');
    for (const delays of [undefined, [1_000], [1, 2, 3]]) {
      const after = decideDeliveryAttemptConsequence(
        {
          accepted: false,
          failures_before: row.failures_before,
          delivery_began_at: row.delivery_began_at,
          endpoint: { status: 'enabled', last_success_at: null, warned_at: null },
        },
        now,
        0,
        delays,
      );
      expect(after).toMatchObject({ kind: 'exhausted', retry_at: null, disable_endpoint: false, warn_owner: false });
    }
  });

  it('is refused for a disabled endpoint and for one of another team or mode', async () => {
    await updateEndpoint(scope, endpoint, { status: 'disabled' }, null);
    const send = (as: Scope) => callerOf(as).send_test({ id: endpoint, type: 'property.created' });
    await expect(send(scope)).rejects.toEqual(appError('invalid_field'));
    await expect(send(teamScope('live', scope.team_id))).rejects.toEqual(appError('resource_missing'));
    await expect(send(teamScope('test'))).rejects.toEqual(appError('resource_missing'));
  });
});

describe('re-enabling', () => {
  it('resets an automatically disabled endpoint, for the owner only', async () => {
    await systemDb().webhookEndpoint.update({
      where: { id: endpoint },
      data: {
        status: 'auto_disabled',
        consecutive_failures: 9,
        disabled_reason: '9 attempts failed.',
        disabled_at: now,
        failing_since: now,
      },
    });
    expect(await callerOf(scope).retrieve({ id: endpoint })).toMatchObject({
      status: 'auto_disabled',
      disabled_reason: '9 attempts failed.',
      disabled_at: now.toISOString(),
    });
    await expect(callerOf(scope, 'manager').enable({ id: endpoint })).rejects.toEqual(appError('insufficient_scope'));
    expect(await callerOf(scope).enable({ id: endpoint })).toMatchObject({
      status: 'enabled',
      consecutive_failures: 0,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
    });
  });
});

describe('the delivery log', () => {
  it('lists attempts newest first, filters by outcome, type and event, and paginates', async () => {
    const events: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      events.push(await makeEvent(scope, index === 4 ? 'packet.updated' : 'property.created'));
      later(1_000);
    }
    await endAttempt(events[0]!, 'failed', HOUR);
    await endAttempt(events[1]!, 'succeeded');
    const list = (query: object) => callerOf(scope).list_deliveries({ id: endpoint, ...query });
    const ids = (page: { data: { event_id: string }[] }) => page.data.map((row) => row.event_id);

    expect(ids(await list({ status: 'failed' }))).toEqual([events[0]]);
    expect(ids(await list({ status: 'succeeded' }))).toEqual([events[1]]);
    expect(ids(await list({ event_type: 'packet.updated' }))).toEqual([events[4]]);
    expect((await list({ event_id: events[0] })).data.map((row) => row.attempt_number)).toEqual([2, 1]);

    const first = await list({ limit: 4 });
    expect(first).toMatchObject({ has_more: true });
    const second = await list({ limit: 4, starting_after: first.data.at(-1)!.id });
    expect([...ids(first), ...ids(second)]).toEqual([events[0], events[4], events[3], events[2], events[1], events[0]]);
    expect(second.has_more).toBe(false);
  });

  it('shows the request and the response of an attempt', async () => {
    const event = await makeEvent();
    await endAttempt(event, 'failed', HOUR);
    const [row] = await attemptsOf(event);
    const detail = await callerOf(scope).retrieve_attempt({ id: row!.id });
    const { body } = await systemDb().event.findUniqueOrThrow({ where: { id: event } });
    expect(detail).toMatchObject({
      status: 'failed',
      status_code: 500,
      response_body_truncated: 'an answer',
      next_retry_at: new Date(now.getTime() + HOUR).toISOString(),
      request: { url: 'https://example.com/hook', body },
    });
    expect(Object.fromEntries(detail.request.headers.map(({ name, value }) => [name, value]))).toMatchObject({
      'Content-Type': 'application/json',
      'Service-Event': 'property.created',
      'Service-Event-Id': event,
      'Service-Delivery-Id': row!.id,
      'Service-Attempt': '1',
    });
    await expect(callerOf(teamScope('test')).retrieve_attempt({ id: row!.id })).rejects.toEqual(
      appError('resource_missing'),
    );
  });
});

describe('redelivering everything that failed since a time', () => {
  const count = (since: Date) => callerOf(scope).count_failed({ id: endpoint, since: since.toISOString() });
  const redeliver = (since: Date) => callerOf(scope).redeliver_failed({ id: endpoint, since: since.toISOString() });

  it('includes failed and waiting deliveries and those missed while disabled, and nothing else', async () => {
    const old = await makeEvent();
    await endAttempt(old, 'failed');
    later(HOUR);
    const since = now;
    const given_up = await makeEvent();
    await endAttempt(given_up, 'failed');
    const waiting = await makeEvent();
    await endAttempt(waiting, 'failed', 6 * HOUR);
    const arrived = await makeEvent();
    await endAttempt(arrived, 'succeeded');
    const under_way = await makeEvent();
    await callerOf(scope).send_test({ id: endpoint, type: 'property.created' });
    await updateEndpoint(scope, endpoint, { status: 'disabled' }, null);
    const missed = await makeEvent();
    const elsewhere = await makeEvent(teamScope('live', scope.team_id));
    later(1_000);

    expect(await count(since)).toEqual({ events: 3, more: false });
    expect(await redeliver(since)).toEqual({ events: 3, more: false });

    const due = { status: 'pending', trigger: 'redelivery', due_at: now };
    expect(await attemptsOf(given_up)).toMatchObject([
      { status: 'failed' },
      { ...due, attempt_number: 2, failures_before: 0 },
    ]);
    expect(await attemptsOf(waiting)).toMatchObject([{ status: 'failed' }, { ...due, attempt_number: 2 }]);
    expect(await attemptsOf(missed)).toMatchObject([{ ...due, attempt_number: 1 }]);
    expect(await attemptsOf(old)).toHaveLength(1);
    expect(await attemptsOf(arrived)).toHaveLength(1);
    expect(await attemptsOf(under_way)).toMatchObject([{ trigger: 'event' }]);
    expect(await attemptsOf(elsewhere)).toEqual([]);
    // Events whose deliveries are already queued are not queued again.
    expect(await redeliver(since)).toEqual({ events: 0, more: false });
  });

  it('skips events that the endpoint did not subscribe to or that occurred before it existed', async () => {
    const before = new Date(now.getTime() - 24 * HOUR);
    const narrow = (await createEndpoint(scope, { url: 'https://example.com/n', events: ['packet.updated'] })).row.id;
    await updateEndpoint(scope, narrow, { status: 'disabled' }, null);
    later(1_000);
    await makeEvent();
    const wanted = await makeEvent(scope, 'packet.updated');
    const since = before.toISOString();
    expect(await callerOf(scope).redeliver_failed({ id: narrow, since })).toEqual({ events: 1, more: false });
    expect(await attemptsOf(wanted, narrow)).toHaveLength(1);
    later(1_000);
    const late = (await createEndpoint(scope, { url: 'https://example.com/l', events: ['*'] })).row.id;
    expect(await callerOf(scope).count_failed({ id: late, since })).toEqual({ events: 0, more: false });
  });
});

describe('an endpoint’s health', () => {
  it('counts the last 24 hours, pending deliveries, and the last week in steps of six hours', async () => {
    now = new Date('2026-03-10T01:00:00.000Z');
    const yesterday = await makeEvent();
    await endAttempt(yesterday, 'failed');
    later(25 * HOUR);
    for (const status of ['succeeded', 'succeeded', 'failed'] as const) await endAttempt(await makeEvent(), status);
    await makeEvent();
    later(1_000);
    const { data, limit } = await callerOf(scope).list({});
    expect(limit).toBe(16);
    expect(data).toMatchObject([{ id: endpoint, waiting: 1, last_24h: { succeeded: 2, failed: 1 } }]);

    const history = await callerOf(scope).history({ id: endpoint });
    expect(history.buckets).toHaveLength(28);
    expect(history.buckets.at(-1)).toEqual({ from: '2026-03-11T00:00:00.000Z', succeeded: 2, failed: 1 });
    expect(history.buckets.at(-5)).toEqual({ from: '2026-03-10T00:00:00.000Z', succeeded: 0, failed: 1 });
    expect(history.buckets.filter((bucket) => bucket.succeeded + bucket.failed === 0)).toHaveLength(26);
    expect(history).toMatchObject({ median_ms: 40, p95_ms: 40 });
  });

  it('has no durations for an endpoint without attempts', async () => {
    expect(await callerOf(scope).history({ id: endpoint })).toMatchObject({ median_ms: null, p95_ms: null });
  });
});

describe('deliveries by event', () => {
  it('list each event once with its attempts in order, and are filtered by outcome, type and time', async () => {
    const begun = now;
    const taken = await makeEvent();
    await endAttempt(taken, 'failed', HOUR);
    await endAttempt(taken, 'succeeded');
    later(HOUR);
    const given_up = await makeEvent(scope, 'packet.updated');
    await endAttempt(given_up, 'failed');
    later(HOUR);
    const trying = await makeEvent();
    await endAttempt(trying, 'failed', HOUR);
    later(HOUR);
    const waiting = await makeEvent();
    const list = async (query: object = {}) =>
      (await callerOf(scope).list_event_deliveries({ id: endpoint, ...query })).data;
    const ids = async (query: object) => (await list(query)).map(({ event_id }) => event_id);

    const all = await list();
    expect(all.map(({ event_id }) => event_id)).toEqual([waiting, trying, given_up, taken]);
    expect(all.map(({ attempts }) => attempts.map(({ attempt_number, status }) => [attempt_number, status]))).toEqual([
      [[1, 'pending']],
      [
        [1, 'failed'],
        [2, 'pending'],
      ],
      [[1, 'failed']],
      [
        [1, 'failed'],
        [2, 'succeeded'],
      ],
    ]);
    expect(await ids({ status: 'succeeded' })).toEqual([taken]);
    expect(await ids({ status: 'failed' })).toEqual([trying, given_up]);
    expect(await ids({ status: 'pending' })).toEqual([waiting, trying]);
    expect(await ids({ event_type: 'packet.updated' })).toEqual([given_up]);
    expect(await ids({ event_id: trying })).toEqual([trying]);
    const end = new Date(begun.getTime() + HOUR);
    expect(await ids({ from: begun.toISOString(), to: end.toISOString() })).toEqual([taken]);
    const [first] = await list({ limit: 1 });
    expect(await ids({ limit: 2, starting_after: first?.id })).toEqual([trying, given_up]);
    await expect(callerOf(teamScope('test')).list_event_deliveries({ id: endpoint })).rejects.toEqual(
      appError('resource_missing'),
    );
  });
});
