/**
 * How many decimals a currency's smallest unit has here, written down as servers showed amounts at the first release (CLDR 48). `Intl` says
 * something else from one version of a runtime to the next, and another browser something else than the server (RSD): the same stored
 * amount would be a hundred times another, and what was signed another than what is shown of it. A currency never moves. Pure.
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

/** 2 for EUR, 0 for JPY, 3 for KWD; 2 for one that nobody knows. */
export const minorDigits = (currency: string): number => DIGITS.get(currency) ?? 2;

/** For `Intl.NumberFormat`: the currency with its own decimals, whatever the runtime thinks of it. */
export function currencyStyle(currency: string) {
  const digits = minorDigits(currency);
  return { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
}
