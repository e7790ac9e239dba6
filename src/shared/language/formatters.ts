/** Formatters of the platform, kept: to make one takes longer than to write fifty dates with it. */

import { kept } from '../kept';

/** All languages with the styles of a page fit; zones are many, and begin anew then. */
const MOST = 500;
const dates = kept<Intl.DateTimeFormat>(MOST);
const numbers = kept<Intl.NumberFormat>(MOST);

/** `tag`: BCP 47. Throws RangeError for a tag or a zone that the platform does not know. */
export const dateFormat = (tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  dates(`${tag} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(tag, options));

/** `tag`: BCP 47. Throws RangeError for a tag or a currency that the platform does not know. */
export const numberFormat = (tag: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  numbers(`${tag} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(tag, options));
