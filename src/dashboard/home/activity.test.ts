import { describe, expect, it } from 'vitest';
import { createEnglishTranslator } from '@/dashboard/i18n/english-words';
import { buildChartScale, describeActivityChart } from './activity';

const day = (date: string, created: number, sent: number, signed: number) => ({ day: date, created, sent, signed });

describe('the summary of the last 30 days', () => {
  it.each([
    [
      [day('2026-12-01', 0, 0, 0)],
      'No reservations have been created yet, and no house rules have been sent or signed.',
    ],
    [
      [day('2026-12-01', 2, 1, 0), day('2026-12-02', 1, 0, 1)],
      'Reservations created: 3. House rules sent: 1. House rules signed: 1.',
    ],
    [
      [day('2026-12-01', 0, 0, 2), day('2026-12-24', 0, 4, 3)],
      'Reservations created: 0. House rules sent: 4. House rules signed: 5. Most signatures on one day: 3, on 24 Dec.',
    ],
  ])('for %j is: %s', (days, words) => {
    expect(describeActivityChart(days, createEnglishTranslator('home'), 'en-GB')).toBe(words);
  });
});

it.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [4, [0, 1, 2, 3, 4]],
  [5, [0, 2, 4, 6]],
  [37, [0, 10, 20, 30, 40]],
  [101, [0, 50, 100, 150]],
])('a chart whose highest bar is %i has grid lines at %j', (most, lines) => {
  expect(buildChartScale(most)).toEqual({ top: lines.at(-1), lines });
});
