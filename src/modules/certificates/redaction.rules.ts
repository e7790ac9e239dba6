/** What redaction leaves of a stored payload. Pure. */

export const REDACTED_NAME = 'Redacted guest';

/** Fields that hold a guest's personal data, wherever they stand in a payload. */
const PERSONAL = new Set([
  'guest_name',
  'guest_email',
  'signer_name',
  'signer_email',
  'signed_ip',
  'ip',
  'user_agent',
  'to',
  'email',
]);

function replacement(field: string, reservation_id: string): string | null {
  if (field === 'guest_name') return REDACTED_NAME;
  // The API never shows a reservation without an address; the placeholder is what it shows for an unknown one.
  if (field === 'guest_email') return `unknown+${reservation_id}@guest.invalid`;
  return null;
}

/** The value with every personal field replaced; everything else, ids, hashes and times, stays. */
export function redactValue(value: unknown, reservation_id: string): unknown {
  if (Array.isArray(value)) return value.map((item) => redactValue(item, reservation_id));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, item]) => [
      field,
      PERSONAL.has(field) && typeof item === 'string'
        ? replacement(field, reservation_id)
        : redactValue(item, reservation_id),
    ]),
  );
}

/** The same for stored JSON text; text that is not JSON holds nothing we wrote, and goes. */
export function redactText(text: string, reservation_id: string): string {
  try {
    return JSON.stringify(redactValue(JSON.parse(text), reservation_id));
  } catch {
    return '';
  }
}
