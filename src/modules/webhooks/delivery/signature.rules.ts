/**
 * Signing deliveries (specification, "Signature verification"; DESIGN, "Webhooks"). Two schemes travel side by side,
 * made from one secret, `whsec_` + base64 of 32 random bytes:
 *
 *   Service-Signature   `t=<unix s>,v1=<hex>`: HMAC-SHA-256 of `<t>.<body>`; the key is the whole text of the secret,
 *                       `whsec_` included, as UTF-8 (as Stripe's libraries take it);
 *   webhook-signature   `v1,<base64>`: HMAC-SHA-256 of `<id>.<t>.<body>`; the key is the bytes that the base64 after
 *                       `whsec_` stands for (as Standard Webhooks' libraries take it).
 *
 * While a secret is being rotated the old one signs too, behind the new one, in both headers.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { previousSecretsColumn } from '../json-columns.schemas';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** A receiver refuses what is older or newer than this (specification, "Webhook replay window"). */
export const REPLAY_WINDOW_S = 300;

type Body = string | Uint8Array;

/** A new signing secret. It is shown once. `random` is for tests. */
export function generateSigningSecret(random: (size: number) => Buffer = randomBytes): string {
  return SECRET_PREFIX + random(SECRET_BYTES).toString('base64');
}

/** A secret that was rotated away. `until` is ISO 8601. */
export type PreviousSecret = { secret: string; until: string };

/** The secrets that still sign besides the current one: at most the previous one. */
export function previousSecrets(endpoint: { previous_secrets: unknown }, now: Date): PreviousSecret[] {
  return previousSecretsColumn
    .read(endpoint.previous_secrets)
    .filter(({ until }) => now.getTime() < Date.parse(until))
    .slice(0, 1);
}

/** The secrets that sign now, the current one first. */
export function signingSecrets(endpoint: { secret: string; previous_secrets: unknown }, now: Date): string[] {
  return [endpoint.secret, ...previousSecrets(endpoint, now).map(({ secret }) => secret)];
}

export interface SignatureHeaders {
  'Service-Signature': string;
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/** The signature headers of one attempt. `event_id` stays the same over retries, `now` is the attempt's own time. */
export function signatureHeaders(input: {
  event_id: string;
  body: Body;
  secrets: readonly string[];
  now: Date;
}): SignatureHeaders {
  const timestamp_s = Math.floor(input.now.getTime() / 1000);
  return {
    'Service-Signature': serviceSignature(input.secrets, timestamp_s, input.body),
    'webhook-id': input.event_id,
    'webhook-timestamp': String(timestamp_s),
    'webhook-signature': input.secrets
      .map((secret) => `v1,${standardDigest(secret, input.event_id, timestamp_s, input.body).toString('base64')}`)
      .join(' '),
  };
}

/** `t=<unix s>,v1=<hex>`, with a `v1` for each secret. */
export function serviceSignature(secrets: readonly string[], timestamp_s: number, body: Body): string {
  const values = secrets.map((secret) => `v1=${serviceDigest(secret, String(timestamp_s), body).toString('hex')}`);
  return [`t=${timestamp_s}`, ...values].join(',');
}

export type SignatureVerdict = { ok: true } | { ok: false; reason: 'malformed' | 'outside_window' | 'no_match' };

/**
 * Verifies a `Service-Signature` header as a receiver should: the documentation's example and the tests use it. Any
 * matching `v1` is enough; the time may differ by 300 s either way.
 */
export function verifyServiceSignature(header: string, body: Body, secret: string, now: Date): SignatureVerdict {
  const pairs = header.split(',').map((part) => part.trim().split('=', 2) as [string, string | undefined]);
  const times = pairs.filter(([name]) => name === 't').map(([, value]) => value);
  const signatures = pairs.filter(([name]) => name === 'v1').map(([, value]) => value ?? '');
  const [time] = times;
  if (times.length !== 1 || !time || !/^\d{1,12}$/.test(time) || signatures.length === 0) {
    return { ok: false, reason: 'malformed' };
  }
  if (Math.abs(now.getTime() / 1000 - Number(time)) > REPLAY_WINDOW_S) return { ok: false, reason: 'outside_window' };
  const expected = serviceDigest(secret, time, body);
  const matching = signatures.filter((value) => {
    const given = /^[0-9a-f]{64}$/.test(value) ? Buffer.from(value, 'hex') : Buffer.alloc(0);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return matching.length > 0 ? { ok: true } : { ok: false, reason: 'no_match' };
}

function serviceDigest(secret: string, timestamp: string, body: Body): Buffer {
  return createHmac('sha256', Buffer.from(secret, 'utf8')).update(`${timestamp}.`).update(body).digest();
}

function standardDigest(secret: string, id: string, timestamp_s: number, body: Body): Buffer {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp_s}.`).update(body).digest();
}
