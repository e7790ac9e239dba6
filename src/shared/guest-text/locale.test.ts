import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseLocale, GUEST_LOCALES, LANGUAGES, mailLanguage, parseLocale, saidLanguage } from './locale';

describe('chooseLocale', () => {
  it.each([
    ['an explicit choice wins over the browser', { explicit: 'fr', accept_language: 'de' }, 'fr'],
    ['an explicit choice we lack is passed over', { explicit: 'sv', accept_language: 'de' }, 'de'],
    ['the browser’s first language', { accept_language: 'nl,en;q=0.8' }, 'nl'],
    ['quality outweighs position', { accept_language: 'en;q=0.3, it;q=0.9' }, 'it'],
    ['a region counts as its language', { accept_language: 'de-AT,en;q=0.9' }, 'de'],
    ['a language we lack falls to the next one', { accept_language: 'sv, zh-TW;q=0.9, es;q=0.1' }, 'es'],
    ['zero quality excludes', { accept_language: 'de;q=0' }, 'en'],
    ['what is known of the guest comes after the browser', { accept_language: 'sv', stored: 'it' }, 'it'],
    ['what was said of the guest comes before the browser', { said: 'ar', accept_language: 'de' }, 'ar'],
    ['an explicit choice wins over what was said', { explicit: 'de', said: 'ar' }, 'de'],
    ['what was said and we lack falls to the browser', { said: 'sv', accept_language: 'de' }, 'de'],
    ['nothing known is English', {}, 'en'],
    ['an asterisk says nothing', { accept_language: '*' }, 'en'],
  ])('%s', (_, input, expected) => {
    expect(chooseLocale(input)).toBe(expected);
  });

  it('answers any header with a language it has', () => {
    fc.assert(fc.property(fc.string(), (accept_language) => GUEST_LOCALES.includes(chooseLocale({ accept_language }))));
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
  ])('%s is %s', (tag, locale) => {
    expect(parseLocale(tag)).toBe(locale);
  });

  it.each(GUEST_LOCALES)('knows %s by its key and by its tag', (locale) => {
    expect([parseLocale(locale), parseLocale(LANGUAGES[locale].tag)]).toEqual([locale, locale]);
  });

  it.each(['constructor', '__proto__', 'toString', '', 'x'])('knows no language called %j', (tag) => {
    expect(parseLocale(tag)).toBeNull();
  });
});

describe('what is stored of a guest’s language', () => {
  it.each([
    ['nothing', null, null, null, null],
    ['a guess, or what the guest used, is for mails and comes after the browser', null, 'it', null, 'it'],
    ['what was said is for both', 'fr', null, 'fr', 'fr'],
    ['a switch by the guest outweighs what was said', 'fr', 'ja', 'ja', 'ja'],
  ])('%s', (_, locale, guest_locale, said, mail) => {
    expect([saidLanguage({ locale, guest_locale }), mailLanguage({ locale, guest_locale })]).toEqual([said, mail]);
  });
});
