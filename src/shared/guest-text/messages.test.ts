import { describe, expect, it } from 'vitest';
import { GUEST_LOCALES, type GuestLocale, LANGUAGES } from './locale';
import { en } from './messages/en';
import type { Message, MessageKey } from './messages/types';
import { translator } from './translate';

const keys = Object.keys(en) as MessageKey[];
const forms = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message));
const placeholders = (message: Message) =>
  [...new Set(forms(message).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort().join();

describe.each(GUEST_LOCALES)('messages in %s', (locale) => {
  const messages: Record<string, Message> = LANGUAGES[locale].messages;

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

/** Words that are the same there as in English. Everything else that reads as English was forgotten. */
const SAME_WORD: Readonly<Record<string, readonly GuestLocale[]>> = {
  'Check-in': ['es', 'it', 'pt', 'pt-BR', 'nl'],
  'Check-out': ['es', 'it', 'pt', 'pt-BR', 'nl'],
  General: ['es'],
  Password: ['it'],
  Photo: ['fr'],
  'Wi-Fi': ['fr', 'es', 'it', 'pt', 'pt-BR', 'pl', 'ru', 'zh-Hans', 'ja', 'ko'],
};
/** Names, which are written so in every script. */
const NAMES =
  /Threshold|Wi-Fi|PDF|ESIGN Act|UETA|eIDAS|\(EU\)(?: No)?|JavaScript|JPEG|PNG|MB|SHA-256|PEM|IP|name@example\.com|\{\w+\}/g;
const OWN_SCRIPT: readonly GuestLocale[] = ['ru', 'ar', 'zh-Hans', 'ja', 'ko'];

describe.each(GUEST_LOCALES.filter((locale) => !locale.startsWith('en')))('messages in %s', (locale) => {
  const messages = LANGUAGES[locale].messages;

  it('have no English left over', () => {
    const english = new Set(keys.flatMap((key) => forms(en[key])));
    const texts = keys.flatMap((key) => forms(messages[key]));
    expect(texts.filter((text) => english.has(text) && !SAME_WORD[text]?.includes(locale))).toEqual([]);
  });

  it.runIf(OWN_SCRIPT.includes(locale))('have nothing in Latin letters but names', () => {
    const texts = keys.flatMap((key) => forms(messages[key]));
    expect(texts.filter((text) => /[A-Za-z]/.test(text.replace(NAMES, '')))).toEqual([]);
  });
});

describe.each([
  ['en-GB', 'en'],
  ['pt-BR', 'pt'],
] as const)('messages in %s', (locale, other) => {
  it(`have words of their own beside those of ${other}`, () => {
    const [own, others] = [LANGUAGES[locale].messages, LANGUAGES[other].messages];
    expect(keys.some((key) => JSON.stringify(own[key]) !== JSON.stringify(others[key]))).toBe(true);
  });
});

describe('Brazilian Portuguese', () => {
  it('has no word that only Portugal uses', () => {
    const european =
      /\b(ficheiro|rato|ecrã|registo|contacte|telefone|partilh|equipa|caráter|eletrónic|anónim|demasiad|enviámos|noutro|estadia)/i;
    const texts = keys.flatMap((key) => forms(LANGUAGES['pt-BR'].messages[key]));
    expect(texts.filter((text) => european.test(text) && !/por telefone/.test(text))).toEqual([]);
  });
});

describe('translate', () => {
  it.each([
    ['pl', ['1 noc', '2 noce', '5 nocy', '22 noce', '25 nocy']],
    ['ru', ['1 ночь', '2 ночи', '5 ночей', '22 ночи', '25 ночей']],
    ['ar', ['ليلة واحدة', 'ليلتان', '5 ليالٍ', '22 ليلة', '25 ليلة']],
    ['ja', ['1泊', '2泊', '5泊', '22泊', '25泊']],
    ['ko', ['1박', '2박', '5박', '22박', '25박']],
  ] as const)('counts in %s as the language does', (locale, nights) => {
    const t = translator(locale);
    expect([1, 2, 5, 22, 25].map((count) => t('stay.nights', { count }))).toEqual(nights);
  });

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
