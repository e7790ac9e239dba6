import { expect, it } from 'vitest';
import { createInitialPacketContent, TIME_ZONE_CURRENCIES } from './initial-packet-content';

it.each([
  ['Europe/Lisbon', 'EUR'],
  ['Europe/London', 'GBP'],
  ['America/New_York', 'USD'],
  ['Asia/Tokyo', 'JPY'],
  [null, 'USD'],
  ['Nowhere/Land', 'USD'],
])('the default currency in the time zone %s is %s', (zone, currency) => {
  expect(createInitialPacketContent(zone).currency).toBe(currency);
});

it('codes and Wi-Fi are released after signing by default, and notes before', () => {
  expect(createInitialPacketContent('Europe/Lisbon').arrival_release).toEqual({
    wifi: 'after_signing',
    door_code: 'after_signing',
    checkin_notes: 'before_signing',
    parking_notes: 'before_signing',
  });
});

it('every time zone and every currency of the table exists', () => {
  const currencies = new Set(Intl.supportedValuesOf('currency'));
  for (const [zone, currency] of TIME_ZONE_CURRENCIES) {
    expect(() => new Intl.DateTimeFormat('en', { timeZone: zone }), zone).not.toThrow();
    expect(currencies.has(currency), currency).toBe(true);
  }
});
