import { describe, expect, it } from 'vitest';
import { GUEST_LOCALES, type GuestLocale } from '@/shared/guest-text/locale';
import { getDocumentTranslator, getTrailEntryTypeLabel, listTranslatedDocumentTexts } from './words';

/**
 * Words that a language shares with English. Any other English word means a missing translation.
 */
const SAME_WORD: Readonly<Record<string, readonly GuestLocale[]>> = {
  Certificate: [],
  Email: ['fr', 'it', 'pt', 'pt-BR', 'nl', 'pl'],
  Signature: ['fr'],
  Photo: ['fr'],
  'Photo (SHA-256)': ['fr'],
  Host: ['it'],
  'Wi-Fi': ['fr', 'es', 'it', 'pt', 'pt-BR', 'pl', 'ru', 'zh-Hans', 'ja', 'ko'],
};
const NAMES = /Wi-Fi|PDF|SHA-256|RFC 3161|UTC|IP|pdfsig|snapshot\.json|audit-trail\.json|\{\w+\}/g;
const OWN_SCRIPT: readonly GuestLocale[] = ['ru', 'ar', 'zh-Hans', 'ja', 'ko'];

describe.each(GUEST_LOCALES)('the certificate’s messages in %s', (language) => {
  it.runIf(!language.startsWith('en'))('contain no English', () => {
    const english = new Set(listTranslatedDocumentTexts('en'));
    expect(
      listTranslatedDocumentTexts(language).filter((text) => english.has(text) && !SAME_WORD[text]?.includes(language)),
    ).toEqual([]);
  });

  it.runIf(OWN_SCRIPT.includes(language))('contain Latin letters only in names', () => {
    expect(listTranslatedDocumentTexts(language).filter((text) => /[A-Za-z]/.test(text.replace(NAMES, '')))).toEqual(
      [],
    );
  });
});

describe('getDocumentTranslator', () => {
  it.each([
    ['de-AT', 'de'],
    ['PT-br', 'pt-BR'],
    ['sv', 'en'],
    ['', 'en'],
  ])('for %j returns the messages of %s', (locale, language) => {
    expect(getDocumentTranslator(locale)).toBe(getDocumentTranslator(language));
  });
});

it('an unknown trail type is printed unchanged', () => {
  const words = getDocumentTranslator('de');
  expect(getTrailEntryTypeLabel('reservation.signed', words)).toBe('Vom Gast unterschrieben');
  expect(['other.type', 'reservation', 'constructor'].map((type) => getTrailEntryTypeLabel(type, words))).toEqual([
    'other.type',
    'reservation',
    'constructor',
  ]);
});

it('braces in a value are not parsed', () => {
  expect(getDocumentTranslator('en')('signed_by', { name: '{place} $& $1' })).toBe('Signed by {place} $& $1');
});

it('values in Arabic messages are isolated', () => {
  expect(getDocumentTranslator('ar')('wording_version', { version: '2026-01-01' })).toContain('\u20682026-01-01\u2069');
});
