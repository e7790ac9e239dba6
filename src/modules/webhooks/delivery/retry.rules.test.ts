import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DeliveryAttempt,
  decideDeliveryAttemptConsequence,
  isAcceptedStatusCode,
  WEBHOOK_RETRY_DELAYS_MS,
} from './retry.rules';

const BEGAN = new Date('2026-03-01T12:00:00Z');
const later = (ms: number, from = BEGAN) => new Date(from.getTime() + ms);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function failed(failures_before: number, endpoint: Partial<DeliveryAttempt['endpoint']> = {}): DeliveryAttempt {
  return {
    accepted: false,
    failures_before,
    delivery_began_at: BEGAN,
    endpoint: { status: 'enabled', last_success_at: null, warned_at: null, ...endpoint },
  };
}

describe('the retry schedule', () => {
  it.each([
    [1, '1m', MINUTE],
    [2, '5m', 5 * MINUTE],
    [3, '30m', 30 * MINUTE],
    [4, '2h', 2 * HOUR],
    [5, '6h', 6 * HOUR],
    [6, '12h', 12 * HOUR],
    [7, '24h', 24 * HOUR],
    [8, '24h', 24 * HOUR],
    [9, '24h', 24 * HOUR],
  ])('delays the attempt after failure %i by %s', (failure, _text, delay) => {
    expect(decideDeliveryAttemptConsequence(failed(failure - 1), BEGAN, 0)).toMatchObject({
      kind: 'retry',
      retry_at: later(delay),
    });
  });

  it('ends with the tenth failure', () => {
    expect(WEBHOOK_RETRY_DELAYS_MS).toHaveLength(9);
    expect(decideDeliveryAttemptConsequence(failed(9), BEGAN, 0)).toMatchObject({
      kind: 'exhausted',
      failures: 10,
      retry_at: null,
    });
  });

  it('delays a retry by up to a tenth more, never less', () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 8 }),
        random,
        fc.date({ noInvalidDate: true, max: new Date('2100-01-01') }),
        (before, share, now) => {
          const decision = decideDeliveryAttemptConsequence(failed(before), now, share);
          if (decision.kind === 'succeeded' || decision.retry_at === null) throw new Error('it is not retried');
          const waited = decision.retry_at.getTime() - now.getTime();
          expect(waited).toBeGreaterThanOrEqual(WEBHOOK_RETRY_DELAYS_MS[before]!);
          expect(waited).toBeLessThanOrEqual(WEBHOOK_RETRY_DELAYS_MS[before]! * 1.1);
        },
      ),
    );
  });

  it('counts a delay from the failure, not from the planned time', () => {
    const now = later(7 * HOUR);
    expect(decideDeliveryAttemptConsequence(failed(0), now, 0)).toMatchObject({ retry_at: later(MINUTE, now) });
  });

  it('ends when an attempt is accepted, after any number of failures', () => {
    for (let before = 0; before <= 9; before += 1) {
      expect(decideDeliveryAttemptConsequence({ ...failed(before), accepted: true }, BEGAN, 0.5)).toEqual({
        kind: 'succeeded',
      });
    }
  });
});

describe('auto-disable', () => {
  const disables = (attempt: DeliveryAttempt, delays?: number[]) => {
    const decision = decideDeliveryAttemptConsequence(attempt, later(HOUR), 0, delays);
    return decision.kind !== 'succeeded' && decision.disable_endpoint;
  };

  it('happens at a delivery’s ninth failure and at no other', () => {
    expect(Array.from({ length: 12 }, (_, before) => disables(failed(before)))).toEqual(
      Array.from({ length: 12 }, (_, before) => before === 8),
    );
  });

  it.each([
    ['never accepted anything', {}, true],
    ['accepted something before the delivery began', { last_success_at: later(-1) }, true],
    ['accepted something as the delivery began', { last_success_at: BEGAN }, false],
    ['accepted something since', { last_success_at: later(1) }, false],
    ['was disabled meanwhile', { status: 'disabled' }, false],
    ['was auto-disabled by another delivery', { status: 'auto_disabled' }, false],
  ])('disables an endpoint that %s: $2', (_name, endpoint, expected) => {
    expect(disables(failed(8, endpoint))).toBe(expected);
  });

  it('leaves the delivery waiting for its tenth attempt, to resume when the endpoint is enabled', () => {
    expect(decideDeliveryAttemptConsequence(failed(8), BEGAN, 0)).toMatchObject({
      kind: 'retry',
      disable_endpoint: true,
    });
    expect(decideDeliveryAttemptConsequence(failed(9), BEGAN, 0)).toMatchObject({
      kind: 'exhausted',
      disable_endpoint: false,
    });
  });

  it('gives a dead endpoint ten attempts, one warning and one disabling', () => {
    const seen: string[] = [];
    let now = BEGAN;
    let warned_at: Date | null = null;
    let status = 'enabled';
    for (let failures_before = 0; ; failures_before += 1) {
      const decision = decideDeliveryAttemptConsequence(failed(failures_before, { status, warned_at }), now, 0.999);
      if (decision.kind === 'succeeded') throw new Error('a dead endpoint accepted');
      if (decision.warn_owner) {
        seen.push(`warned at ${decision.failures}`);
        warned_at = now;
      }
      if (decision.disable_endpoint) {
        seen.push(`disabled at ${decision.failures}`);
        status = 'auto_disabled';
      }
      if (decision.retry_at === null) {
        seen.push(`${decision.kind} at ${decision.failures}`);
        break;
      }
      now = decision.retry_at;
    }
    expect(seen).toEqual(['warned at 3', 'disabled at 9', 'exhausted at 10']);
    const planned = WEBHOOK_RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0);
    expect(now.getTime() - BEGAN.getTime()).toBeGreaterThan(planned);
    expect(now.getTime() - BEGAN.getTime()).toBeLessThan(planned * 1.1 + 1);
  });

  it('happens at the last failure but one of a shortened schedule', () => {
    const delays = [10, 20, 30];
    expect([0, 1, 2, 3].map((before) => disables(failed(before), delays))).toEqual([false, false, true, false]);
    expect(decideDeliveryAttemptConsequence(failed(1), BEGAN, 0, delays)).toMatchObject({
      kind: 'retry',
      retry_at: later(20),
    });
    expect(decideDeliveryAttemptConsequence(failed(3), BEGAN, 0, delays)).toMatchObject({ kind: 'exhausted' });
  });
});

describe('the warning', () => {
  const warns = (attempt: DeliveryAttempt, delays?: number[]) => {
    const decision = decideDeliveryAttemptConsequence(attempt, BEGAN, 0, delays);
    return decision.kind !== 'succeeded' && decision.warn_owner;
  };

  it('is sent at the third failure, once per series of failures', () => {
    expect([0, 1, 2, 3, 4].map((before) => warns(failed(before)))).toEqual([false, false, true, false, false]);
    expect(warns(failed(2, { warned_at: BEGAN }))).toBe(false);
  });

  it('is replaced by the mail that the endpoint is disabled', () => {
    expect(warns(failed(2), [10, 20, 30])).toBe(false);
  });
});

describe('isAcceptedStatusCode', () => {
  it.each([
    [200, true],
    [204, true],
    [299, true],
    [199, false],
    [300, false],
    [302, false],
    [304, false],
    [400, false],
    [410, false],
    [500, false],
    [null, false],
  ])('status %s: %s', (status, accepted) => expect(isAcceptedStatusCode(status)).toBe(accepted));
});
