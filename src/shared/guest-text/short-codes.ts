/**
 * Short codes in packet texts: `{{guest_name}}`. The editor offers the codes of the catalogue.
 * Unknown words in double braces are refused, and other braces are plain text. The guest sees the
 * text with the values filled in, and the snapshot stores the same text. Pure.
 */

import { wrapInBidiIsolate } from '../language/isolated';
import { countNightsBetween, formatDay } from './format';
import { GUEST_LANGUAGES, type GuestLocale } from './locale';

/** The catalogue, with examples for the editor. */
export const GUEST_TEXT_SHORT_CODES = {
  guest_name: { description: 'The guest’s name', example: 'Ada Lovelace' },
  checkin_date: { description: 'The check-in day, in the guest’s language', example: 'July 3, 2026' },
  checkout_date: { description: 'The check-out day, in the guest’s language', example: 'July 7, 2026' },
  nights: { description: 'The number of nights', example: '4' },
  property_name: { description: 'The property’s name', example: 'Harbour Loft' },
  property_address: { description: 'The property’s address', example: '12 Quay Street' },
} as const;

export type GuestTextShortCode = keyof typeof GUEST_TEXT_SHORT_CODES;

export interface GuestTextShortCodeValues {
  guest_name: string;
  /** `YYYY-MM-DD` */
  checkin_date: string;
  /** `YYYY-MM-DD` */
  checkout_date: string;
  property_name: string;
  property_address: string | null;
}

/** Matches a word in double braces. The pattern is bounded, so that matching takes linear time. */
const PATTERN = /\{\{\s{0,9}([A-Za-z][\w-]{0,59})\s{0,9}\}\}/g;

const isShortCode = (name: string): name is GuestTextShortCode => Object.hasOwn(GUEST_TEXT_SHORT_CODES, name);

/** Describes short codes in packet texts, for the documentation. */
export const GUEST_TEXT_SHORT_CODE_HELP = `May contain short codes, which are filled in for each guest: ${Object.keys(
  GUEST_TEXT_SHORT_CODES,
)
  .map((code) => `\`{{${code}}}\``)
  .join(', ')}. Other words in double braces are refused.`;

/**
 * Returns the unknown codes in a text, as written between the braces. Each is returned once, in
 * order.
 */
export function findUnknownShortCodes(text: string): string[] {
  const unknown = new Set<string>();
  for (const match of text.matchAll(PATTERN)) {
    const name = match[1] ?? '';
    if (!isShortCode(name)) unknown.add(name);
  }
  return [...unknown];
}

/**
 * Replaces the codes of a text by their values. Values are not searched for codes, so a code in a
 * guest's name has no effect. Unknown codes stay as written.
 */
export function fillShortCodes(text: string, values: GuestTextShortCodeValues, locale: GuestLocale): string {
  return text.replace(PATTERN, (written, name: string) =>
    isShortCode(name) ? setIn(textFor(name, values, locale), locale) : written,
  );
}

/**
 * Isolates a date in the guest's language, because the host's text may run in the opposite
 * direction.
 */
const setIn = (text: string, locale: GuestLocale) =>
  text !== '' && GUEST_LANGUAGES[locale].dir === 'rtl' ? wrapInBidiIsolate(text) : text;

function textFor(code: GuestTextShortCode, values: GuestTextShortCodeValues, locale: GuestLocale): string {
  switch (code) {
    case 'checkin_date':
    case 'checkout_date':
      return formatDay(values[code], locale, 'long');
    case 'nights':
      return String(countNightsBetween(values.checkin_date, values.checkout_date));
    case 'property_address':
      return values.property_address ?? '';
    default:
      return values[code];
  }
}
