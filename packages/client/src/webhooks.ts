/** Verifies the signatures of deliveries with WebCrypto. Supports both signature formats. */
import type { Event } from './types.js';

export interface VerifyOptions {
  /**
   * The maximum difference between the signature's time and the current time, in seconds. Default:
   * 300.
   */
  readonly toleranceSeconds?: number;
  /** The current time in milliseconds, for tests. */
  readonly now?: number;
}

type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>;
/** The headers of a `Request` or of Node's `IncomingMessage`. */
export type WebhookHeaders = { get(name: string): string | null } | HeaderValues;

/**
 * Thrown when a delivery is forged, altered or too old. Respond with 400 and ignore its content.
 */
export class WebhookSignatureError extends Error {
  override name = 'WebhookSignatureError';
  readonly reason: 'missing' | 'malformed' | 'outside_tolerance' | 'no_match';
  constructor(reason: WebhookSignatureError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

const TOLERANCE_S = 300;
const PREFIX = 'whsec_';
const utf8 = new TextEncoder();
type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Verifies a delivery and returns its event. `body` is the unparsed body, as text or bytes. During
 * a rotation, pass several secrets. Throws WebhookSignatureError.
 */
async function verify(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_S, now = Date.now() }: VerifyOptions = {},
): Promise<Event> {
  const bytes = typeof body === 'string' ? utf8.encode(body) : new Uint8Array(body as ArrayBuffer);
  const secrets = (typeof secret === 'string' ? [secret] : secret).filter(Boolean);
  if (secrets.length === 0) throw new TypeError('A secret is needed: the `signing_secret` of the endpoint.');
  const signed = signatureOf(headers);
  if (!signed) throw new WebhookSignatureError('missing', 'There is no Service-Signature and no webhook-signature.');
  if (!/^\d{1,12}$/.test(signed.time) || signed.given.length === 0)
    throw new WebhookSignatureError('malformed', 'The signature cannot be read.');
  if (Math.abs(now / 1000 - Number(signed.time)) > toleranceSeconds)
    throw new WebhookSignatureError('outside_tolerance', 'The signature is too far from now: is the clock right?');
  const message = joined(utf8.encode(signed.before), bytes);
  let matches = false;
  for (const one of secrets) {
    const key = signed.keyOf(one);
    if (!key?.length) continue;
    const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    const expected = new Uint8Array(await crypto.subtle.sign('HMAC', imported, message));
    for (const given of signed.given) matches = same(given, expected) || matches;
  }
  if (!matches)
    throw new WebhookSignatureError('no_match', 'No signature fits: is it this endpoint’s secret and the raw body?');
  return JSON.parse(new TextDecoder().decode(bytes)) as Event;
}

export const webhooks = { verify };

interface Signed {
  readonly time: string;
  /** The part of the signed text that precedes the body. */
  readonly before: string;
  readonly given: readonly Bytes[];
  keyOf(secret: string): Bytes | null;
}

/** Reads `Service-Signature` if it is present, otherwise the headers of Standard Webhooks. */
function signatureOf(headers: WebhookHeaders): Signed | null {
  const header = headerOf(headers, 'service-signature');
  if (header) {
    const pairs = header.split(',').map((part) => part.trim().split('='));
    const times = pairs.filter(([name]) => name === 't').map(([, value]) => value ?? '');
    const time = times.length === 1 ? (times[0] ?? '') : '';
    const given = pairs.filter(([name]) => name === 'v1').flatMap(([, value]) => hex(value ?? '') ?? []);
    // The secret's text itself is the key.
    return { time, before: `${time}.`, given, keyOf: (secret) => utf8.encode(secret) };
  }
  const standard = headerOf(headers, 'webhook-signature');
  if (!standard) return null;
  const time = headerOf(headers, 'webhook-timestamp') ?? '';
  const given = standard.split(' ').flatMap((one) => (one.startsWith('v1,') ? (base64(one.slice(3)) ?? []) : []));
  // The key is the decoded base64 of the secret.
  const keyOf = (secret: string) => base64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  return { time, before: `${headerOf(headers, 'webhook-id') ?? ''}.${time}.`, given, keyOf };
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? undefined;
  const found = Object.entries(headers as HeaderValues).find(([one]) => one.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.[0];
}

/** Compares two values in constant time. */
function same(given: Bytes, expected: Bytes): boolean {
  let difference = given.length ^ expected.length;
  for (const [index, byte] of expected.entries()) difference |= byte ^ (given[index] ?? 0);
  return difference === 0;
}

function hex(text: string): Bytes | null {
  if (!/^[0-9a-f]{64}$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function base64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Bytes {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
