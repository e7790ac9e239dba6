/** A labelled form ("Guest:", "Email:", "Check-in:", "Check-out:", "Reservation code:"), and what all extractors begin with. */
import { valuesOf } from './labels';
import type { RawFields, Reading } from './types';

/** Every field by its label alone. */
export function extractGeneric({ labels }: Reading): RawFields {
  const first = (values: string[], accept: (value: string) => boolean) => values.find(accept) ?? null;
  const hasDigit = (value: string) => /\d/.test(value);
  return {
    guest_name: first(valuesOf(labels, 'guest_name').map(withoutParty), isName),
    guest_email: first(valuesOf(labels, 'guest_email'), (value) => value.includes('@')),
    checkin: first(valuesOf(labels, 'checkin'), hasDigit),
    checkout: first(valuesOf(labels, 'checkout'), hasDigit),
    range: first(valuesOf(labels, 'dates'), hasDigit),
    reservation_code: first(valuesOf(labels, 'reservation_code').map(codeIn), (code) => code !== ''),
  };
}

/** A reservation code: one word of letters, digits and hyphens that holds a digit or is all capitals. */
export function codeIn(value: string): string {
  const code = /^#?\s*([A-Za-z0-9][A-Za-z0-9-]{3,29})(?=$|[\s,.;)])/.exec(value.trim())?.[1] ?? '';
  return /\d/.test(code) || /^[A-Z-]+$/.test(code) ? code.toUpperCase() : '';
}

/** "Jane Doe (2 adults)" and "Jane Doe, 2 adults" without the party. */
export const withoutParty = (value: string) =>
  (value.split(/\(|[,·|–-]\s*\d/u, 1)[0] ?? '')
    .trim()
    .replace(/<[^<>]*>$/, '')
    .trim();

/** Whether a text can be a person's name. */
export function isName(value: string): boolean {
  return value.length <= 120 && /\p{L}/u.test(value) && !/[@\d]|https?:/i.test(value) && value.split(/\s+/).length <= 8;
}
