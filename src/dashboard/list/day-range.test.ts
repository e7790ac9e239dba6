import { expect, it } from 'vitest';
import { parseDayRange } from './day-range';

it('covers both days completely in the reader’s time zone, across a clock change too', () => {
  const { from = '', to = '' } = parseDayRange({ from: '2026-03-29', to: '2026-03-29' });
  expect(new Date(from).getHours()).toBe(0);
  expect([new Date(to).getDate(), new Date(to).getHours()]).toEqual([30, 0]);
});

it('omits missing and invalid days', () => {
  expect(parseDayRange({})).toEqual({});
  expect(parseDayRange({ from: 'yesterday', to: '2026-1-1' })).toEqual({});
});
