import { describe, expect, it } from 'vitest';
import { GUEST_LOCALES, type GuestLocale } from '@/shared/guest-text/locale';
import { en } from './en';
import { fill, messagesFor } from './index';

const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
const textsOf = (words: object): string[] =>
  Object.values(words).flatMap((text) => (typeof text === 'string' ? [text] : textsOf(text)));

/** Words that are the same there as in English. Everything else that reads as English was forgotten. */
const SAME_WORD: Readonly<Record<string, readonly GuestLocale[]>> = {
  Certificate: [],
  'E-mail': ['fr', 'it', 'pt', 'pt-BR', 'nl', 'pl'],
  Signature: ['fr'],
  Photo: ['fr'],
  'Photo (SHA-256)': ['fr'],
  Host: ['it'],
  'Wi-Fi': ['fr', 'es', 'it', 'pt', 'pt-BR', 'pl', 'ru', 'zh-Hans', 'ja', 'ko'],
};
const NAMES = /Wi-Fi|PDF|SHA-256|RFC 3161|UTC|IP|pdfsig|snapshot\.json|audit-trail\.json|\{\w+\}/g;
const OWN_SCRIPT: readonly GuestLocale[] = ['ru', 'ar', 'zh-Hans', 'ja', 'ko'];

describe.each(GUEST_LOCALES)('the certificate’s words in %s', (language) => {
  const words = messagesFor(language);

  it('are all there, with the same placeholders', () => {
    for (const [key, english] of Object.entries(en)) {
      const text = words[key as keyof typeof en];
      if (typeof english === 'string') {
        expect(text, key).toBeTypeOf('string');
        expect(placeholders(text as string), key).toEqual(placeholders(english));
      } else {
        expect(Object.keys(text).sort(), key).toEqual(Object.keys(english).sort());
      }
    }
  });

  it.runIf(!language.startsWith('en'))('have no English left over', () => {
    const english = new Set(textsOf(en));
    expect(textsOf(words).filter((text) => english.has(text) && !SAME_WORD[text]?.includes(language))).toEqual([]);
  });

  it.runIf(OWN_SCRIPT.includes(language))('have nothing in Latin letters but names', () => {
    expect(textsOf(words).filter((text) => /[A-Za-z]/.test(text.replace(NAMES, '')))).toEqual([]);
  });
});

describe('messagesFor', () => {
  it.each([
    ['de-AT', 'de'],
    ['PT-br', 'pt-BR'],
    ['sv', 'en'],
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
