import { expect, it } from 'vitest';
import { formatMoneyAmountForInput, parseMoneyAmount } from '@/dashboard/packets/editor/money-input';
import { formatMoney as formatInCertificate } from '@/modules/certificates/document/format';
import { renderHouseRulesTextForListing } from '@/modules/packets/rules/listing';
import { formatMoney } from '../guest-text/format';
import { getCurrencyDecimalDigits } from './minor-units';

const CURRENCIES = [...Intl.supportedValuesOf('currency'), 'CLF', 'ABC'];

// Amounts are stored, so changing one of these numbers would change the meaning of signed amounts.
it.each([
  ['EUR', 2],
  ['RSD', 2],
  ['HUF', 0],
  ['IDR', 0],
  ['JPY', 0],
  ['KWD', 3],
  ['CLF', 4],
  ['ABC', 2],
])('%s has %d decimals, whatever the runtime’s data', (currency, digits) => {
  expect(getCurrencyDecimalDigits(currency)).toBe(digits);
});

it('an amount is the same in the host’s form, on the guest’s page, in the certificate and in a listing', () => {
  const figures = (text: string) => /\d[\d,.]*/.exec(text)?.[0];
  for (const currency of CURRENCIES) {
    const stored = parseMoneyAmount('1234', currency) ?? 0;
    expect(stored).toBe(1234 * 10 ** getCurrencyDecimalDigits(currency));
    expect(formatMoneyAmountForInput(stored, currency)).toBe('1234');
    const fees = [
      { id: 'f', label: 'Pet', amount_cents: stored, unit: null, description: null, type: 'conditional_pet' },
    ];
    const shown = [
      formatMoney(stored, currency, 'en'),
      formatInCertificate(stored, currency, 'en'),
      renderHouseRulesTextForListing({ rules: [], fees, currency, locale: 'en' }),
    ].map((text) => figures(text)?.replace(/\.0+$/, ''));
    expect(shown, currency).toEqual(['1,234', '1,234', '1,234']);
  }
});

it('decimals are shown whenever an amount has them', () => {
  for (const currency of CURRENCIES.filter((one) => getCurrencyDecimalDigits(one) === 2)) {
    expect(formatMoney(123_456, currency, 'en'), currency).toContain('1,234.56');
    expect(formatInCertificate(123_456, currency, 'en'), currency).toContain('1,234.56');
  }
});

it('amounts stay the same in a runtime with different currency data', () => {
  const { NumberFormat } = Intl;
  const stored = { JPY: 1234, HUF: 1234, RSD: 123_400, EUR: 123_400, KWD: 1_234_000 };
  // Simulates a browser with other currency data, which gives every currency one decimal by
  // default.
  Intl.NumberFormat = function other(tag: string, options: Intl.NumberFormatOptions = {}) {
    const asked = options.maximumFractionDigits ?? (options.style === 'currency' ? 1 : undefined);
    return new NumberFormat(tag, {
      ...options,
      minimumFractionDigits: options.minimumFractionDigits ?? 0,
      maximumFractionDigits: asked,
    });
  } as unknown as typeof Intl.NumberFormat;
  // Uses a language without a cached formatter.
  try {
    for (const [currency, amount] of Object.entries(stored)) {
      expect(formatMoney(amount, currency, 'en-GB')).toContain('1,234');
      expect(formatInCertificate(amount, currency, 'en-GB')).toContain('1,234');
      expect(parseMoneyAmount('1234', currency)).toBe(amount);
    }
  } finally {
    Intl.NumberFormat = NumberFormat;
  }
});
