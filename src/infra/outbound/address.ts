/**
 * Decides which addresses the installation may connect to for a customer (design, "Outbound
 * requests"). ipaddr.js knows the special ranges, but reports every other IPv6 address as
 * `unicast`, even `::127.0.0.1`. IPv6 is therefore limited to the global unicast range, 2000::/3,
 * which excludes the mapped, compatible and NAT64 forms of IPv4 addresses. Inside this range,
 * ipaddr.js detects the forms that contain an IPv4 address (6to4, Teredo).
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Azure's wire server, a public address that the cloud's hypervisor serves. */
const METADATA_ADDRESSES = new Set(['168.63.129.16']);

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Parses an address in its standard form. Returns null for any other text (`127.1`, hex, octal,
 * zone ids).
 */
function parseStrictly(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // isIP accepts only the four-octet decimal form, which sockets report. ipaddr.js would also
  // accept `0x7f.1`.
  if (isIP(address) === 0 || address.includes('%')) return null;
  return ipaddr.parse(address);
}

/**
 * Returns whether an address literal belongs to a host on the public internet. False for private,
 * loopback, link-local, carrier-grade NAT, multicast, broadcast, metadata, documentation,
 * benchmarking and reserved addresses, for every IPv6 form that contains an IPv4 address, and for
 * text that is not an address.
 */
export function isPublicIpAddress(address: string): boolean {
  const parsed = parseStrictly(address);
  if (parsed === null) return false;
  if (parsed instanceof ipaddr.IPv4) {
    return parsed.range() === 'unicast' && !METADATA_ADDRESSES.has(parsed.toString());
  }
  return parsed.match(GLOBAL_UNICAST) && parsed.range() === 'unicast';
}

/**
 * Returns whether an address literal is in 127.0.0.0/8 or is ::1. Returns false for mapped and
 * translated forms of these addresses.
 */
export function isLoopbackAddress(address: string): boolean {
  return parseStrictly(address)?.range() === 'loopback';
}

/**
 * Returns whether a connection to this address is allowed. `allow_loopback` is for development and
 * tests.
 */
export function isAllowedOutboundIpAddress(address: string, allow_loopback: boolean): boolean {
  return isPublicIpAddress(address) || (allow_loopback && isLoopbackAddress(address));
}
