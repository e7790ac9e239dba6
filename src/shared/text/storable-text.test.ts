import { expect, it } from 'vitest';
import { toStorableText } from './storable-text';

it.each([
  ['plain text\tof two\r\nlines', 'plain text\tof two\r\nlines'],
  ['a\u0000b\u0008c\u000bd\u001fe\u007f', 'abcde'],
  ['half \ud83d of a sign', 'half \ufffd of a sign'],
  // Text in windows-1252, decoded as latin-1: 0x80, 0x92, 0x96, 0x9f, and 0x81, which windows-1252
  // does not assign.
  ['\u0080 O\u0092Hara \u0096 \u009f\u0081', '€ O’Hara – Ÿ\u0081'],
  ['\u00a0é', '\u00a0é'],
])('%j is stored as %j', (text, stored) => {
  expect(toStorableText(text)).toBe(stored);
});

it('is cut without leaving half of a surrogate pair', () => {
  expect(toStorableText('a😀', 2)).toBe('a\ufffd');
  expect(toStorableText('abc', 2)).toBe('ab');
});
