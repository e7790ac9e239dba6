/** Converts between typed amounts and the currency's smallest unit. Pure. */
import { getCurrencyDecimalDigits } from '@/shared/money/minor-units';
import { formatMoneyText } from '@/shared/money/money-text';

/**
 * Parses `50`, `50.5`, `50,50` or `1 250.00` to the smallest unit. A comma is a decimal separator.
 * Returns null for any other text.
 */
export function parseMoneyAmount(text: string, currency: string): number | null {
  const match = /^(\d{1,9})(?:[.,](\d+))?$/.exec(text.replace(/[\s\u00a0\u202f]/g, ''));
  if (!match) return null;
  const digits = getCurrencyDecimalDigits(currency);
  const fraction = match[2] ?? '';
  if (fraction.length > digits) return null;
  return Number(`${match[1]}${fraction.padEnd(digits, '0')}`);
}

/**
 * Formats an amount as text that `parseMoneyAmount` accepts: `5050` becomes `50.50`. Whole amounts
 * have no decimals.
 */
export function formatMoneyAmountForInput(amount_cents: number, currency: string): string {
  const digits = getCurrencyDecimalDigits(currency);
  const text = String(amount_cents).padStart(digits + 1, '0');
  if (digits === 0) return text;
  const fraction = text.slice(-digits);
  return /^0+$/.test(fraction) ? text.slice(0, -digits) : `${text.slice(0, -digits)}.${fraction}`;
}

/**
 * Formats an amount as money. While the currency code is incomplete, returns the number and the
 * incomplete code.
 */
export const formatDisplayAmount = (amount_cents: number, currency: string, formats: string): string =>
  /^[A-Z]{3}$/.test(currency)
    ? formatMoneyText(amount_cents, currency, formats)
    : `${formatMoneyAmountForInput(amount_cents, currency)} ${currency}`.trim();
