import { describe, expect, test } from 'vitest';
import {
  addDays,
  getCheckinMoment,
  getEndOfDay,
  getLocalDate,
  getStartOfDay,
  getValidTimeZoneOrUtc,
  hasCheckoutDayEnded,
  isCheckinAhead,
  isTimeZone,
  subtractHours,
} from './zoned-time';

describe('a date starts at midnight in the property’s time zone', () => {
  test.each([
    ['2026-07-01', 'UTC', '2026-07-01T00:00:00.000Z'],
    ['2026-07-01', 'Europe/Berlin', '2026-06-30T22:00:00.000Z'],
    ['2026-07-01', 'America/Los_Angeles', '2026-07-01T07:00:00.000Z'],
    ['2026-07-01', 'Pacific/Kiritimati', '2026-06-30T10:00:00.000Z'],
    ['2026-07-01', null, '2026-07-01T00:00:00.000Z'],
    ['2026-07-01', 'Mars/Olympus', '2026-07-01T00:00:00.000Z'],
    // In spring, Lebanon's clocks skip midnight, so the day begins at 01:00.
    ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
  ])('%s in %s starts at %s', (date, zone, expected) => {
    expect(getStartOfDay(date, zone).toISOString()).toBe(expected);
  });

  test.each([
    ['2026-03-28', 'Europe/Berlin', 24],
    ['2026-03-29', 'Europe/Berlin', 23],
    ['2026-10-25', 'Europe/Berlin', 25],
    ['2026-03-08', 'America/New_York', 23],
    ['2026-10-04', 'Australia/Lord_Howe', 23.5],
  ])('%s in %s lasts %d hours', (date, zone, hours) => {
    const length = getEndOfDay(date, zone).getTime() - getStartOfDay(date, zone).getTime();
    expect(length / 3_600_000).toBe(hours);
  });

  test.each([
    ['2026-03-01T23:30:00Z', 'Europe/Berlin', '2026-03-02'],
    ['2026-03-01T23:30:00Z', 'America/New_York', '2026-03-01'],
    ['2026-03-01T23:30:00Z', null, '2026-03-01'],
  ])('at %s the local date in %s is %s', (now, zone, date) => {
    expect(getLocalDate(new Date(now), zone)).toBe(date);
  });
});

describe('a stay is over when its check-out day has ended in the property’s time zone', () => {
  test.each([
    ['UTC', '2026-05-10T23:59:59.999Z', false],
    ['UTC', '2026-05-11T00:00:00.000Z', true],
    ['America/Los_Angeles', '2026-05-11T06:59:59.999Z', false],
    ['America/Los_Angeles', '2026-05-11T07:00:00.000Z', true],
    ['Pacific/Auckland', '2026-05-10T11:59:59.999Z', false],
    ['Pacific/Auckland', '2026-05-10T12:00:00.000Z', true],
    [null, '2026-05-11T00:00:00.000Z', true],
    ['Not/AZone', '2026-05-10T23:59:59.999Z', false],
  ])('check-out 2026-05-10 in %s at %s: %s', (zone, now, over) => {
    expect(hasCheckoutDayEnded('2026-05-10', zone, new Date(now))).toBe(over);
  });

  test('a check-out day of 25 hours counts to its end', () => {
    expect(hasCheckoutDayEnded('2026-10-25', 'Europe/Berlin', new Date('2026-10-25T22:59:59Z'))).toBe(false);
    expect(hasCheckoutDayEnded('2026-10-25', 'Europe/Berlin', new Date('2026-10-25T23:00:00Z'))).toBe(true);
  });
});

test('a check-in is in the future until its day begins in the property’s time zone', () => {
  expect(isCheckinAhead('2026-05-10', 'Europe/Berlin', new Date('2026-05-09T21:59:59Z'))).toBe(true);
  expect(isCheckinAhead('2026-05-10', 'Europe/Berlin', new Date('2026-05-09T22:00:00Z'))).toBe(false);
});

describe('check-in is at 15:00 in the property’s time zone unless another hour is given', () => {
  test.each([
    ['2026-01-15', 'Europe/Berlin', undefined, '2026-01-15T14:00:00.000Z'],
    ['2026-07-15', 'Europe/Berlin', undefined, '2026-07-15T13:00:00.000Z'],
    ['2026-07-15', 'America/New_York', 16, '2026-07-15T20:00:00.000Z'],
    ['2026-07-15', null, undefined, '2026-07-15T15:00:00.000Z'],
    // An hour that a clock change skips is moved later. An hour that occurs twice means its first
    // occurrence.
    ['2026-03-29', 'Europe/Berlin', 2, '2026-03-29T01:00:00.000Z'],
    ['2026-10-25', 'Europe/Berlin', 2, '2026-10-25T00:00:00.000Z'],
  ])('%s in %s at hour %s is %s', (date, zone, hour, expected) => {
    expect(getCheckinMoment(date, zone, hour).toISOString()).toBe(expected);
  });

  test('hours before check-in are elapsed hours, across a clock change too', () => {
    const checkin = getCheckinMoment('2026-03-29', 'Europe/Berlin');
    expect(checkin.toISOString()).toBe('2026-03-29T13:00:00.000Z');
    // 24 real hours earlier the local time was 14:00, not 15:00.
    expect(subtractHours(checkin, 24).toISOString()).toBe('2026-03-28T13:00:00.000Z');
  });
});

test('days are added by the calendar', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
});

test('an unknown time zone is treated as UTC', () => {
  expect(isTimeZone('Europe/Berlin')).toBe(true);
  expect(isTimeZone('Europe/Atlantis')).toBe(false);
  expect(getValidTimeZoneOrUtc('')).toBe('UTC');
  expect(getValidTimeZoneOrUtc(undefined)).toBe('UTC');
  expect(getValidTimeZoneOrUtc('Europe/Atlantis')).toBe('UTC');
  expect(getValidTimeZoneOrUtc('Asia/Tokyo')).toBe('Asia/Tokyo');
});

describe('every accepted time zone can be used in calculations', () => {
  const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  // `Intl` also accepts ICU's old abbreviations, which Temporal refuses.
  const names = [
    ...LETTERS.flatMap((a) => LETTERS.flatMap((b) => LETTERS.map((c) => a + b + c))),
    ...Intl.supportedValuesOf('timeZone'),
    ...Intl.supportedValuesOf('timeZone').map((name) => name.toLowerCase()),
    ...[
      'EST5EDT',
      'Etc/GMT+12',
      'Etc/GMT-14',
      'GMT+1',
      'UTC+3',
      '+05:30',
      '-0800',
      '+23:59',
      '+24:00',
      'US/Pacific',
      '',
      ' ',
    ],
  ];
  test('whether a three-letter name or one that the runtime lists', () => {
    const refused = names.filter((name) => {
      if (!isTimeZone(name)) return false;
      try {
        getStartOfDay('2026-07-01', name);
        getLocalDate(new Date(0), name);
        new Intl.DateTimeFormat('en', { timeZone: name });
        return false;
      } catch {
        return true;
      }
    });
    expect(refused).toEqual([]);
  });
  test('an abbreviation that Temporal rejects is treated as UTC', () => {
    expect(isTimeZone('PST')).toBe(false);
    expect(getStartOfDay('2026-07-01', 'PST').toISOString()).toBe('2026-07-01T00:00:00.000Z');
    expect(Intl.supportedValuesOf('timeZone').filter((name) => !isTimeZone(name))).toEqual([]);
  });
});
