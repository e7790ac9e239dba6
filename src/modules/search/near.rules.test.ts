import { expect, it } from 'vitest';
import { nearerWords } from './near.rules';

it.each([
  [['gracr'], [['grac'], ['gra']]],
  [['gra'], []],
  [
    ['ab', 'hoppes'],
    [
      ['ab', 'hoppe'],
      ['ab', 'hopp'],
    ],
  ],
  [['abcd'], [['abc']]],
  [[], []],
])('%j is also searched as %j', (words, nearer) => {
  expect(nearerWords(words)).toEqual(nearer);
});
