/** Fields of a labelled form ("Guest:", "Check-in:", …), from which all extractors start. */
import { containsDate } from '../dates/stay';
import { getFieldValues } from './labels';
import type { MailReading, RawFields } from './types';

const MOST_VALUES = 10;
const hasDigit = (value: string) => /\d/.test(value);

/** Returns every field by its label alone. */
export function extractGeneric({ labels }: MailReading): RawFields {
  const first = (values: string[], accept: (value: string) => boolean) => values.find(accept) ?? null;
  // A time, a number of nights or "flexible" may precede the date.
  const firstDate = (values: string[]) => first(values.slice(0, MOST_VALUES), containsDate) ?? first(values, hasDigit);
  const codes = getFieldValues(labels, 'reservation_code')
    .map(codeIn)
    .filter((code) => code !== '');
  return {
    guest_name: first(getFieldValues(labels, 'guest_name').map(removePartySize), isPersonName),
    guest_email: first(getFieldValues(labels, 'guest_email'), (value) => value.includes('@')),
    checkin: firstDate(getFieldValues(labels, 'checkin')),
    checkout: firstDate(getFieldValues(labels, 'checkout')),
    range: firstDate(getFieldValues(labels, 'dates')),
    reservation_code: codes[0] ?? null,
    codes,
  };
}

/**
 * Returns a reservation code: one word of letters, digits and hyphens with a digit, or all
 * capitals.
 */
function codeIn(value: string): string {
  const code = /^#?\s*([A-Za-z0-9][A-Za-z0-9-]{3,29})(?=$|[\s,.;)])/.exec(value.trim())?.[1] ?? '';
  return /\d/.test(code) || /^[A-Z-]+$/.test(code) ? code.toUpperCase() : '';
}

/** Returns "Jane Doe (2 adults)" and "Jane Doe, 2 adults" without the party. */
export const removePartySize = (value: string) =>
  (value.split(/\(|[,·|–-]\s*\d/u, 1)[0] ?? '')
    .trim()
    .replace(/<[^<>]*>$/, '')
    .trim();

/** Returns whether a text can be a person's name. */
export function isPersonName(value: string): boolean {
  return value.length <= 120 && /\p{L}/u.test(value) && !/[@\d]|https?:/i.test(value) && value.split(/\s+/).length <= 8;
}
