/**
 * Client addresses: API key allowlists and the way through trusted proxies. An IPv4 address in its mapped IPv6 form
 * (`::ffff:192.0.2.1`, what a dual-stack socket reports) counts as the IPv4 address everywhere.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** Parses a usual spelling; null for anything else. Zone ids (`fe80::1%eth0`) are dropped. */
function parse(text: string): Address | null {
  const plain = withoutZone(text);
  // ipaddr.js alone would read `10.1` or `0x7f.1`, which in an allowlist is a typing error.
  return isIP(plain) === 0 ? null : ipaddr.process(plain);
}

const withoutZone = (text: string) => text.split('%', 1)[0] ?? '';

/** An address in its canonical spelling, mapped forms as IPv4; null when it is none. */
export function normalizeAddress(text: string): string | null {
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
  // `::ffff:10.0.0.0/104` is 10.0.0.0/8.
  const prefix = Number(length) - (mapped ? 96 : 0);
  return prefix < 0 || prefix > bits ? null : [address, prefix];
}

/**
 * The canonical spelling of an allowlist entry, an IPv4 or IPv6 address or CIDR: `10.1.2.3/8` gives `10.0.0.0/8`.
 * Null when it is neither.
 */
export function normalizeRange(text: string): string | null {
  const range = parseRange(text);
  if (range === null) return null;
  const [address, prefix] = range;
  const whole = address instanceof ipaddr.IPv4 ? 32 : 128;
  if (prefix === whole) return address.toString();
  const kind = address instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${kind.networkAddressFromCIDR(`${address.toString()}/${prefix}`).toString()}/${prefix}`;
}

/** Whether an address lies in one of the ranges. An unreadable address or range matches nothing. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  const parsed = parse(address.trim());
  if (parsed === null) return false;
  return ranges.some((text) => {
    const range = parseRange(text);
    return range !== null && range[0].kind() === parsed.kind() && parsed.match(range as [never, number]);
  });
}

/** Whether an API key's allowlist lets an address in. An empty list allows every address, also an unknown one. */
export function isAllowedByList(address: string | null, allowlist: readonly string[]): boolean {
  if (allowlist.length === 0) return true;
  return address !== null && isInRanges(address, allowlist);
}

/**
 * The address of who called us, canonical; null when the socket has none.
 *
 * `X-Forwarded-For` is read from the right for as long as the one who wrote the entry is a trusted proxy, so what a
 * client puts in front itself is never believed. An unreadable entry ends the walk at the proxy that passed it on.
 */
export function clientAddress(
  remoteAddress: string | undefined,
  xForwardedFor: string | readonly string[] | undefined,
  trustedProxies: readonly string[],
): string | null {
  let current = remoteAddress === undefined ? null : normalizeAddress(remoteAddress);
  if (current === null || trustedProxies.length === 0 || xForwardedFor === undefined) return current;
  const header = typeof xForwardedFor === 'string' ? xForwardedFor : xForwardedFor.join(',');
  const hops = header.split(',');
  while (hops.length > 0 && isInRanges(current, trustedProxies)) {
    const hop = normalizeAddress(withoutPort(hops.pop() ?? ''));
    if (hop === null) break;
    current = hop;
  }
  return current;
}

/** Some proxies write `192.0.2.1:4711`, `[2001:db8::1]:4711` or quotes. */
function withoutPort(entry: string): string {
  const text = entry.trim().replace(/^"(.*)"$/, '$1');
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  return bracketed ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
}

/**
 * What an address is counted under when callers are limited by address: an IPv4 address itself, of IPv6 the /64,
 * since one customer line has 2^64 addresses to come from.
 */
export function addressBucket(address: string | null): string {
  if (address === null) return 'unknown';
  return address.includes(':') ? (normalizeRange(`${withoutZone(address)}/64`) ?? 'unknown') : address;
}
