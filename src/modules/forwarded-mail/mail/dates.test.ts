import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '@/modules/sync-sources/feed/calendar-days';
import { type DateContext, orderOfLanguage, provenOrder, readDay, readRange } from './dates';

const OPEN: DateContext = { order: null, reference: '2026-05-01' };

describe('a day', () => {
  it.each([
    ['2026-06-12', '2026-06-12'],
    ['2026/06/12', '2026-06-12'],
    ['12.06.2026', '2026-06-12'],
    ['12. 6. 2026', '2026-06-12'],
    ['13/06/2026', '2026-06-13'],
    ['06/13/2026', '2026-06-13'],
    ['05/05/2026', '2026-05-05'],
    ['June 12, 2026', '2026-06-12'],
    ['Friday 12 June 2026 at 16:00', '2026-06-12'],
    ['Fri, Jun 12', '2026-06-12'],
    ['16:00, Fri, Jun 12th', '2026-06-12'],
    ['12 de junio de 2026', '2026-06-12'],
    ['ven. 1er août 2026', '2026-08-01'],
    ['Fr., 12. März 2027', '2027-03-12'],
    ['3 gennaio 2027', '2027-01-03'],
    ['12 mrt. 2027', '2027-03-12'],
    ['2026年6月12日(金)', '2026-06-12'],
    ['2026년 6월 12일', '2026-06-12'],
    ['12 czerwca 2026', '2026-06-12'],
    ['Jan 3', '2027-01-03'],
    ['Mar 5', '2026-03-05'],
  ])('%s is %s', (text, day) => {
    expect(readDay(text, OPEN)).toEqual({ ok: true, day });
  });
  it.each(['03/04/2026', '12-06-2026', '1/2/2027'])('%s is refused, until an order is known', (text) => {
    expect(readDay(text, OPEN)).toEqual({ ok: false, reason: 'ambiguous' });
    expect(readDay(text, { ...OPEN, order: 'dmy' }).ok).toBe(true);
    expect(readDay(text, { ...OPEN, order: 'dmy' })).not.toEqual(readDay(text, { ...OPEN, order: 'mdy' }));
  });
  it.each(['', 'tomorrow', '30 February 2026', '2026-02-30', '32/01/2026', '12:30', '12 persons'])(
    '%j is unreadable',
    (text) => {
      expect(readDay(text, OPEN).ok).toBe(false);
    },
  );
  it('without a year and without the mail’s date is not guessed', () => {
    expect(readDay('12 June', { order: null, reference: null }).ok).toBe(false);
  });
  it('written in any unambiguous way reads back as itself', () => {
    const days = fc.integer({ min: 0, max: 3_000 }).map((offset) => addDays('2024-01-01', offset));
    const ways = fc.constantFrom<(day: string) => string>(
      (day) => day,
      (day) => day.split('-').reverse().join('.'),
      (day) => new Date(day).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' }),
      (day) => new Date(day).toLocaleDateString('en-GB', { dateStyle: 'full', timeZone: 'UTC' }),
      (day) => new Date(day).toLocaleDateString('de-DE', { dateStyle: 'full', timeZone: 'UTC' }),
      (day) => new Date(day).toLocaleDateString('fr-FR', { dateStyle: 'long', timeZone: 'UTC' }),
      (day) => new Date(day).toLocaleDateString('es-ES', { dateStyle: 'full', timeZone: 'UTC' }),
      (day) => new Date(day).toLocaleDateString('it-IT', { dateStyle: 'medium', timeZone: 'UTC' }),
      (day) => new Date(day).toLocaleDateString('nl-NL', { dateStyle: 'long', timeZone: 'UTC' }),
      (day) => new Date(day).toLocaleDateString('pt-BR', { dateStyle: 'long', timeZone: 'UTC' }),
    );
    fc.assert(
      fc.property(days, ways, (day, way) => {
        expect(readDay(way(day), OPEN)).toEqual({ ok: true, day });
      }),
      { numRuns: 600 },
    );
  });
});

describe('a range', () => {
  it.each([
    ['Jun 1 - Jun 5, 2026, 4 nights', '2026-06-01', '2026-06-05'],
    ['1 – 5 juin 2026', '2026-06-01', '2026-06-05'],
    ['1. bis 5. Juni 2026', '2026-06-01', '2026-06-05'],
    ['Dec 29 - Jan 3, 2027', '2026-12-29', '2027-01-03'],
    ['29/12/2026 - 03/01/2027', '2026-12-29', '2027-01-03'],
    ['2026-06-01 to 2026-06-05', '2026-06-01', '2026-06-05'],
  ])('%s', (text, checkin, checkout) => {
    expect(readRange(text, OPEN)).toEqual({
      checkin: { ok: true, day: checkin },
      checkout: { ok: true, day: checkout },
    });
  });
  it('of two ambiguous days is refused', () => {
    expect(readRange('03/04/2026 - 05/04/2026', OPEN).checkin).toEqual({ ok: false, reason: 'ambiguous' });
  });
});

describe('the order of day and month', () => {
  it('is proved by a date that works one way, and by none when two contradict', () => {
    expect(provenOrder(['03/04/2026', '15/04/2026'])).toBe('dmy');
    expect(provenOrder(['03/04/2026', '04/15/2026'])).toBe('mdy');
    expect(provenOrder(['15/04/2026', '04/15/2026'])).toBeNull();
    expect(provenOrder(['03/04/2026'])).toBeNull();
  });
  it.each([
    ['de', 'dmy'],
    ['fr-CA', 'dmy'],
    ['en-US', 'mdy'],
    ['en-gb', 'dmy'],
    ['en', null],
    ['ja', null],
    [null, null],
  ])('of the language %s is %s', (tag, order) => {
    expect(orderOfLanguage(tag)).toBe(order);
  });
});
