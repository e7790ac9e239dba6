import { describe, expect, it } from 'vitest';
import { toCanonicalLanguageTag } from './language-tag';

describe('a language tag', () => {
  it.each([
    ['de', 'de'],
    ['PT-br', 'pt-BR'],
    ['zh-hans-cn', 'zh-Hans-CN'],
    ['es-419', 'es-419'],
    ['iw', 'he'],
    ['de-CH-1996', 'de-CH-1996'],
    ['gsw', 'gsw'],
  ])('%s is stored as %s', (text, tag) => {
    expect(toCanonicalLanguageTag(text)).toBe(tag);
  });

  it.each([
    '',
    ' de',
    'pt_BR',
    'german',
    'de-DE-',
    'und',
    'UND-de',
    'mul',
    'x-klingon',
    'de-u-co-phonebk',
    'de-1996-1996',
    '12',
    `de-${'abcde-'.repeat(20)}abcde`,
  ])('%j is invalid', (text) => {
    expect(toCanonicalLanguageTag(text)).toBeNull();
  });
});
