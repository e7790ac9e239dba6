import { expect, it } from 'vitest';
import { dateFormat, numberFormat } from './formatters';

const day = new Date('2026-12-24T23:30:00Z');

it('a formatter is created once per language and options, and formats as the platform does', () => {
  const lisbon = { dateStyle: 'long', timeZone: 'Europe/Lisbon' } as const;
  const berlin = { dateStyle: 'long', timeZone: 'Europe/Berlin' } as const;
  expect(dateFormat('de', berlin)).toBe(dateFormat('de', { ...berlin }));
  expect([dateFormat('de', berlin).format(day), dateFormat('de', lisbon).format(day)]).toEqual([
    '25. Dezember 2026',
    '24. Dezember 2026',
  ]);
  expect(dateFormat('fr', berlin).format(day)).toBe('25 décembre 2026');
  expect(numberFormat('de').format(1234.5)).toBe('1.234,5');
  expect(numberFormat('de', { style: 'currency', currency: 'EUR' }).format(5)).toBe('5,00\u00a0€');
});

it('throws for invalid options, every time', () => {
  for (const _ of [1, 2]) {
    expect(() => dateFormat('en', { timeZone: 'Nowhere/At_all' })).toThrow(RangeError);
    expect(() => numberFormat('en', { style: 'currency', currency: '!' })).toThrow(RangeError);
  }
});

it('caches a limited number of formatters, and creates correct ones beyond', () => {
  for (let digits = 0; digits < 700; digits++) {
    const text = numberFormat('en', {
      minimumFractionDigits: digits % 15,
      maximumSignificantDigits: 1 + (digits % 21),
    }).format(1);
    expect(text).toMatch(/^1/);
  }
  for (const zone of Intl.supportedValuesOf('timeZone')) dateFormat('en', { timeZone: zone });
  expect(dateFormat('de', { dateStyle: 'long', timeZone: 'UTC' }).format(day)).toBe('24. Dezember 2026');
});
