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
])('%j may mean %j', (words, nearer) => {
  expect(nearerWords(words)).toEqual(nearer);
});
