import { expect, it } from 'vitest';
import { buildShortenedWordVariants } from './mistyped-words.rules';

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
  expect(buildShortenedWordVariants(words)).toEqual(nearer);
});
