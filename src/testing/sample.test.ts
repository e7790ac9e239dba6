import { describe, expect, it } from 'vitest';
import { selectSampledCases } from './sample';

const CASES = Array.from({ length: 23 }, (_, index) => index);

describe.each([0, 1, 4, 20_261_125])('with the seed %i', (seed) => {
  const part = (TEST_PART: string, cases = CASES) => selectSampledCases(cases, { TEST_PART, TEST_SEED: String(seed) });

  it.each([1, 2, 5, 23])('the sample and the rest of %i cases together contain each case once', (count) => {
    const cases = CASES.slice(0, count);
    const [sample, rest] = [part('sample', cases), part('rest', cases)];
    expect(sample.length).toBeGreaterThan(0);
    expect([...sample, ...rest].sort((a, b) => a - b)).toEqual(cases);
  });
});

it('five consecutive days cover every case', () => {
  const days = [7, 8, 9, 10, 11].flatMap((seed) =>
    selectSampledCases(CASES, { TEST_PART: 'sample', TEST_SEED: String(seed) }),
  );
  expect(days.sort((a, b) => a - b)).toEqual(CASES);
});

it('without TEST_PART all cases run', () => {
  expect(selectSampledCases(CASES, {})).toBe(CASES);
});
