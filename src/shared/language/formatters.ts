/** Formatters of the platform, kept: to make one takes longer than to write fifty dates with it. */

const kept = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>();
/** All languages with the styles of a page fit; zones are many, and begin anew then. */
const MOST = 500;

function keep<Format extends Intl.DateTimeFormat | Intl.NumberFormat>(key: string, make: () => Format): Format {
  const found = kept.get(key);
  if (found) return found as Format;
  if (kept.size >= MOST) kept.clear();
  const made = make();
  kept.set(key, made);
  return made;
}

/** `tag`: BCP 47. Throws RangeError for a tag or a zone that the platform does not know. */
export const dateFormat = (tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  keep(`date ${tag} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(tag, options));

/** `tag`: BCP 47. Throws RangeError for a tag or a currency that the platform does not know. */
export const numberFormat = (tag: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  keep(`number ${tag} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(tag, options));
