import { describe, expect, it } from 'vitest';
import { GUEST_LOCALES, LANGUAGES } from './locale';
import { en } from './messages/en';
import type { MessageKey } from './messages/types';
import { translator } from './translate';

const keys = Object.keys(en) as MessageKey[];
const forms = (message: string | Record<string, string>) =>
  typeof message === 'string' ? [message] : Object.values(message);
const placeholders = (message: string | Record<string, string>) =>
  [...new Set(forms(message).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort().join();

describe.each(GUEST_LOCALES)('messages in %s', (locale) => {
  const messages: Record<string, string | Record<string, string>> = LANGUAGES[locale].messages as never;

  it('have every key of the English file and no other', () => {
    expect(Object.keys(messages).sort()).toEqual([...keys].sort());
  });

  it('are never empty', () => {
    const empty = keys.filter((key) => forms(messages[key] ?? '').some((text) => text.trim() === ''));
    expect(empty).toEqual([]);
  });

  it('fill in the same values as the English text', () => {
    const different = keys.filter((key) => placeholders(messages[key] ?? '') !== placeholders(en[key]));
    expect(different).toEqual([]);
  });

  it('have a form for each plural category a small number can have', () => {
    const rules = new Intl.PluralRules(locale);
    const missing = keys.filter((key) => {
      const message = messages[key];
      if (typeof message !== 'object') return false;
      return Array.from({ length: 200 }, (_, count) => rules.select(count)).some((category) => !(category in message));
    });
    expect(missing).toEqual([]);
  });
});

describe.each(GUEST_LOCALES.filter((locale) => locale !== 'en'))('messages in %s', (locale) => {
  it('are translated, not copied', () => {
    const messages: Record<string, unknown> = LANGUAGES[locale].messages;
    const sentences = keys.filter((key) => forms(en[key])[0]!.split(' ').length > 4);
    expect(sentences.filter((key) => JSON.stringify(messages[key]) === JSON.stringify(en[key]))).toEqual([]);
  });
});

describe('translate', () => {
  it('chooses the plural form by the number', () => {
    const t = translator('de');
    expect([1, 2].map((count) => t('stay.nights', { count }))).toEqual(['1 Nacht', '2 Nächte']);
  });

  it('fills in values as they are, even ones that look like placeholders', () => {
    expect(translator('en')('sign.greeting', { guest: '{property} $& $1' })).toBe('Hello {property} $& $1');
  });

  it('writes numbers the way the language does', () => {
    expect(translator('de')('review.rules', { count: 1200 })).toBe('1.200 Hausregeln');
  });
});
