/** Whom a raw message was delivered to, from its own headers; for mail servers that do not pass the envelope on. Pure. */
import { addressesIn } from './addresses';

const HEADERS = new Set(['delivered-to', 'x-original-to', 'x-forwarded-to', 'envelope-to', 'to', 'cc']);
const MAX_HEADER_BYTES = 256 * 1024;

/** Addresses in lower case, without doubles. */
export function recipientsOf(raw: Uint8Array): string[] {
  const head =
    Buffer.from(raw.subarray(0, MAX_HEADER_BYTES))
      .toString('latin1')
      .split(/\r?\n\r?\n/, 1)[0] ?? '';
  const found = new Set<string>();
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon < 0 || !HEADERS.has(line.slice(0, colon).trim().toLowerCase())) continue;
    for (const address of addressesIn(line.slice(colon + 1))) {
      found.add(address.toLowerCase());
    }
  }
  return [...found];
}
