/**
 * Headers that a host adds to an endpoint's deliveries, such as a key for the receiver's gateway.
 * Hosts cannot set the headers that deliveries, the HTTP client or proxies set.
 */

export type CustomWebhookHeaders = Readonly<Record<string, string>>;

export const MAX_CUSTOM_HEADERS = 10;
export const MAX_CUSTOM_HEADER_NAME_LENGTH = 64;
export const MAX_CUSTOM_HEADER_VALUE_LENGTH = 1_000;

const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/**
 * Characters that HTTP transfers unchanged in a header value. A line break would start another
 * header.
 */
const PRINTABLE = /^[\x20-\x7e]+$/;

/** Connection headers (RFC 9110, 7.6.1), and headers that the HTTP client sets. */
const RESERVED = new Set([
  // Setting this name would change the object's prototype.
  '__proto__',
  'accept-encoding',
  'connection',
  'cookie',
  'date',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
]);
/** Prefixes of headers that deliveries or proxies set. */
const RESERVED_BEGINNINGS = ['content-', 'forwarded', 'proxy-', 'sec-', 'service-', 'webhook-', 'x-forwarded-'];

/**
 * Returns the first problem, or null. `name` is the header with the problem, or null when the
 * problem concerns all headers together.
 */
export function findCustomHeaderProblem(
  headers: CustomWebhookHeaders,
): { name: string | null; message: string } | null {
  const names = Object.keys(headers);
  if (names.length > MAX_CUSTOM_HEADERS)
    return { name: null, message: `must hold at most ${MAX_CUSTOM_HEADERS} headers` };
  const taken = new Set<string>();
  for (const name of names) {
    const lower = name.toLowerCase();
    const value = headers[name] ?? '';
    if (!TOKEN.test(name) || name.length > MAX_CUSTOM_HEADER_NAME_LENGTH)
      return {
        name,
        message: `must be the name of a header, with at most ${MAX_CUSTOM_HEADER_NAME_LENGTH} characters`,
      };
    if (RESERVED.has(lower) || RESERVED_BEGINNINGS.some((one) => lower.startsWith(one)))
      return { name, message: 'is a header that deliveries set themselves' };
    if (taken.has(lower)) return { name, message: 'is there twice' };
    taken.add(lower);
    if (!PRINTABLE.test(value) || value !== value.trim() || value.length > MAX_CUSTOM_HEADER_VALUE_LENGTH)
      return {
        name,
        message: `must have 1 to ${MAX_CUSTOM_HEADER_VALUE_LENGTH} printable ASCII characters, without spaces around them`,
      };
  }
  return null;
}

/**
 * Returns whether the origins of two URLs differ. The headers for one origin must not be sent to
 * another.
 */
export function isDifferentOrigin(before: string, after: string): boolean {
  return new URL(before).origin !== new URL(after).origin;
}
