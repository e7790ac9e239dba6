import { describe, expect, it } from 'vitest';
import { en } from './en';
import { fill, messagesFor } from './index';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'];
const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe.each(LANGUAGES)('the certificate’s words in %s', (language) => {
  const words = messagesFor(language);

  it('are all there, with the same placeholders', () => {
    for (const [key, english] of Object.entries(en)) {
      const text = words[key as keyof typeof en];
      if (typeof english === 'string') {
        expect(text, key).toBeTypeOf('string');
        expect(placeholders(text as string), key).toEqual(placeholders(english));
      } else {
        expect(Object.keys(text), key).toEqual(Object.keys(english));
      }
    }
    if (language !== 'en') expect(words.lead).not.toBe(en.lead);
  });
});

describe('messagesFor', () => {
  it.each([
    ['de-AT', 'de'],
    ['PT-br', 'pt'],
    ['ja', 'en'],
    ['', 'en'],
  ])('%j reads %s', (locale, language) => {
    expect(messagesFor(locale)).toBe(messagesFor(language));
  });
});

describe('fill', () => {
  it('fills what it knows and leaves braces in values alone', () => {
    expect(fill('{name} at {place} {x}', { name: '{place}', place: 'home' })).toBe('{place} at home {x}');
  });
});
