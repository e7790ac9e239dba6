import { expect, it } from 'vitest';
import { buildWordPrefixTsquery, splitSearchWords } from './search';

it.each([
  ['', []],
  ['  ', []],
  ['Grace Hopper', ['Grace', 'Hopper']],
  ['grace.hopper+x@example.com', ['grace', 'hopper', 'x', 'example', 'com']],
  [`a-b_c/d(e)f'g"h#i,j;k:l`, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']],
  ['twice twice\tTwice', ['twice', 'Twice']],
  ['É日本', ['É日本']],
])('%j is searched as %j', (text, words) => {
  expect(splitSearchWords(text)).toEqual(words);
});

it('a search word has at most a hundred characters', () => {
  expect(splitSearchWords('x'.repeat(300))).toEqual(['x'.repeat(100)]);
});

it('a query has the team and every word as a prefix, and treats no input as an operator', () => {
  expect(buildWordPrefixTsquery('team_1', ['Grace', 'Hop'])).toBe(`'#team_1' & 'Grace':* & 'Hop':*`);
  expect(buildWordPrefixTsquery('team_1', ['a\\b', '!&|<->'])).toBe(`'#team_1' & 'a\\\\b':* & '!&|<->':*`);
  expect(buildWordPrefixTsquery('team_1', [])).toBe(`'#team_1'`);
});
