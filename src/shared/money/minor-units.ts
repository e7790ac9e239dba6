/**
 * The number of decimals of each currency's smallest unit. The numbers come from CLDR 48 and never
 * change, because amounts are stored and signed. `Intl` is not used: it changes the numbers between
 * versions, and browsers may differ from the server, for example for RSD. The same stored amount
 * would then be shown a hundred times as high or low. Pure.
 */
const UNITS: Readonly<Record<number, string>> = {
  0: `ADP AFN ALL BIF BYR CLP COP DJF ESP GNF HUF IDR IQD IRR ISK ITL JPY KMF KPW KRW LAK LBP LUF MGA MGF MMK MRO PKR PYG RWF
    SLL SOS STD SYP TMM TRL UGX UYI VND VUV XAF XOF XPF YER ZMK ZWD`,
  3: 'BHD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};
const DIGITS = new Map(
  Object.entries(UNITS).flatMap(([digits, currencies]) =>
    currencies.split(/\s+/).map((currency) => [currency, Number(digits)] as const),
  ),
);

/**
 * Returns the number of decimals: 2 for EUR, 0 for JPY, 3 for KWD, and 2 for unknown currencies.
 */
export const getCurrencyDecimalDigits = (currency: string): number => DIGITS.get(currency) ?? 2;

/**
 * Returns options for `Intl.NumberFormat` with a currency and its decimals, regardless of the
 * runtime's data.
 */
export function getCurrencyFormatOptions(currency: string) {
  const digits = getCurrencyDecimalDigits(currency);
  return { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
}
