/** Amounts as people type them, and the currency's smallest unit as the API keeps them. Pure. */
import { minorDigits } from '@/shared/money/minor-units';
import { moneyText } from '@/shared/money/money-text';

/**
 * `50`, `50.5`, `50,50` or `1 250.00` -> smallest units. Null when it is no such amount. A comma is
 * a decimal mark.
 */
export function parseAmount(text: string, currency: string): number | null {
  const match = /^(\d{1,9})(?:[.,](\d+))?$/.exec(text.replace(/[\s\u00a0\u202f]/g, ''));
  if (!match) return null;
  const digits = minorDigits(currency);
  const fraction = match[2] ?? '';
  if (fraction.length > digits) return null;
  return Number(`${match[1]}${fraction.padEnd(digits, '0')}`);
}

/**
 * The plain number that parseAmount reads back: `5050` -> `50.50`, whole amounts without decimals.
 */
export function formatAmount(amount_cents: number, currency: string): string {
  const digits = minorDigits(currency);
  const text = String(amount_cents).padStart(digits + 1, '0');
  if (digits === 0) return text;
  const fraction = text.slice(-digits);
  return /^0+$/.test(fraction) ? text.slice(0, -digits) : `${text.slice(0, -digits)}.${fraction}`;
}

/** An amount as money; while a currency is half typed, the number with what there is of it. */
export const amountText = (amount_cents: number, currency: string, formats: string): string =>
  /^[A-Z]{3}$/.test(currency)
    ? moneyText(amount_cents, currency, formats)
    : `${formatAmount(amount_cents, currency)} ${currency}`.trim();
