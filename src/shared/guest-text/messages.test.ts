import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { flattenMessageTree, type MessageTree } from '../language/translator';
import { GUEST_LANGUAGES, GUEST_LOCALES, type GuestLocale } from './locale';
import { getGuestTranslator } from './translate';

const fileOf = (locale: GuestLocale) =>
  flattenMessageTree(JSON.parse(readFileSync(`src/shared/guest-text/messages/${locale}.json`, 'utf8')) as MessageTree);

/** Returns the texts of a language without ICU syntax. */
function textsOf(locale: GuestLocale): string[] {
  const { variant_of } = GUEST_LANGUAGES[locale];
  const messages = new Map([...(variant_of ? fileOf(variant_of) : []), ...fileOf(locale)]);
  return [...messages.values()].flatMap((text) =>
    text.startsWith('{count, plural,') ? [...text.matchAll(/\w+ \{([^}]*)\}/g)].map(([, form = '']) => form) : [text],
  );
}

/**
 * Words that are the same as in English. Any other text that equals the English text counts as
 * untranslated.
 */
const SAME_WORD: Readonly<Record<string, readonly GuestLocale[]>> = {
  'Check-in': ['es', 'it', 'pt', 'pt-BR', 'nl'],
  'Check-out': ['es', 'it', 'pt', 'pt-BR', 'nl'],
  General: ['es'],
  Password: ['it'],
  Photo: ['fr'],
  'Wi-Fi': ['fr', 'es', 'it', 'pt', 'pt-BR', 'pl', 'ru', 'zh-Hans', 'ja', 'ko'],
};
/**
 * Matches names and abbreviations, which stay in Latin letters in every language, and placeholders.
 */
const NAMES =
  /Threshold|Wi-Fi|PDF|ESIGN Act|UETA|eIDAS|\(EU\)(?: No)?|JavaScript|JPEG|PNG|MB|SHA-256|PEM|IP|name@example\.com|\{\w+(?:, number)?\}/g;
const OWN_SCRIPT: readonly GuestLocale[] = ['ru', 'ar', 'zh-Hans', 'ja', 'ko'];

describe.each(GUEST_LOCALES.filter((locale) => !locale.startsWith('en')))('messages in %s', (locale) => {
  it('contain no untranslated English', () => {
    const english = new Set(textsOf('en'));
    expect(textsOf(locale).filter((text) => english.has(text) && !SAME_WORD[text]?.includes(locale))).toEqual([]);
  });

  it.runIf(OWN_SCRIPT.includes(locale))('contain no Latin letters except in names', () => {
    expect(textsOf(locale).filter((text) => /[A-Za-z]/.test(text.replace(NAMES, '')))).toEqual([]);
  });
});

describe('Brazilian Portuguese', () => {
  it('contains no word that only Portugal uses', () => {
    const european =
      /\b(ficheiro|rato|ecrã|registo|contacte|telefone|partilh|equipa|caráter|eletrónic|anónim|demasiad|enviámos|noutro|estadia)/i;
    expect(textsOf('pt-BR').filter((text) => european.test(text) && !/por telefone/.test(text))).toEqual([]);
  });
});

describe('translate', () => {
  it.each([
    ['pl', ['1 noc', '2 noce', '5 nocy', '22 noce', '25 nocy']],
    ['ru', ['1 ночь', '2 ночи', '5 ночей', '22 ночи', '25 ночей']],
    ['ar', ['ليلة واحدة', 'ليلتان', '5 ليالٍ', '22 ليلة', '25 ليلة']],
    ['ja', ['1泊', '2泊', '5泊', '22泊', '25泊']],
    ['ko', ['1박', '2박', '5박', '22박', '25박']],
  ] as const)('uses the plural forms of %s', (locale, nights) => {
    const t = getGuestTranslator(locale);
    expect([1, 2, 5, 22, 25].map((count) => t('stay.nights', { count }))).toEqual(nights);
  });

  it('selects the plural form by the number', () => {
    const t = getGuestTranslator('de');
    expect([1, 2].map((count) => t('stay.nights', { count }))).toEqual(['1 Nacht', '2 Nächte']);
  });

  it('inserts values unchanged, even ones that look like placeholders', () => {
    expect(getGuestTranslator('en')('sign.greeting', { guest: '{property} $& $1' })).toBe('Hello {property} $& $1');
  });

  it('formats numbers for the language', () => {
    expect(getGuestTranslator('de')('review.rules', { count: 1200 })).toBe('1.200 Hausregeln');
  });
});
