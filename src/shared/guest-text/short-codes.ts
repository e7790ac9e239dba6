/**
 * Short codes in packet texts: `{{guest_name}}`. The editor offers the catalogue; a word in double braces that is not
 * in it is refused, and other braces are text. The filled-in text is what the guest sees and what the snapshot freezes. Pure.
 */
import { formatDay, nightsBetween } from './format';
import { type GuestLocale, LANGUAGES } from './locale';
import { isolated } from './translate';

/** The catalogue, with an example for the editor. */
export const SHORT_CODES = {
  guest_name: { description: 'The guest’s name', example: 'Ada Lovelace' },
  checkin_date: { description: 'The check-in day, in the guest’s language', example: 'July 3, 2026' },
  checkout_date: { description: 'The check-out day, in the guest’s language', example: 'July 7, 2026' },
  nights: { description: 'The number of nights', example: '4' },
  property_name: { description: 'The property’s name', example: 'Harbour Loft' },
  property_address: { description: 'The property’s address', example: '12 Quay Street' },
} as const;

export type ShortCode = keyof typeof SHORT_CODES;

export interface ShortCodeValues {
  guest_name: string;
  /** `YYYY-MM-DD` */
  checkin_date: string;
  /** `YYYY-MM-DD` */
  checkout_date: string;
  property_name: string;
  property_address: string | null;
}

/** A word between double braces. Everything else in braces is text. Bounded, so that it is read in linear time. */
const PATTERN = /\{\{\s{0,9}([A-Za-z][\w-]{0,59})\s{0,9}\}\}/g;

const isShortCode = (name: string): name is ShortCode => Object.hasOwn(SHORT_CODES, name);

/** What texts of a packet may hold, for the documentation. */
export const SHORT_CODE_HELP = `May hold short codes, which are filled in for each guest: ${Object.keys(SHORT_CODES)
  .map((code) => `\`{{${code}}}\``)
  .join(', ')}. Another word in double braces is refused.`;

/** The codes in a text that are not in the catalogue, each once, in order, as written between the braces. */
export function findUnknownShortCodes(text: string): string[] {
  const unknown = new Set<string>();
  for (const match of text.matchAll(PATTERN)) {
    const name = match[1] ?? '';
    if (!isShortCode(name)) unknown.add(name);
  }
  return [...unknown];
}

/**
 * Fills in the codes of a text. A value is put in as it is and never read for codes again, so a guest's name cannot
 * bring codes of its own. Unknown codes stay as written.
 */
export function fillShortCodes(text: string, values: ShortCodeValues, locale: GuestLocale): string {
  return text.replace(PATTERN, (written, name: string) =>
    isShortCode(name) ? setIn(textFor(name, values, locale), locale) : written,
  );
}

/** A date of the guest's language may stand in a host's text of the other direction. */
const setIn = (text: string, locale: GuestLocale) =>
  text !== '' && LANGUAGES[locale].dir === 'rtl' ? isolated(text) : text;

function textFor(code: ShortCode, values: ShortCodeValues, locale: GuestLocale): string {
  switch (code) {
    case 'checkin_date':
    case 'checkout_date':
      return formatDay(values[code], locale, 'long');
    case 'nights':
      return String(nightsBetween(values.checkin_date, values.checkout_date));
    case 'property_address':
      return values.property_address ?? '';
    default:
      return values[code];
  }
}
