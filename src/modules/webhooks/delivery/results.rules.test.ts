/**
 * Tests the changes that a batch of attempts causes, against the specification's rules for retries,
 * warnings and automatic disabling.
 */
import { expect, it } from 'vitest';
import type { WebhookDeliveryAttemptOutcome } from './attempt';
import type { ClaimedDelivery, EndpointColumnsChangedByAttempts } from './queue.repository';
import { computeEffectsOfFinishedDeliveryAttempts, type FinishedDeliveryAttempt } from './results.rules';

const NOW = new Date('2026-05-01T12:00:00Z');
const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const later = (ms: number) => new Date(NOW.getTime() + ms);

const ENDPOINT: EndpointColumnsChangedByAttempts = {
  id: 'whe_1',
  team_id: 'team_1',
  mode: 'live',
  url: 'https://hooks.example',
  status: 'enabled',
  consecutive_failures: 0,
  failing_since: null,
  disabled_reason: null,
  disabled_at: null,
  warned_at: null,
  circuit_open_until: null,
  last_delivery_at: null,
  last_success_at: null,
};
const delivery = (changes: Partial<ClaimedDelivery> = {}): ClaimedDelivery =>
  ({
    id: 'whd_1',
    team_id: 'team_1',
    mode: 'live',
    event_id: 'evt_1',
    endpoint_id: 'whe_1',
    event_type: 'reservation.signed',
    attempt_number: 1,
    failures_before: 0,
    delivery_began_at: later(-SECOND),
    lease_token: 'lease',
    ...changes,
  }) as ClaimedDelivery;
const outcome = (status_code: number | null, at = NOW): WebhookDeliveryAttemptOutcome =>
  ({
    accepted: status_code !== null && status_code < 300,
    status_code,
    error_kind: status_code === null ? 'timeout' : null,
    error_message: status_code === null ? 'No answer.' : null,
    response_body_truncated: status_code === null ? null : 'body',
    duration_ms: 250,
    at,
  }) as WebhookDeliveryAttemptOutcome;
const finished = (
  status_code: number | null,
  changes: Partial<ClaimedDelivery> = {},
  at = NOW,
): FinishedDeliveryAttempt => ({
  delivery: delivery(changes),
  outcome: outcome(status_code, at),
  random: 0,
});
const plan = (
  list: FinishedDeliveryAttempt[],
  endpoint: Partial<EndpointColumnsChangedByAttempts> = {},
  delays_ms?: number[],
) => computeEffectsOfFinishedDeliveryAttempts(list, new Map([['whe_1', { ...ENDPOINT, ...endpoint }]]), delays_ms);

it('an accepted attempt ends its delivery and resets the endpoint’s failures', () => {
  const { results, next, endpoints, mails } = plan([finished(204)], {
    consecutive_failures: 7,
    failing_since: later(-DAY),
    circuit_open_until: later(SECOND),
    warned_at: later(-2 * DAY),
  });
  expect(results).toEqual([
    {
      id: 'whd_1',
      lease_token: 'lease',
      status: 'succeeded',
      status_code: 204,
      error_kind: null,
      error_message: null,
      response_body_truncated: 'body',
      duration_ms: 250,
      attempted_at: later(-250).toISOString(),
      next_retry_at: null,
      delivered_at: NOW.toISOString(),
    },
  ]);
  expect([next, mails]).toEqual([[], []]);
  expect(endpoints).toEqual([{ ...ENDPOINT, last_delivery_at: NOW, last_success_at: NOW }]);
});

it('a failed attempt schedules the next attempt of the same event to the same endpoint', () => {
  const { results, next, endpoints, mails } = plan([finished(500)]);
  const due_at = later(60 * SECOND).toISOString();
  expect(results).toMatchObject([{ status: 'failed', status_code: 500, next_retry_at: due_at, delivered_at: null }]);
  expect(next).toEqual([
    {
      team_id: 'team_1',
      mode: 'live',
      event_id: 'evt_1',
      endpoint_id: 'whe_1',
      event_type: 'reservation.signed',
      attempt_number: 2,
      failures_before: 1,
      delivery_began_at: later(-SECOND).toISOString(),
      due_at,
    },
  ]);
  expect(mails).toEqual([]);
  expect(endpoints).toEqual([{ ...ENDPOINT, consecutive_failures: 1, failing_since: NOW, last_delivery_at: NOW }]);
});

