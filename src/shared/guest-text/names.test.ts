import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { personNameField } from '../schemas';
import { LETTER_PATTERN, normalizePersonName, normalizeSingleLineText } from './names';

describe('a name', () => {
  it.each([
    ['decomposed accents', 'Ame\u0301lie Mu\u0308ller', 'Amélie Müller'],
    ['a bidi override', 'Ann\u202eyeroJ', 'AnnyeroJ'],
    ['isolates and marks', '\u2068Ann\u2069 \u200eJoy\u200f\u061c', 'Ann Joy'],
    ['zero-width characters', 'A\u200bn\u2060n\ufeff', 'Ann'],
    ['joiners with nothing to join', 'A\u200dn\u200cn', 'Ann'],
    ['joiners that spell a word', 'ශ්‍රී ලාල්', 'ශ්‍රී ලාල්'],
    ['a Persian non-joiner', 'علی‌رضا', 'علی‌رضا'],
    ['soft hyphens and fillers', 'A\u00adn\u3164n\u115f\uffa0', 'Ann'],
    ['tags and variation selectors', 'Ann\u{e0041}\ufe0f\u180b', 'Ann'],
    ['a blank Braille cell', 'A\u2800nn', 'Ann'],
    ['emoji of several parts', 'Ann ❤️ 👩‍👧 👍🏽', 'Ann ❤️ 👩‍👧 👍🏽'],
    ['control characters', 'A\u0000n\u0007n\u009b', 'Ann'],
    ['line ends, tabs and wide spaces', ' Ann\r\n\tJoy\u3000\u00a0Li\u2028\u0085 ', 'Ann Joy Li'],
    ['half of a surrogate pair', 'Ann\ud800', 'Ann\ufffd'],
    ['many spaces around removed characters', 'Ann \u200b \u200b Joy', 'Ann Joy'],
  ])('with %s is cleaned', (_, given, kept) => {
    expect(normalizeSingleLineText(given)).toBe(kept);
    expect(normalizePersonName(given)).toBe(kept);
  });

  it.each(['', ' ', '.', '-', '42', '\u200b', '\u202e', '\u3164', '🙂', '́', '…'])('cannot be %j', (text) => {
    expect(normalizePersonName(text)).toBeNull();
  });

  it('stays unchanged when it is cleaned again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const name = normalizePersonName(text);
        if (name === null) return;
        expect(normalizePersonName(name)).toBe(name);
        expect(name).toBe(name.normalize('NFC'));
        expect([...name].length).toBeLessThanOrEqual(120);
        expect(name).toMatch(LETTER_PATTERN);
        expect(name).not.toMatch(/[\u202a-\u202e\u2066-\u2069\p{Cc}]/u);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the schema of a name', () => {
  const schema = personNameField(120);
  it.each(['.', '42', '🙂'])('rejects %j because it has no letter', (text) => {
    expect(schema.safeParse(text).error?.issues[0]?.message).toBe('must contain a letter');
  });

  it('returns the cleaned name, and checks its length only after cleaning', () => {
    expect(schema.parse(' Ame\u0301lie\u202e ')).toBe('Amélie');
    expect(schema.parse('e\u0301'.repeat(120))).toHaveLength(120);
    expect(schema.safeParse('a'.repeat(121)).error?.issues[0]?.message).toBe('must have at most 120 characters');
  });
});
