import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breakWord, createWordBreaker } from './line-breaks';
import { toPrintableText } from './printable';

const anyText = fc.string({ unit: 'grapheme', maxLength: 80 });

describe('breakWord', () => {
  it('loses and adds no characters', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 60 }), (text, limit) => {
        expect(breakWord(text, limit).join('')).toBe(text);
        expect(createWordBreaker(limit)(text).join('')).toBe(text);
      }),
    );
  });

  it.each([
    ['a short word', 'terrace', 20, ['terrace']],
    ['a long word', 'abcdef', 5, ['a', 'b', 'c', 'd', 'e', 'f']],
    ['a surrogate pair', '👩‍👩‍👧xyz', 3, ['👩‍👩‍👧', 'x', 'y', 'z']],
    ['Chinese, with closing marks kept on the line', '请勿吸烟。', 20, ['请', '勿', '吸', '烟。']],
    ['Latin inside Chinese', '用wifi吧', 20, ['用', 'wifi', '吧']],
  ])('breaks %s', (_, word, limit, expected) => {
    expect(breakWord(word, limit)).toEqual(expected);
  });

  it('breaks Thai between words', () => {
    expect(breakWord('ห้ามสูบบุหรี่', 40).length).toBeGreaterThan(1);
  });
});

describe('printable', () => {
  const latin = (code_point: number) => code_point < 0x250 || code_point === 0x200b || code_point > 0xffff;

  it.each([
    ['line ends', 'a\r\nb\rc\u2028d\u0085e', 'a\nb\nc\nd\ne'],
    ['control characters', 'a\u0000\u0007b', 'ab'],
    ['bidi overrides', 'a\u202eb\u2066c', 'abc'],
    ['tabs', 'a\tb', 'a    b'],
    ['characters that no font covers', 'aжb', 'a[U+0436]b'],
    ['adjacent emoji', '🐕🚭', '🐕\u200b🚭'],
    ['skin tones', '👍🏽', '👍'],
  ])('makes %s printable', (_, text, expected) => {
    expect(toPrintableText(text, latin)).toBe(expected);
  });

  it('leaves ordinary text unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abc XYZ 0189.,-éüß') }), (text) => {
        expect(toPrintableText(text, latin)).toBe(text);
      }),
    );
  });
});
