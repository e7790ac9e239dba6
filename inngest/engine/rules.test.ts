import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cronMatches, latestDueMinute, parseCron } from './cron';
import { matchesEvent, parseExpression, parsePath, patternValues, waitPattern } from './expression';
import { backoffMs, durationMs, momentOf, retryAfter } from './timing';

const NOW = new Date('2030-01-01T00:00:00Z');

describe('expressions', () => {
  it.each([
    ['event.data.a == 1', { data: { a: 1 } }, true],
    ["event.data.a == 'it\\'s'", { data: { a: "it's" } }, true],
    ['event.data.a == "x && y == z"', { data: { a: 'x && y == z' } }, true],
    ['event.data.a == event.data.b', { data: { a: { x: 1, y: 2 }, b: { y: 2, x: 1 } } }, true],
    ['event.data.a == 1', { data: { a: '1' } }, false],
    ['event.data.a == null', { data: { a: null } }, true],
    ['event.data.a == null', { data: {} }, false],
    ['event.data.a == event.data.b', { data: {} }, false],
    ['event.data.a == true && event.name == "go"', { name: 'go', data: { a: true } }, true],
    ['event.data.a == true && event.name == "go"', { name: 'no', data: { a: true } }, false],
    ['event.data.toString == 1', { data: {} }, false],
  ])('%s with %j is %s', (source, event, expected) => {
    expect(matchesEvent(parseExpression(source), event)).toBe(expected);
  });

  it.each([
    'event.data.a > 1',
    'event.data.a',
    'size(event.data.a) == 1',
    'event.data.a == 1 || true',
    'a == b == c',
    '',
  ])('refuses "%s"', (source) => expect(() => parseExpression(source)).toThrow('unsupported expression'));

  it('refuses a key that is not a path into the event', () => {
    for (const source of ["'x'", 'async.data.x', 'event', 'event.data.x + 1'])
      expect(() => parsePath(source)).toThrow();
    expect(parsePath('event.data.x')).toEqual(['data', 'x']);
  });

  it('an awaited event matches exactly when the equality holds', () => {
    const condition = parseExpression('event.data.a == async.data.b && async.data.kind == "k"');
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.boolean(), (a, b, same) => {
        const awaited = { data: { b: same ? a : b, kind: 'k' } };
        const pattern = waitPattern(condition, { data: { a } })!;
        const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
        const equal = isDeepStrictEqual(json(awaited.data.b), json(a));
        expect(patternValues(pattern.paths, awaited) === pattern.values).toBe(equal);
      }),
    );
  });

  it('a path that leads nowhere never matches', () => {
    const condition = parseExpression('event.data.a == async.data.a');
    expect(waitPattern(condition, { data: {} })).toBeNull();
    expect(patternValues(waitPattern(condition, { data: { a: 1 } })!.paths, { data: {} })).toBeNull();
  });
});

describe('cron', () => {
  it.each([
    ['* * * * *', '2030-01-01T12:34:56Z', true],
    ['*/15 * * * *', '2030-01-01T12:45:00Z', true],
    ['*/15 * * * *', '2030-01-01T12:46:00Z', false],
    ['0 3 * * *', '2030-01-01T03:00:00Z', true],
    ['5/20 * * * *', '2030-01-01T03:45:00Z', true],
    ['0 9-17 * * mon-fri', '2030-01-01T09:00:00Z', true],
    ['0 9-17 * * mon-fri', '2030-01-05T09:00:00Z', false],
    ['0 0 * * 7', '2030-01-06T00:00:00Z', true],
    ['0 0 13 * 5', '2030-01-13T00:00:00Z', true],
    ['0 0 13 * 5', '2030-01-04T00:00:00Z', true],
    ['0 0 13 * 5', '2030-01-05T00:00:00Z', false],
    ['0 0 1 JAN,jul *', '2030-07-01T00:00:00Z', true],
    ['TZ=Europe/Paris 0 12 * * *', '2030-07-01T10:00:00Z', true],
    ['TZ=Europe/Paris 0 12 * * *', '2030-01-01T11:00:00Z', true],
  ])('%s at %s: %s', (source, moment, expected) => {
    expect(cronMatches(parseCron(source), new Date(moment))).toBe(expected);
  });

  it.each([
    '* * * *',
    '60 * * * *',
    '*/0 * * * *',
    '5-1 * * * *',
    'x * * * *',
    '1-2-3 * * * *',
    '* * * * 8',
    'TZ=No/Where * * * * *',
    '@daily',
  ])('refuses "%s"', (source) => expect(() => parseCron(source)).toThrow('cron'));

  it('finds the newest minute that is due, and looks back no further than a day', () => {
    const daily = [parseCron('0 3 * * *')];
    const at = (text: string) => new Date(`2030-01-${text}:00Z`);
    expect(latestDueMinute(daily, at('01T00:00'), at('01T02:59'))).toBeNull();
    expect(latestDueMinute(daily, at('01T00:00'), at('04T09:00'))).toEqual(at('04T03:00'));
    expect(latestDueMinute(daily, at('04T03:00'), at('04T09:00'))).toBeNull();
    expect(latestDueMinute([parseCron('0 3 1 * *')], at('01T00:00'), at('09T00:00'))).toBeNull();
  });
});

describe('timing', () => {
  it.each([
    ['1s', 1_000],
    ['1w2d3h4m5s', 788_645_000],
    ['', 0],
    ['1 s', null],
    ['2030-01-01', null],
  ])('the duration "%s" is %s ms', (text, expected) => expect(durationMs(text)).toBe(expected));

  it('a moment is a duration from now or a date', () => {
    expect(momentOf('1m', NOW)).toEqual(new Date('2030-01-01T00:01:00Z'));
    expect(momentOf('2031-05-06T07:08:09Z', NOW)).toEqual(new Date('2031-05-06T07:08:09Z'));
    expect(() => momentOf('soon', NOW)).toThrow('neither');
  });

  it('Retry-After is seconds or a date, and never in the past', () => {
    expect(retryAfter('90', NOW)).toEqual(new Date('2030-01-01T00:01:30Z'));
    expect(retryAfter('2030-01-02T00:00:00.000Z', NOW)).toEqual(new Date('2030-01-02T00:00:00Z'));
    expect(retryAfter('2020-01-02T00:00:00.000Z', NOW)).toEqual(NOW);
    expect(retryAfter('later', NOW)).toBeNull();
    expect(retryAfter(null, NOW)).toBeNull();
  });

  it('waits longer after each failure, up to ten minutes, and a tenth more at most', () => {
    expect([1, 2, 3, 4, 5, 6, 60].map((n) => backoffMs(n, 0))).toEqual([
      1_000, 4_000, 16_000, 64_000, 256_000, 600_000, 600_000,
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (n, random) => {
        const base = backoffMs(n, 0);
        const jittered = backoffMs(n, random);
        expect(jittered).toBeGreaterThanOrEqual(base);
        expect(jittered).toBeLessThanOrEqual(base * 1.1);
      }),
    );
  });
});
