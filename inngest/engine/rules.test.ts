import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEventDataPath, readEventValueAtPath } from './concurrency-key';
import { findLatestDueMinute, parseCron } from './cron';
import { computeBackoffMs, parseDateOrDuration, parseDurationMs, parseRetryAfter } from './timing';

const NOW = new Date('2030-01-01T00:00:00Z');

describe('keys', () => {
  it('must be a path into the event', () => {
    for (const source of ["'x'", 'async.data.x', 'event', 'event.data.x + 1', 'event.data["x"]', ''])
      expect(() => parseEventDataPath(source)).toThrow('unsupported key');
    expect(parseEventDataPath('event.data.x')).toEqual(['data', 'x']);
  });

  it('are the value at the path as JSON; a path without a value gives no key', () => {
    expect(readEventValueAtPath({ data: { x: 'a' } }, ['data', 'x'])).toBe('"a"');
    expect(readEventValueAtPath({ data: { x: null } }, ['data', 'x'])).toBe('null');
    expect(readEventValueAtPath({ data: {} }, ['data', 'toString'])).toBeNull();
    expect(readEventValueAtPath({ data: null }, ['data', 'x'])).toBeNull();
  });
});

describe('cron', () => {
  const at = (text: string) => new Date(`2030-01-${text}:00Z`);

  it.each(['* * * *', '60 * * * *', '*/0 * * * *', 'x * * * *', '* * * * 8', '* * * * * *', 'TZ=No/Where * * * * *'])(
    'rejects "%s"',
    (source) => expect(() => parseCron(source)).toThrow(`cron "${source}" is not supported`),
  );

  it('uses UTC, whatever the machine’s time zone', () => {
    expect(findLatestDueMinute([parseCron('0 3 * * *')], at('01T00:00'), at('01T03:00'))).toEqual(at('01T03:00'));
  });

  it('finds the newest due minute, looking back at most a day', () => {
    const daily = [parseCron('0 3 * * *')];
    expect(findLatestDueMinute(daily, at('01T00:00'), at('01T02:59'))).toBeNull();
    expect(findLatestDueMinute(daily, at('01T00:00'), at('04T09:00'))).toEqual(at('04T03:00'));
    expect(findLatestDueMinute(daily, at('04T03:00'), at('04T09:00'))).toBeNull();
    expect(findLatestDueMinute([parseCron('0 3 1 * *')], at('01T00:00'), at('09T00:00'))).toBeNull();
    expect(findLatestDueMinute([...daily, parseCron('*/5 * * * *')], at('01T00:00'), at('01T03:07'))).toEqual(
      at('01T03:05'),
    );
  });
});

describe('timing', () => {
  it.each([
    ['1s', 1_000],
    ['1w2d3h4m5s', 788_645_000],
    ['', 0],
    ['1 s', null],
    ['2030-01-01', null],
  ])('the duration "%s" is %s ms', (text, expected) => expect(parseDurationMs(text)).toBe(expected));

  it('a time is a duration from now or a date', () => {
    expect(parseDateOrDuration('1m', NOW)).toEqual(new Date('2030-01-01T00:01:00Z'));
    expect(parseDateOrDuration('2031-05-06T07:08:09Z', NOW)).toEqual(new Date('2031-05-06T07:08:09Z'));
    expect(() => parseDateOrDuration('soon', NOW)).toThrow('neither');
  });

  it('Retry-After is in seconds or a date, and never in the past', () => {
    expect(parseRetryAfter('90', NOW)).toEqual(new Date('2030-01-01T00:01:30Z'));
    expect(parseRetryAfter('2030-01-02T00:00:00.000Z', NOW)).toEqual(new Date('2030-01-02T00:00:00Z'));
    expect(parseRetryAfter('2020-01-02T00:00:00.000Z', NOW)).toEqual(NOW);
    expect(parseRetryAfter('later', NOW)).toBeNull();
    expect(parseRetryAfter(null, NOW)).toBeNull();
  });

  it('backs off longer after each failure, up to ten minutes, plus at most a tenth of jitter', () => {
    expect([1, 2, 3, 4, 5, 6, 60].map((n) => computeBackoffMs(n, 0))).toEqual([
      1_000, 4_000, 16_000, 64_000, 256_000, 600_000, 600_000,
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (n, random) => {
        const base = computeBackoffMs(n, 0);
        const jittered = computeBackoffMs(n, random);
        expect(jittered).toBeGreaterThanOrEqual(base);
        expect(jittered).toBeLessThanOrEqual(base * 1.1);
      }),
    );
  });
});
