import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  getNextSyncRunTimeAfterFailure,
  getNextSyncRunTimeAfterSuccess,
  parseRetryAfterHeaderAsMs,
  shouldMailAboutEmptyCalendar,
  shouldMailOwnerAboutFailure,
} from './schedule.rules';

const NOW = new Date('2026-05-15T10:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const minutes = (next: Date) => (next.getTime() - NOW.getTime()) / MINUTE;

describe('a working source', () => {
  it('runs again within 7.5 to 22.5 minutes, and exactly 15 minutes apart from then on', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 4 }),
        fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
        (id, now) => {
          const first = getNextSyncRunTimeAfterSuccess(id, now);
          expect(first.getTime() - now.getTime()).toBeGreaterThanOrEqual(7.5 * MINUTE);
          expect(first.getTime() - now.getTime()).toBeLessThan(22.5 * MINUTE);
          const second = getNextSyncRunTimeAfterSuccess(id, new Date(first.getTime() + 2_000));
          expect(Math.abs(second.getTime() - first.getTime() - 15 * MINUTE)).toBeLessThan(1);
        },
      ),
    );
  });
  it('is spread evenly: 15,000 sources fill every minute about equally', () => {
    const buckets = new Array<number>(15).fill(0);
    for (let index = 0; index < 15_000; index += 1) {
      const at = getNextSyncRunTimeAfterSuccess(`ss_01kaj3${String(index).padStart(8, '0')}`, NOW).getTime();
      buckets[Math.floor((at / MINUTE) % 15)]! += 1;
    }
    for (const bucket of buckets) expect(bucket).toBeGreaterThan(850);
  });
});

describe('a failing source', () => {
  it('doubles its wait each time, up to six hours', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 50].map((failures) =>
      minutes(getNextSyncRunTimeAfterFailure('ss_x', failures, null, NOW)),
    );
    for (const [index, base] of [15, 30, 60, 120, 240].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(base);
      expect(waits[index]).toBeLessThanOrEqual(base * 1.1);
    }
    expect(waits.slice(5)).toEqual([360, 360, 360]);
  });
  it('waits as long as Retry-After requests, up to a day, when that is longer', () => {
    expect(minutes(getNextSyncRunTimeAfterFailure('ss_x', 1, '7200', NOW))).toBe(120);
    expect(minutes(getNextSyncRunTimeAfterFailure('ss_x', 4, '1', NOW))).toBeGreaterThanOrEqual(120);
    expect(minutes(getNextSyncRunTimeAfterFailure('ss_x', 1, 'Fri, 15 May 2026 20:00:00 GMT', NOW))).toBe(600);
    expect(minutes(getNextSyncRunTimeAfterFailure('ss_x', 1, '999999999', NOW))).toBe(24 * 60);
  });
  it.each<[string | null, number | null]>([
    [' 120 ', 2 * MINUTE],
    ['2026', 2_026_000],
    ['999999999', 24 * HOUR],
    ['Fri, 15 May 2026 10:01:00 GMT', MINUTE],
    ['Friday, 15-May-26 10:01:00 GMT', MINUTE],
    ['Fri, 15 May 2026 09:00:00 GMT', 0],
    ...[null, '', 'soon', '-5', '5x', 'x5', '1.5', '12:00', '2026-05-15', 'Fri, 99 Nonsense'].map(
      (header): [string | null, null] => [header, null],
    ),
    ['from Fri, 15 May 2026 10:01:00 GMT', null],
  ])('parses Retry-After %j as %j ms', (header, wanted) => {
    expect(parseRetryAfterHeaderAsMs(header, NOW)).toBe(wanted);
  });
});

describe('the owner', () => {
  it.each([
    ['not failing', null, null, false],
    ['failing for less than a day', ago(23 * HOUR), null, false],
    ['failing for a day', ago(24 * HOUR), null, true],
    ['failing and already reported', ago(48 * HOUR), ago(24 * HOUR), false],
    ['failing again after an earlier report', ago(25 * HOUR), ago(100 * HOUR), true],
  ])('is mailed about a source that is %s: $3', (_name, failing_since, failure_mailed_at, told) => {
    expect(shouldMailOwnerAboutFailure({ failing_since, failure_mailed_at }, NOW)).toBe(told);
  });

  it.each([
    ['empty for three days', 'no_events', 2, ago(72 * HOUR), null, true],
    ['empty for less than three days', 'no_events', 2, ago(72 * HOUR - 1), null, false],
    ['empty without upcoming bookings', 'no_events', 0, ago(72 * HOUR), null, false],
    ['empty and already reported', 'no_events', 2, ago(99 * HOUR), ago(27 * HOUR), false],
    ['empty for the first time', 'no_events', 2, null, null, false],
    ['smaller but not empty', 'few_events', 2, ago(72 * HOUR), null, false],
    ['healthy', null, 2, ago(72 * HOUR), null, false],
  ])('is mailed about a calendar that is %s: $5', (_name, reason, missing, empty_since, empty_mailed_at, told) => {
    const plan = { health: { reason }, missing };
    expect(shouldMailAboutEmptyCalendar({ empty_since, empty_mailed_at }, plan, NOW)).toBe(told);
  });
});
