/**
 * Client addresses, for API key allowlists and trusted proxies. An IPv4 address in its mapped IPv6
 * form (`::ffff:192.0.2.1`, as a dual-stack socket reports it) always counts as the IPv4 address.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/**
 * Parses an address in its standard form. Returns null for any other text. Zone ids
 * (`fe80::1%eth0`) are dropped.
 */
function parse(text: string): Address | null {
  const plain = withoutZone(text);
  // ipaddr.js alone would accept `10.1` or `0x7f.1`, which are typing errors in an allowlist.
  return isIP(plain) === 0 ? null : ipaddr.process(plain);
}

const withoutZone = (text: string) => text.split('%', 1)[0] ?? '';

/**
 * Returns the canonical spelling of an address. A mapped IPv4 address becomes IPv4. Null when the
 * text is not an address.
 */
export function normalizeIpAddress(text: string): string | null {
  return parse(text.trim())?.toString() ?? null;
}

function parseRange(text: string): Range | null {
  const [base = '', length, ...rest] = text.trim().split('/');
  if (rest.length > 0 || base.includes('%')) return null;
  const address = parse(base);
  if (address === null) return null;
  const mapped = isIP(base) === 6 && address instanceof ipaddr.IPv4;
  const bits = address instanceof ipaddr.IPv4 ? 32 : 128;
  if (length === undefined) return [address, bits];
  if (!/^\d{1,3}$/.test(length)) return null;
  // A mapped prefix is 96 bits longer: `::ffff:10.0.0.0/104` is 10.0.0.0/8.
  const prefix = Number(length) - (mapped ? 96 : 0);
  return prefix < 0 || prefix > bits ? null : [address, prefix];
}

/**
 * Returns the canonical spelling of an allowlist entry, an IPv4 or IPv6 address or CIDR:
 * `10.1.2.3/8` becomes `10.0.0.0/8`. Null for any other text.
 */
export function normalizeIpRange(text: string): string | null {
  const range = parseRange(text);
  if (range === null) return null;
  const [address, prefix] = range;
  const whole = address instanceof ipaddr.IPv4 ? 32 : 128;
  if (prefix === whole) return address.toString();
  const kind = address instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${kind.networkAddressFromCIDR(`${address.toString()}/${prefix}`).toString()}/${prefix}`;
}

/**
 * Returns whether an address is in one of the ranges. An unreadable address or range matches
 * nothing.
 */
export function isIpAddressInRanges(address: string, ranges: readonly string[]): boolean {
  const parsed = parse(address.trim());
  if (parsed === null) return false;
  return ranges.some((text) => {
    const range = parseRange(text);
    return range !== null && range[0].kind() === parsed.kind() && parsed.match(range as [never, number]);
  });
}

/**
 * Returns whether an API key's allowlist admits an address. An empty list admits every address,
 * including an unknown one.
 */
export function isIpAddressAllowed(address: string | null, allowlist: readonly string[]): boolean {
  if (allowlist.length === 0) return true;
  return address !== null && isIpAddressInRanges(address, allowlist);
}

/**
 * Returns the caller's canonical address, or null when the socket has none. `X-Forwarded-For` is
 * read from the right, as long as a trusted proxy wrote the entry. Entries that a client adds are
 * therefore never used. If an entry is unreadable, the result is the address of the proxy that
 * added it.
 */
export function getClientIpAddress(
  remoteAddress: string | undefined,
  xForwardedFor: string | readonly string[] | undefined,
  trustedProxies: readonly string[],
): string | null {
  let current = remoteAddress === undefined ? null : normalizeIpAddress(remoteAddress);
  if (current === null || trustedProxies.length === 0 || xForwardedFor === undefined) return current;
  const header = typeof xForwardedFor === 'string' ? xForwardedFor : xForwardedFor.join(',');
  const hops = header.split(',');
  while (hops.length > 0 && isIpAddressInRanges(current, trustedProxies)) {
    const hop = normalizeIpAddress(withoutPort(hops.pop() ?? ''));
    if (hop === null) break;
    current = hop;
  }
  return current;
}

/**
 * Removes the port and quotes, because some proxies write `192.0.2.1:4711`, `[2001:db8::1]:4711` or
 * quotes.
 */
function withoutPort(entry: string): string {
  const text = entry.trim().replace(/^"(.*)"$/, '$1');
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  return bracketed ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
}

/**
 * Returns the key for limiting callers by address: an IPv4 address itself, or the /64 of an IPv6
 * address, because one subscriber usually has a whole /64.
 */
export function getIpAddressRateLimitKey(address: string | null): string {
  if (address === null) return 'unknown';
  return address.includes(':') ? (normalizeIpRange(`${withoutZone(address)}/64`) ?? 'unknown') : address;
}