it('the ninth failure of a delivery disables the endpoint, with the reason, and mails its owner', () => {
  const last = finished(503, { attempt_number: 9, failures_before: 8, delivery_began_at: later(-2 * DAY) });
  const { endpoints, mails } = plan([last], { consecutive_failures: 8, failing_since: later(-2 * DAY) });
  expect(endpoints).toMatchObject([
    {
      status: 'auto_disabled',
      disabled_at: NOW,
      disabled_reason: '{"key":"delivery.endpoint_disabled","values":{"count":9,"event":"evt_1"}}',
      warned_at: null,
    },
  ]);
  expect(mails).toMatchObject([
    {
      kind: 'endpoint_disabled',
      endpoint: { id: 'whe_1' },
      event_type: 'reservation.signed',
      failures: 9,
      disabled_after: 9,
    },
  ]);
});

it('the tenth failure of a delivery is its last', () => {
  const tenth = finished(503, { attempt_number: 10, failures_before: 9, delivery_began_at: later(-4 * DAY) });
  const { results, next } = plan([tenth], { status: 'auto_disabled' });
  expect(results).toMatchObject([{ status: 'failed', next_retry_at: null, delivered_at: null }]);
  expect(next).toEqual([]);
});

it('a shorter schedule disables earlier, states so in the warning, and shortens the open circuit', () => {
  const third = finished(null, { attempt_number: 3, failures_before: 2 });
  const { endpoints, mails } = plan([third], { consecutive_failures: 4 }, [8_000, 16_000, 24_000, 32_000]);
  expect(mails).toMatchObject([{ kind: 'endpoint_warning', failures: 3, disabled_after: 4, retry_at: later(24_000) }]);
  expect(endpoints).toMatchObject([{ circuit_open_until: later(2_000) }]);
});

it('the owner is warned once while an endpoint keeps failing', () => {
  const third = (at: Date, id: string) =>
    finished(503, { id, event_id: id, attempt_number: 3, failures_before: 2, delivery_began_at: later(-DAY) }, at);
  const { endpoints, mails } = plan([third(NOW, 'b'), third(later(-SECOND), 'a')], {
    consecutive_failures: 4,
    failing_since: later(-DAY),
  });
  expect(mails).toMatchObject([{ kind: 'endpoint_warning', failures: 3, disabled_after: 9 }]);
  expect(mails[0]?.retry_at).toBeInstanceOf(Date);
  expect(endpoints).toMatchObject([{ status: 'enabled', warned_at: later(-SECOND), consecutive_failures: 6 }]);
});

it('outcomes are applied in the order in which they ended, whatever their order in the batch', () => {
  const success = finished(200, { id: 'whd_2', event_id: 'evt_2' }, later(-SECOND));
  const { endpoints, results } = plan([finished(500), success]);
  expect(results.map(({ id }) => id)).toEqual(['whd_2', 'whd_1']);
  expect(endpoints).toMatchObject([{ consecutive_failures: 1, failing_since: NOW, last_success_at: later(-SECOND) }]);
});

it('outcomes of a deleted endpoint are ignored', () => {
  expect(computeEffectsOfFinishedDeliveryAttempts([finished(200)], new Map())).toEqual({
    results: [],
    next: [],
    endpoints: [],
    mails: [],
  });
});

it.each([
  [4, null],
  [5, 15],
  [6, 30],
  [7, 60],
  [8, 120],
  [20, 120],
])('seconds of open circuit after %i failures without a response: %j', (failures, seconds) => {
  const { endpoints } = plan([finished(null)], { consecutive_failures: failures - 1, failing_since: later(-DAY) });
  const until = seconds === null ? null : later(seconds * SECOND);
  expect(endpoints).toMatchObject([
    { consecutive_failures: failures, circuit_open_until: until, failing_since: later(-DAY) },
  ]);
});

it('the circuit stays closed for an endpoint that responds, whatever its status', () => {
  const { endpoints } = plan([finished(500)], { consecutive_failures: 12, circuit_open_until: later(SECOND) });
  expect(endpoints).toMatchObject([{ circuit_open_until: null }]);
});

it('a success clears the record of a warning that is a day old, but not of a newer one', () => {
  const warned = (ago: number) => plan([finished(200)], { warned_at: later(-ago) }).endpoints[0]?.warned_at;
  expect(warned(DAY - 1)).toEqual(later(-DAY + 1));
  expect(warned(DAY)).toBeNull();
});

it('a later result updates the time of the last delivery', () => {
  const { endpoints } = plan([finished(200)], { last_delivery_at: later(-DAY), last_success_at: later(-DAY) });
  expect(endpoints).toMatchObject([{ last_delivery_at: NOW, last_success_at: NOW }]);
});

it('an earlier result does not move the time of the last delivery back', () => {
  const { endpoints } = plan([finished(200, {}, later(-SECOND))], { last_delivery_at: NOW, last_success_at: NOW });
  expect(endpoints).toMatchObject([{ last_delivery_at: NOW, last_success_at: NOW }]);
});
