import { describe, expect, it } from 'vitest';
import { createTranslator, type MessageValues } from '../language/translator';
import de from './de.json';
import { createRefusal, parseStoredRefusal, type RefusalMessageKey, serializeRefusal } from './refusal';

const german = createTranslator<RefusalMessageKey, Record<RefusalMessageKey, MessageValues>>([de], {
  locale: 'de',
  formats: 'de',
  dir: 'ltr',
});

describe('a stored refusal', () => {
  it('is read back as it was written, in any language', () => {
    const stored = serializeRefusal(createRefusal('calendar.shrunk', { count: 1, was: 4 }));
    expect(stored).toBe('{"key":"calendar.shrunk","values":{"count":1,"was":4}}');
    const read = parseStoredRefusal(stored);
    expect(String(read)).toMatch(/^The calendar has 1 booking, down from 4\./);
    expect(read?.in(german)).toMatch(/^Der Kalender hat eine Buchung|^Der Kalender hat 1 Buchung/);
  });

  it('is null when nothing was refused', () => {
    expect([serializeRefusal(null), parseStoredRefusal(null)]).toEqual([null, null]);
  });

  it('from a later version is shown as its key', () => {
    expect(String(parseStoredRefusal('{"key":"calendar.of_a_later_version","values":{}}'))).toBe(
      'calendar.of_a_later_version',
    );
  });

  it('stored as a sentence by the previous version stays that sentence', () => {
    expect(String(parseStoredRefusal('The calendar answered 404: {it is} gone.'))).toBe(
      'The calendar answered 404: {it is} gone.',
    );
  });
});

it('braces in a value are literal text, and a missing value is empty', () => {
  expect(String(createRefusal('as_written', { text: '{text} #' }))).toBe('{text} #');
  expect(String(createRefusal('as_written', { text: null }))).toBe('');
});
