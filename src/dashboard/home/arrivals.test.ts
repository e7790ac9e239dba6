import { describe, expect, it } from 'vitest';
import { type Arrival, attentionFor, daysLater, sortArrivals } from './arrivals';

const arrival = (changes: Partial<Arrival>): Arrival => ({
  id: 'res_1',
  status: 'sent',
  checkin_date: '2026-12-24',
  guest_contact_missing: false,
  ...changes,
});

describe('an arrival needs attention', () => {
  it.each([
    ['2026-12-24', {}, 'Not signed, and arrives today'],
    ['2026-12-23', { status: 'clicked' }, 'Not signed, and arrives tomorrow'],
    ['2026-12-21', { status: 'draft' }, 'Not sent, and arrives in 3 days'],
    ['2026-12-20', {}, null],
    ['2026-12-10', { guest_contact_missing: true }, 'No e-mail address: the packet cannot be sent'],
    ['2026-12-24', { status: 'signed' }, null],
    ['2026-12-24', { status: 'ignored', guest_contact_missing: true }, null],
  ] as const)('on %s with %j: %s', (today, changes, reason) => {
    expect(attentionFor(arrival(changes), today)).toBe(reason);
  });
});

it('the nearest arrival comes first, and cancelled ones do not come', () => {
  const sorted = sortArrivals([
    arrival({ id: 'res_3', checkin_date: '2026-12-25' }),
    arrival({ id: 'res_2', checkin_date: '2026-12-24' }),
    arrival({ id: 'res_1', checkin_date: '2026-12-24' }),
    arrival({ id: 'res_0', status: 'ignored' }),
  ]);
  expect(sorted.map((item) => item.id)).toEqual(['res_1', 'res_2', 'res_3']);
});

it('days are counted over the end of a month', () => {
  expect(daysLater('2026-12-24', 14)).toBe('2027-01-07');
});
