import { describe, expect, it } from 'vitest';
import { createEnglishTranslator } from '@/dashboard/i18n/english-words';
import { buildChartScale, describeActivity } from './activity';

const day = (date: string, created: number, sent: number, signed: number) => ({ day: date, created, sent, signed });

describe('the summary of the last 30 days', () => {
  it.each([
    [[day('2026-12-01', 0, 0, 0)], 'No reservations have been created, sent or signed yet.'],
    [[day('2026-12-01', 2, 1, 0), day('2026-12-02', 1, 0, 1)], 'Reservations: 3 created, 1 sent, 1 signed.'],
    [
      [day('2026-12-01', 0, 0, 2), day('2026-12-24', 0, 4, 3)],
      'Reservations: 0 created, 4 sent, 5 signed. Busiest day: 24 Dec, 3 signatures.',
    ],
  ])('for %j is: %s', (days, words) => {
    expect(describeActivity(days, createEnglishTranslator('home'), 'en-GB')).toBe(words);
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
