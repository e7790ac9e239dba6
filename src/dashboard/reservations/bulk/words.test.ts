import { expect, it } from 'vitest';
import { createEnglishTranslator } from '@/dashboard/i18n/english-words';
import { describeBulkActionEffect } from './words';

const t = createEnglishTranslator('reservations');

it.each([
  ['send', { to: 'a@example.com', language: 'de', sent_at: null }, 'a@example.com, in German'],
  [
    'resend',
    { to: 'a@example.com', language: 'pt-BR', sent_at: null },
    'a@example.com, in Brazilian Portuguese (first email)',
  ],
  ['resend', { to: null, language: 'en', sent_at: '2026-12-24T12:00:00Z' }, 'No email address, in English'],
  [
    'cancel',
    { to: 'a@example.com', language: null, sent_at: '2026-12-24T12:00:00Z' },
    'Already sent. The link will stop working.',
  ],
  ['cancel', { to: null, language: null, sent_at: null }, 'Not sent yet'],
] as const)('%s of %j: %s', (action, row, words) => {
  expect(describeBulkActionEffect(action, row, t, 'en')).toBe(words);
});

it('questions use the singular for one and the plural for more', () => {
  expect(
    (['send', 'resend', 'cancel'] as const).map((action) => [1, 2].map((count) => t(`bulk_ask_${action}`, { count }))),
  ).toEqual([
    ['Send the house rules to 1 guest?', 'Send the house rules to 2 guests?'],
    ['Send the house rules again to 1 guest?', 'Send the house rules again to 2 guests?'],
    ['Cancel 1 reservation?', 'Cancel 2 reservations?'],
  ]);
});
