import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chooseGuestPageLocale,
  GUEST_LANGUAGES,
  GUEST_LOCALES,
  getLanguageToUseInsteadOfBrowserLanguage,
  getMailLanguage,
  parseLocale,
} from './locale';

describe('chooseGuestPageLocale', () => {
  it.each([
    ['an explicit choice wins over the browser', { explicit: 'fr', accept_language: 'de' }, 'fr'],
    ['an explicit choice that is not supported is skipped', { explicit: 'sv', accept_language: 'de' }, 'de'],
    ['the browser’s first language', { accept_language: 'nl,en;q=0.8' }, 'nl'],
    ['quality outweighs position', { accept_language: 'en;q=0.3, it;q=0.9' }, 'it'],
    ['a region counts as its language', { accept_language: 'de-AT,en;q=0.9' }, 'de'],
    ['an unsupported language is skipped for the next one', { accept_language: 'sv, zh-TW;q=0.9, es;q=0.1' }, 'es'],
    ['zero quality excludes', { accept_language: 'de;q=0' }, 'en'],
    ['the language assumed for the guest comes after the browser’s', { accept_language: 'sv', stored: 'it' }, 'it'],
    ['the language stated for the guest comes before the browser’s', { said: 'ar', accept_language: 'de' }, 'ar'],
    ['an explicit choice wins over the stated language', { explicit: 'de', said: 'ar' }, 'de'],
    ['an unsupported stated language falls back to the browser’s', { said: 'sv', accept_language: 'de' }, 'de'],
    ['without any information the language is English', {}, 'en'],
    ['an asterisk is ignored', { accept_language: '*' }, 'en'],
  ])('%s', (_, input, expected) => {
    expect(chooseGuestPageLocale(input)).toBe(expected);
  });

  it('returns a supported language for any header', () => {
    fc.assert(
      fc.property(fc.string(), (accept_language) => GUEST_LOCALES.includes(chooseGuestPageLocale({ accept_language }))),
    );
  });
});

describe('parseLocale', () => {
  it.each([
    ['en', 'en'],
    ['en-US', 'en'],
    ['en-GB', 'en-GB'],
    ['en-AU', 'en-GB'],
    ['en-001', 'en-GB'],
    ['pt', 'pt'],
    ['pt-PT', 'pt'],
    ['pt-BR', 'pt-BR'],
    ['pt_BR', 'pt-BR'],
    ['zh', 'zh-Hans'],
    ['zh-CN', 'zh-Hans'],
    ['zh-Hans-HK', 'zh-Hans'],
    ['zh-TW', null],
    ['zh-Hant', null],
    ['AR-eg', 'ar'],
    ['sr-Latn-RS', null],
  ])('%s is read as %s', (tag, locale) => {
    expect(parseLocale(tag)).toBe(locale);
  });

  it.each(GUEST_LOCALES)('accepts %s by its key and by its tag', (locale) => {
    expect([parseLocale(locale), parseLocale(GUEST_LANGUAGES[locale].tag)]).toEqual([locale, locale]);
  });

  it.each(['constructor', '__proto__', 'toString', '', 'x'])('returns null for %j', (tag) => {
    expect(parseLocale(tag)).toBeNull();
  });
});

describe('the stored language of a guest', () => {
  it.each([
    ['is empty by default', null, null, null, null],
    ['as assumed or used by the guest applies to mails only', null, 'it', null, 'it'],
    ['as stated applies to pages and mails', 'fr', null, 'fr', 'fr'],
    ['as switched by the guest overrides the stated one', 'fr', 'ja', 'ja', 'ja'],
  ])('%s', (_, locale, guest_locale, said, mail) => {
    expect([
      getLanguageToUseInsteadOfBrowserLanguage({ locale, guest_locale }),
      getMailLanguage({ locale, guest_locale }),
    ]).toEqual([said, mail]);
  });
});
