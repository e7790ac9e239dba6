/**
 * Extracts the fields of a labelled form ("Guest:", "Check-in:", …). The channels' extractors start
 * from these fields.
 */
import { doesTextContainDate } from '../dates/stay';
import { getLabelledFieldValues } from './labels';
import type { LabelledMailBody, RawBookingFieldsFromMail } from './types';

const MOST_VALUES = 10;
const hasDigit = (value: string) => /\d/.test(value);

/** Returns the fields, found by their labels only. */
export function extractFieldsByLabel({ labels }: LabelledMailBody): RawBookingFieldsFromMail {
  const first = (values: string[], accept: (value: string) => boolean) => values.find(accept) ?? null;
  // The first value may be a time, a number of nights or "flexible", so the first value with a date
  // is used.
  const firstDate = (values: string[]) =>
    first(values.slice(0, MOST_VALUES), doesTextContainDate) ?? first(values, hasDigit);
  const codes = getLabelledFieldValues(labels, 'reservation_code')
    .map(codeIn)
    .filter((code) => code !== '');
  return {
    guest_name: first(getLabelledFieldValues(labels, 'guest_name').map(stripGuestCountFromName), isPersonName),
    guest_email: first(getLabelledFieldValues(labels, 'guest_email'), (value) => value.includes('@')),
    checkin: firstDate(getLabelledFieldValues(labels, 'checkin')),
    checkout: firstDate(getLabelledFieldValues(labels, 'checkout')),
    range: firstDate(getLabelledFieldValues(labels, 'dates')),
    reservation_code: codes[0] ?? null,
    codes,
  };
}

/**
 * Returns the reservation code at the beginning of a value: letters, digits and hyphens, with a
 * digit or all in capitals. Returns an empty text without a code.
 */
function codeIn(value: string): string {
  const code = /^#?\s*([A-Za-z0-9][A-Za-z0-9-]{3,29})(?=$|[\s,.;)])/.exec(value.trim())?.[1] ?? '';
  return /\d/.test(code) || /^[A-Z-]+$/.test(code) ? code.toUpperCase() : '';
}

/** Removes the number of guests from "Jane Doe (2 adults)" and "Jane Doe, 2 adults". */
export const stripGuestCountFromName = (value: string) =>
  (value.split(/\(|[,·|–-]\s*\d/u, 1)[0] ?? '')
    .trim()
    .replace(/<[^<>]*>$/, '')
    .trim();

/** Returns whether a text can be a person's name. */
export function isPersonName(value: string): boolean {
  return value.length <= 120 && /\p{L}/u.test(value) && !/[@\d]|https?:/i.test(value) && value.split(/\s+/).length <= 8;
}
