import { describe, expect, it } from 'vitest';
import { addCalendarDays } from '../ui/zone';
import { type ArrivingReservation, classifyArrivalByPeriod, groupArrivalsByPeriod } from './arrivals';

const arrival = (changes: Partial<ArrivingReservation>): ArrivingReservation => ({
  id: 'res_1',
  status: 'sent',
  checkin_date: '2026-12-24',
  property_timezone: 'Europe/Lisbon',
  ...changes,
});
const at = (moment: string) => new Date(moment);

describe('the group of an arrival', () => {
  it.each([
    ['2026-12-24T10:00:00Z', {}, 'today'],
    ['2026-12-23T10:00:00Z', {}, 'tomorrow'],
    ['2026-12-22T10:00:00Z', {}, 'week'],
    ['2026-12-18T10:00:00Z', {}, 'week'],
    ['2026-12-17T10:00:00Z', {}, 'later'],
    ['2026-12-25T10:00:00Z', {}, null],
    // At this moment it is already the 24th in Tokyo and still the 23rd in Honolulu.
    ['2026-12-23T20:00:00Z', { property_timezone: 'Asia/Tokyo' }, 'today'],
    ['2026-12-25T08:00:00Z', { property_timezone: 'Pacific/Honolulu' }, 'today'],
    ['2026-12-25T08:00:00Z', { property_timezone: 'Asia/Tokyo' }, null],
    ['2026-12-24T23:00:00Z', { property_timezone: null }, 'today'],
    ['2026-12-24T10:00:00Z', { property_timezone: 'Mars/Base' }, 'today'],
  ] as const)('at %s with %j: %s', (now, changes, when) => {
    expect(classifyArrivalByPeriod(arrival(changes), at(now))).toBe(when);
  });
});

it('arrivals are sorted by date within their group, without cancelled and past ones', () => {
  const groups = groupArrivalsByPeriod(
    [
      arrival({ id: 'res_3', checkin_date: '2026-12-25' }),
      arrival({ id: 'res_2' }),
      arrival({ id: 'res_1' }),
      arrival({ id: 'res_0', status: 'ignored' }),
      arrival({ id: 'res_4', checkin_date: '2026-12-20' }),
    ],
    at('2026-12-24T10:00:00Z'),
  );
  expect(groups.map(({ when, rows }) => [when, ...rows.map(({ id }) => id)])).toEqual([
    ['today', 'res_1', 'res_2'],
    ['tomorrow', 'res_3'],
    ['week'],
    ['later'],
  ]);
});

it('a limit of three days includes the third day, by each property’s own calendar', () => {
  const ids = (now: string) =>
    groupArrivalsByPeriod(
      [
        arrival({ id: 'res_1' }),
        arrival({ id: 'res_2', property_timezone: 'Asia/Tokyo' }),
        arrival({ id: 'res_3', checkin_date: '2026-12-25' }),
      ],
      at(now),
      3,
    ).flatMap(({ rows }) => rows.map(({ id }) => id));
  expect(ids('2026-12-22T10:00:00Z')).toEqual(['res_1', 'res_2']);
  expect(ids('2026-12-21T20:00:00Z')).toEqual(['res_2']);
});

it('days are counted across the end of a month', () => {
  expect(addCalendarDays('2026-12-24', 14)).toBe('2027-01-07');
});
