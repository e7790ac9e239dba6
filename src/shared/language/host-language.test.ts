import { describe, expect, it } from 'vitest';
import { chooseHostLocale } from './host-language';

describe('the dashboard’s language', () => {
  it.each([
    [{}, 'en'],
    [{ accept_language: 'de-AT,de;q=0.9,en;q=0.8' }, 'de'],
    [{ accept_language: 'ja,pl;q=0.9' }, 'en'],
    [{ accept_language: 'en;q=0.5, fr;q=0.9' }, 'fr'],
    [{ accept_language: 'fr;q=0, nl' }, 'nl'],
    [{ accept_language: 'pt-BR' }, 'pt'],
    [{ cookie: 'it', accept_language: 'de' }, 'it'],
    [{ cookie: 'tlh', accept_language: 'es' }, 'es'],
    [{ account: 'nl', cookie: 'it', accept_language: 'de' }, 'nl'],
    [{ account: null, cookie: 'it' }, 'it'],
    [{ account: 'constructor' }, 'en'],
  ])('for %j is %s', (known, locale) => {
    expect(chooseHostLocale(known)).toBe(locale);
  });
});
