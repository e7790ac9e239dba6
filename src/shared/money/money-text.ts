import { getNumberFormat } from '../language/formatters';
import { getCurrencyDecimalDigits, getCurrencyFormatOptions } from './minor-units';

interface MoneyOptions {
  /** Whether to omit the decimals of a whole amount: “$50” instead of “$50.00”. */
  short?: boolean;
}

/**
 * Formats an amount in the currency's smallest unit: 4500 USD is “$45.00”, 4500 JPY “¥4,500”. `tag`
 * is a BCP 47 tag. Throws RangeError for an unknown tag, and for a currency that is not three
 * letters.
 */
export function formatMoneyText(
  amount: number,
  currency: string,
  tag: string,
  { short = false }: MoneyOptions = {},
): string {
  const style = {
    ...getCurrencyFormatOptions(currency),
    ...(short && ({ trailingZeroDisplay: 'stripIfInteger' } as const)),
  };
  return getNumberFormat(tag, style).format(amount / 10 ** getCurrencyDecimalDigits(currency));
}
