import { expect, it } from 'vitest';
import {
  addDays,
  countNightsBetween,
  countSharedNights,
  getDayInTimeZone,
  isCalendarDay,
  toEpochDayNumber,
} from './calendar-days';

it.each([
  ['2026-02-28', true],
  ['2026-02-29', false],
  ['2028-02-29', true],
  ['2026-12-31', true],
  ['2026-12-32', false],
  ['2026-04-31', false],
  ['2026-00-10', false],
  ['2026-13-10', false],
  ['2026-01-00', false],
  ['1900-01-01', true],
  ['1899-12-31', false],
  ['2026-1-1', false],
  ['x2026-01-01', false],
  ['2026-01-01x', false],
])('%s is a valid date: %j', (text, is) => {
  expect(isCalendarDay(text)).toBe(is);
});

it('counts days across months, years and daylight saving changes', () => {
  expect([toEpochDayNumber('1970-01-01'), toEpochDayNumber('1970-02-01'), toEpochDayNumber('1969-12-31')]).toEqual([
    0, 31, -1,
  ]);
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
  expect(countNightsBetween('2026-03-28', '2026-03-30')).toBe(2);
  expect(countNightsBetween('2026-03-30', '2026-03-28')).toBe(-2);
});

it.each([
  ['2026-06-01/2026-06-05', '2026-06-03/2026-06-08', 2],
  ['2026-06-01/2026-06-08', '2026-06-03/2026-06-05', 2],
  ['2026-06-01/2026-06-05', '2026-06-05/2026-06-08', 0],
  ['2026-06-01/2026-06-05', '2026-07-01/2026-07-08', 0],
])('%s and %s share %i nights', (one, other, nights) => {
  const stay = (text: string) => ({ checkin_date: text.slice(0, 10), checkout_date: text.slice(11) });
  expect(countSharedNights(stay(one), stay(other))).toBe(nights);
  expect(countSharedNights(stay(other), stay(one))).toBe(nights);
});

it.each([
  ['2026-06-01T22:30:00Z', 'Europe/Paris', '2026-06-02'],
  ['2026-06-01T03:30:00Z', 'America/New_York', '2026-05-31'],
  ['2026-06-01T22:30:00Z', 'No/Where', '2026-06-01'],
])('%s in the time zone %s is on %s', (instant, zone, day) => {
  expect(getDayInTimeZone(new Date(instant), zone)).toBe(day);
});
