import { describe, expect, test } from 'vitest';
import type { PacketFee, PacketRule } from '../schemas';
import { CHANNEL_LISTING_LOCALES, getChannelListingLocale, renderHouseRulesTextForListing } from './listing';

const rule = (text: string, category: string | null = null): PacketRule => ({ id: text, text, category });
const fee = (label: string, type: string | null, different: Partial<PacketFee> = {}): PacketFee => ({
  id: label,
  label,
  amount_cents: 5000,
  unit: null,
  description: null,
  type,
  ...different,
});

const input = {
  rules: [rule('No smoking indoors.', 'House'), rule('No parties.'), rule('Sort the waste.\nGlass apart.', 'House')],
  fees: [
    fee('Cleaning', 'mandatory_cleaning'),
    fee('Pet', 'conditional_pet', { unit: 'per_night' }),
    fee('Late check-out', 'conditional_late_checkout', {
      amount_cents: 1250,
      unit: 'per started hour',
      description: 'After 11:00',
    }),
    fee('Hot tub', null),
  ],
  currency: 'EUR',
};

test('the listing text has rules by category and conditional fees, but no mandatory or unclassified fees', () => {
  expect(renderHouseRulesTextForListing({ ...input, locale: 'en' })).toBe(
    [
      'HOUSE RULES',
      '- No parties.',
      'House:',
      '- No smoking indoors.',
      '- Sort the waste. Glass apart.',
      '',
      'FEES THAT MAY APPLY',
      '- Pet: €50 per night',
      '- Late check-out: €12.50 per started hour (After 11:00)',
    ].join('\n'),
  );
});

describe('headings, units and amounts of a listing text', () => {
  test.each([
    ['de', 'HAUSREGELN', '- Pet: 50 € pro Nacht', '12,50 €'],
    ['de-CH', 'HAUSREGELN', 'pro Nacht', '12.50'],
    ['fr', 'RÈGLEMENT INTÉRIEUR', '- Pet: 50 € par nuit', '12,50 €'],
    ['es', 'NORMAS DE LA CASA', '- Pet: 50 € por noche', '12,50 €'],
    ['it', 'REGOLE DELLA CASA', '- Pet: 50 € a notte', '12,50 €'],
    ['pt', 'REGRAS DA CASA', 'por noite', '12,50'],
    ['nl', 'HUISREGELS', '- Pet: € 50 per nacht', '€ 12,50'],
    ['ja', 'HOUSE RULES', '- Pet: €50 per night', '€12.50'],
    ['not a tag', 'HOUSE RULES', '- Pet: €50 per night', '€12.50'],
  ])('follow the locale %s', (locale, heading, pet, late) => {
    const text = renderHouseRulesTextForListing({ ...input, locale });
    expect(text.split('\n')[0]).toBe(heading);
    expect(text).toContain(pet);
    expect(text).toContain(late);
    expect(text).not.toMatch(/[\u00a0\u202f]/);
  });
});

test('amounts use the currency’s own minor unit', () => {
  const block = (currency: string) =>
    renderHouseRulesTextForListing({ rules: [], fees: [fee('Pet', 'conditional_pet')], currency, locale: 'en' });
  expect(block('JPY')).toBe('FEES THAT MAY APPLY\n- Pet: ¥5,000');
  expect(block('USD')).toBe('FEES THAT MAY APPLY\n- Pet: $50');
  expect(block('KWD')).toBe('FEES THAT MAY APPLY\n- Pet: KWD 5');
});

test('the listing text is empty without rules and conditional fees', () => {
  expect(
    renderHouseRulesTextForListing({
      rules: [],
      fees: [fee('Cleaning', 'mandatory_cleaning')],
      currency: 'EUR',
      locale: 'en',
    }),
  ).toBe('');
});

test('the listing text has one line for each item, no empty headings, and unknown units as written', () => {
  const rule = (text: string, category: string | null) => ({ id: text, text, category });
  const rules = [rule(' No\n\n smoking ', ' The\thouse '), rule('No pets', 'The house')];
  const fees = [
    { ...fee('Pet', 'conditional_pet'), label: ' A\n\n pet ', unit: ' Per_Night ' },
    { ...fee('Pet', 'conditional_pet'), label: 'Two', unit: ' super night ' },
  ];
  expect(renderHouseRulesTextForListing({ rules, fees, currency: 'EUR', locale: 'en_IE' })).toBe(
    'HOUSE RULES\nThe house:\n- No smoking\n- No pets\n\nFEES THAT MAY APPLY\n- A pet: €50 per night\n- Two: €50 super night',
  );
});

test('amounts follow a whole locale tag only when it has the headings’ language', () => {
  const write = (locale: string) =>
    renderHouseRulesTextForListing({ rules: [], fees: [fee('Pet', 'conditional_pet')], currency: 'EUR', locale }).split(
      ': ',
    )[1];
  expect(write('sv')).toBe('€50');
  expect(write('de-x')).toBe('50 €');
});

test('a locale is recognised by its language', () => {
  expect(CHANNEL_LISTING_LOCALES.map((locale) => getChannelListingLocale(`${locale.toUpperCase()}-XX`))).toEqual([
    ...CHANNEL_LISTING_LOCALES,
  ]);
  expect(getChannelListingLocale('den')).toBe('en');
});
