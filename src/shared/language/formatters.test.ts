import { expect, it } from 'vitest';
import { getDateFormat, getNumberFormat } from './formatters';

const day = new Date('2026-12-24T23:30:00Z');

it('a formatter is created once per language and options, and formats as the platform does', () => {
  const lisbon = { dateStyle: 'long', timeZone: 'Europe/Lisbon' } as const;
  const berlin = { dateStyle: 'long', timeZone: 'Europe/Berlin' } as const;
  expect(getDateFormat('de', berlin)).toBe(getDateFormat('de', { ...berlin }));
  expect([getDateFormat('de', berlin).format(day), getDateFormat('de', lisbon).format(day)]).toEqual([
    '25. Dezember 2026',
    '24. Dezember 2026',
  ]);
  expect(getDateFormat('fr', berlin).format(day)).toBe('25 décembre 2026');
  expect(getNumberFormat('de').format(1234.5)).toBe('1.234,5');
  expect(getNumberFormat('de', { style: 'currency', currency: 'EUR' }).format(5)).toBe('5,00\u00a0€');
});

it('throws for invalid options, every time', () => {
  for (const _ of [1, 2]) {
    expect(() => getDateFormat('en', { timeZone: 'Nowhere/At_all' })).toThrow(RangeError);
    expect(() => getNumberFormat('en', { style: 'currency', currency: '!' })).toThrow(RangeError);
  }
});

it('caches a limited number of formatters, and creates correct ones beyond', () => {
  for (let digits = 0; digits < 700; digits++) {
    const text = getNumberFormat('en', {
      minimumFractionDigits: digits % 15,
      maximumSignificantDigits: 1 + (digits % 21),
    }).format(1);
    expect(text).toMatch(/^1/);
  }
  for (const zone of Intl.supportedValuesOf('timeZone')) getDateFormat('en', { timeZone: zone });
  expect(getDateFormat('de', { dateStyle: 'long', timeZone: 'UTC' }).format(day)).toBe('24. Dezember 2026');
});
