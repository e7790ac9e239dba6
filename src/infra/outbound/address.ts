/**
 * Which addresses the installation may connect to on a customer's word (DESIGN, "Outbound requests").
 *
 * ipaddr.js names the special ranges, but it calls every IPv6 address it has no name for `unicast`, `::127.0.0.1`
 * included. So IPv6 is allowed by what it is (global unicast, 2000::/3) and not by what it is not: the mapped,
 * compatible and NAT64 forms all lie outside, and the translated ones inside (6to4, Teredo) have names.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public by number, but answered by a cloud's hypervisor: Azure's wire server. */
const METADATA_ADDRESSES = new Set(['168.63.129.16']);

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Parses an address in its usual spelling; null for anything else (`127.1`, hex, octal, zone ids). */
function parseStrictly(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // isIP takes the four-octet decimal form only, which is what a socket reports; ipaddr.js would also take `0x7f.1`.
  if (isIP(address) === 0 || address.includes('%')) return null;
  return ipaddr.parse(address);
}

/**
 * Whether an address literal belongs to a host on the public internet.
 *
 * False for private, loopback, link-local, carrier-grade NAT, multicast, broadcast, metadata, documentation,
 * benchmarking and reserved addresses, for every IPv6 form that carries an IPv4 address, and for what is no address.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parseStrictly(address);
  if (parsed === null) return false;
  if (parsed instanceof ipaddr.IPv4) {
    return parsed.range() === 'unicast' && !METADATA_ADDRESSES.has(parsed.toString());
  }
  return parsed.match(GLOBAL_UNICAST) && parsed.range() === 'unicast';
}

/** Whether an address literal is 127.0.0.0/8 or ::1 itself; mapped and translated spellings are not. */
export function isLoopbackAddress(address: string): boolean {
  return parseStrictly(address)?.range() === 'loopback';
}

/** Whether a connection to this address is allowed. `allow_loopback` is for development and tests. */
export function isAllowedAddress(address: string, allow_loopback: boolean): boolean {
  return isPublicAddress(address) || (allow_loopback && isLoopbackAddress(address));
}
