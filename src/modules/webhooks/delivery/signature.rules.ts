/**
 * Signs deliveries (specification, "Signature verification"; design, "Webhooks"). Two schemes sign
 * each delivery with the same secret, `whsec_` + base64 of 32 random bytes:
 * - Service-Signature is `t=<unix s>,v1=<hex>`, the HMAC-SHA-256 of `<t>.<body>`. The key is the
 * whole secret as UTF-8, including `whsec_`, as in Stripe's libraries.
 * - webhook-signature is `v1,<base64>`, the HMAC-SHA-256 of `<id>.<t>.<body>`. The key is the
 * decoded base64 after `whsec_`, as in Standard Webhooks' libraries.
 * After a rotation, both headers also contain a second signature, made with the previous secret.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { previousSigningSecretsJsonColumn } from '../schemas';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/**
 * The maximum difference in seconds between a delivery's timestamp and the receiver's clock
 * (specification, "Webhook replay window").
 */
export const MAX_WEBHOOK_TIMESTAMP_DIFFERENCE_S = 300;

type Body = string | Uint8Array;

/** Generates a signing secret. Tests replace `random`. */
export function generateSigningSecret(random: (size: number) => Buffer = randomBytes): string {
  return SECRET_PREFIX + random(SECRET_BYTES).toString('base64');
}

/** A previous secret. It also signs until `until` (ISO 8601). */
export type PreviousSigningSecret = { secret: string; until: string };

/** Returns the previous secret if it still signs. The list has at most one element. */
export function listPreviousSigningSecrets(
  endpoint: { previous_secrets: unknown },
  now: Date,
): PreviousSigningSecret[] {
  return previousSigningSecretsJsonColumn
    .read(endpoint.previous_secrets)
    .filter(({ until }) => now.getTime() < Date.parse(until))
    .slice(0, 1);
}

/** Returns the secrets that sign at `now`, the current secret first. */
export function listActiveSigningSecrets(endpoint: { secret: string; previous_secrets: unknown }, now: Date): string[] {
  return [endpoint.secret, ...listPreviousSigningSecrets(endpoint, now).map(({ secret }) => secret)];
}

export interface WebhookSignatureHeaders {
  'Service-Signature': string;
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/** Returns the signature headers of one attempt at `now`. All retries have the same `event_id`. */
export function buildWebhookSignatureHeaders(input: {
  event_id: string;
  body: Body;
  secrets: readonly string[];
  now: Date;
}): WebhookSignatureHeaders {
  const timestamp_s = Math.floor(input.now.getTime() / 1000);
  return {
    'Service-Signature': buildServiceSignatureHeaderValue(input.secrets, timestamp_s, input.body),
    'webhook-id': input.event_id,
    'webhook-timestamp': String(timestamp_s),
    'webhook-signature': input.secrets
      .map((secret) => `v1,${standardDigest(secret, input.event_id, timestamp_s, input.body).toString('base64')}`)
      .join(' '),
  };
}

/** Returns `t=<unix s>,v1=<hex>` with one `v1` for each secret. */
export function buildServiceSignatureHeaderValue(secrets: readonly string[], timestamp_s: number, body: Body): string {
  const values = secrets.map((secret) => `v1=${serviceDigest(secret, String(timestamp_s), body).toString('hex')}`);
  return [`t=${timestamp_s}`, ...values].join(',');
}

function serviceDigest(secret: string, timestamp: string, body: Body): Buffer {
  return createHmac('sha256', Buffer.from(secret, 'utf8')).update(`${timestamp}.`).update(body).digest();
}

function standardDigest(secret: string, id: string, timestamp_s: number, body: Body): Buffer {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp_s}.`).update(body).digest();
}
