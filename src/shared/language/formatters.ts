/** Caches formatters of `Intl`. Creating one takes longer than formatting fifty dates with it. */

import { createBoundedCache } from '../bounded-cache';

/**
 * Maximum number of cached formatters, enough for all languages and styles of the pages. With many
 * time zones the cache is emptied from time to time.
 */
const MOST = 500;
const dates = createBoundedCache<Intl.DateTimeFormat>(MOST);
const numbers = createBoundedCache<Intl.NumberFormat>(MOST);

/** Returns a formatter for `tag` (BCP 47). Throws RangeError for an unknown tag or time zone. */
export const getDateFormat = (tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  dates(`${tag} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(tag, options));

/** Returns a formatter for `tag` (BCP 47). Throws RangeError for an unknown tag or currency. */
export const getNumberFormat = (tag: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  numbers(`${tag} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(tag, options));
