import { expect, it } from 'vitest';
import { formatTimeLeft } from './countdown';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');

it.each([
  [24 * 3_600_000, '24 h 00 min'],
  [24 * 3_600_000 - 1, '23 h 59 min'],
  [3_600_000, '1 h 00 min'],
  [3_600_000 - 1, '59 min'],
  [60_000, '1 min'],
  [59_999, '59 s'],
  [1, '1 s'],
  [0, null],
  [-1, null],
])('%d ms before the end: %s', (ms, text) => {
  expect(formatTimeLeft(new Date(NOW + ms).toISOString(), NOW)).toBe(text);
});

it('an invalid end counts as over', () => {
  expect(formatTimeLeft('', NOW)).toBeNull();
});
