/**
 * Verifies the signatures of the provider's webhooks (Svix's scheme, as in Standard Webhooks). The
 * signature is the base64 HMAC-SHA-256 of `<id>.<timestamp>.<body>`, with the bytes after `whsec_`
 * as the key. It must equal one of the `v1,` values in the signature header. Pure.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_S = 5 * 60;

export interface MailProviderSignedRequest {
  id: string | null;
  /** The time of sending, in Unix seconds. */
  timestamp: string | null;
  /** One or more `v1,<base64>` values, separated by spaces. */
  signature: string | null;
  body: string;
}

/**
 * Returns whether the request was signed with the secret, and sent within five minutes of `now`.
 */
export function isSignedByMailProvider(request: MailProviderSignedRequest, secret: string, now: Date): boolean {
  const { id, timestamp, signature, body } = request;
  if (!id || !signature || !timestamp || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_S) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (key.length === 0) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return signature
    .split(' ')
    .filter((value) => value.startsWith('v1,'))
    .some((value) => {
      const given = Buffer.from(value.slice(3), 'base64');
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
}
