import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseLocale, GUEST_LOCALES, parseLocale } from './locale';

describe('chooseLocale', () => {
  it.each([
    ['an explicit choice wins over the browser', { explicit: 'fr', accept_language: 'de' }, 'fr'],
    ['an explicit choice we lack is passed over', { explicit: 'ja', accept_language: 'de' }, 'de'],
    ['the browser’s first language', { accept_language: 'nl,en;q=0.8' }, 'nl'],
    ['quality outweighs position', { accept_language: 'en;q=0.3, it;q=0.9' }, 'it'],
    ['a region counts as its language', { accept_language: 'pt-BR,pt;q=0.9' }, 'pt'],
    ['a language we lack falls to the next one', { accept_language: 'ja, ko;q=0.9, es;q=0.1' }, 'es'],
    ['zero quality excludes', { accept_language: 'de;q=0' }, 'en'],
    ['what is known of the guest comes after the browser', { accept_language: 'ja', stored: 'it' }, 'it'],
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
  it.each(['constructor', '__proto__', 'toString', '', 'x'])('knows no language called %j', (tag) => {
    expect(parseLocale(tag)).toBeNull();
  });
});
