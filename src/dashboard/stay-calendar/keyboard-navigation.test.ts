import { expect, it } from 'vitest';
import { buildStayLaneLayout } from './geometry';
import { findNeighborStay } from './keyboard-navigation';

const stay = (id: string, property_id: string, checkin_date: string, checkout_date: string) => ({
  id,
  property_id,
  checkin_date,
  checkout_date,
});

const properties = ['a', 'empty', 'b'].map((id) => ({ id }));
const rows = new Map([
  [
    'a',
    buildStayLaneLayout([stay('a1', 'a', '2026-12-01', '2026-12-04'), stay('a2', 'a', '2026-12-20', '2026-12-24')]),
  ],
  [
    'b',
    buildStayLaneLayout([stay('b1', 'b', '2026-11-01', '2026-11-20'), stay('b2', 'b', '2026-12-22', '2026-12-28')]),
  ],
]);

it.each([
  ['ArrowRight', 'a1', 'a2'],
  ['ArrowLeft', 'a2', 'a1'],
  ['ArrowRight', 'a2', null],
  ['ArrowDown', 'a2', 'b2'],
  ['ArrowDown', 'a1', 'b1'],
  ['ArrowUp', 'b1', 'a1'],
  ['ArrowUp', 'a1', null],
  ['ArrowDown', 'nobody', null],
])('%s from %s leads to %s', (key, from, to) => {
  expect(findNeighborStay(key, from, properties, rows)?.bar.stay.id ?? null).toBe(to);
});

it('any other key is left to the browser', () => {
  expect(findNeighborStay('Enter', 'a1', properties, rows)).toBeUndefined();
});
