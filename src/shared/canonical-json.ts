/**
 * RFC 8785 canonical JSON: equal values give the same bytes everywhere, so that third parties can
 * recompute a hash.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * Returns the canonical text. Throws a TypeError for values without a JSON form (functions, NaN).
 */
export function toCanonicalJson(value: unknown): string {
  const text = (canonicalize as unknown as (input: unknown) => string | undefined)(value);
  if (text === undefined) throw new TypeError('The value has no JSON form.');
  return text;
}

/** Returns the lower-case hex SHA-256 of UTF-8 text or bytes. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
