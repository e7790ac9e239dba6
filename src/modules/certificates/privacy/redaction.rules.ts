/** What redaction leaves of a stored payload. Pure. */
import { createHash } from 'node:crypto';

export const REDACTED_NAME = 'Redacted guest';
const REDACTED_TEXT = '[redacted]';

/** Whose data goes, and the texts by which it is recognised wherever it stands (`tracesOf`). */
export interface Redaction {
  readonly reservation_id: string;
  readonly traces: readonly string[];
  /** The hashes over what goes, and what is kept in the place of each. */
  readonly hashes: ReadonlyMap<string, string>;
}

/**
 * What is kept of a hash over redacted content: salted with the sealed file, which goes. Who has the file can compute it; who has
 * not cannot try names, addresses and dates until one fits. Without a file (nothing was sealed) any bytes that are forgotten do.
 */
export function hashSalter(file: Uint8Array): (hash: string) => string {
  const key = createHash('sha256').update('redacted\0').update(file).digest();
  return (hash) => createHash('sha256').update(key).update(hash).digest('hex');
}

/** Fields that hold a guest's personal data, wherever they stand in a payload. */
const PERSONAL = new Set([
  'guest_name',
  'guest_email',
  'guest_phone_last4',
  'signer_name',
  'signer_email',
  'signed_ip',
  'ip',
  'user_agent',
  'to',
  'email',
  'sent_to',
  'email_code_sent_to',
  'guest_message',
  // What a host wrote by hand may name the guest.
  'arrival_release_override_reason',
  'reason',
]);

/** Reasons that are words of the product. */
const OWN_REASONS = new Set(['api', 'host', 'feed_removed']);

/**
 * The texts that tell of this guest alone: addresses, and full names. A single word, such as `Guest` or `Ada`, is in too
 * many other texts to be looked for.
 */
export function tracesOf(known: readonly (string | null)[]): string[] {
  const texts = known.flatMap((text) => (text ? [text.trim().toLowerCase()] : []));
  return [...new Set(texts)].filter((text) => text.length >= 5 && /[@.:\s]/.test(text));
}

const holdsTrace = (text: string, traces: readonly string[]) => {
  const lower = text.toLowerCase();
  return traces.some((trace) => lower.includes(trace));
};

function replacement(field: string, value: string, { reservation_id }: Redaction): string | null {
  if (field === 'guest_name') return REDACTED_NAME;
  // The API never shows a reservation without an address; the placeholder is what it shows for an unknown one.
  if (field === 'guest_email') return `unknown+${reservation_id}@guest.invalid`;
  if (field === 'reason' && OWN_REASONS.has(value)) return value;
  return null;
}

/** The value with every personal field replaced, every text that holds a trace, and every hash over what goes; ids and times stay. */
export function redactValue(value: unknown, redaction: Redaction): unknown {
  if (typeof value === 'string' && redaction.hashes.has(value)) return redaction.hashes.get(value);
  if (typeof value === 'string') return holdsTrace(value, redaction.traces) ? REDACTED_TEXT : value;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redaction));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, item]) => [
      field,
      PERSONAL.has(field) && typeof item === 'string'
        ? replacement(field, item, redaction)
        : redactValue(item, redaction),
    ]),
  );
}

/** The same for stored JSON text; text that is not JSON holds nothing we wrote, and goes. */
export function redactText(text: string, redaction: Redaction): string {
  try {
    return JSON.stringify(redactValue(JSON.parse(text), redaction));
  } catch {
    return '';
  }
}
