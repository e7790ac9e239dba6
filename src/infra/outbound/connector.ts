/**
 * Checks addresses when a connection is made. A check of the URL before the request is not enough,
 * because the name may resolve to another address a moment later. A custom `lookup` is not enough
 * either, because it is never called for address literals. This connector resolves the name itself,
 * checks the addresses, and connects only to checked addresses.
 */

import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { createRefusal } from '@/shared/refusals/refusal';
import { isAllowedOutboundIpAddress } from './address';
import { OutboundError } from './errors';

/** Returns all addresses of a host name. Throws when there are none. */
export type IpAddressResolver = (hostname: string) => Promise<string[]>;

const DNS_TIMEOUT_MS = 2_500;
const CONNECT_TIMEOUT_MS = 10_000;

const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });

/**
 * Resolves a name through DNS without a thread. getaddrinfo runs in a thread pool, where two
 * hostile name servers that never answer could block all deliveries. Only names unknown to DNS use
 * getaddrinfo, because they may be in the hosts file.
 */
export const resolveHostnameToIpAddresses: IpAddressResolver = async (hostname) => {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1'];
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const unknown = answers.some((answer) => answer.status === 'rejected' && answer.reason?.code === 'ENOTFOUND');
  if (unknown) return (await systemLookup(hostname, { all: true })).map((entry) => entry.address);
  throw answers.find((answer) => answer.status === 'rejected')?.reason ?? new Error(`${hostname} has no addresses`);
};

export interface AddressCheckingConnectorOptions {
  allow_loopback: boolean;
  resolve?: IpAddressResolver;
  /** PEM certificates to trust instead of the system's certificates, for tests. */
  ca?: string | Buffer;
}

const blocked = () => new OutboundError('blocked_address', createRefusal('outbound.blocked_address'));

/**
 * Creates an undici connector that connects only to allowed addresses. A name with any disallowed
 * address is refused.
 */
export function createAddressCheckingConnector(options: AddressCheckingConnectorOptions): buildConnector.connector {
  const { allow_loopback, resolve = resolveHostnameToIpAddresses, ca } = options;

  const lookup: LookupFunction = (hostname, wanted, callback) => {
    const answer = (error: Error | null, addresses: string[] = []) => {
      const entries = addresses.map((address) => ({ address, family: isIP(address) }));
      const [first] = entries;
      // The callback runs outside the promise chain, so that an error that it throws does not
      // become a rejection here.
      queueMicrotask(() => {
        if (error !== null || first === undefined) callback(error ?? noAddress(hostname), '', 0);
        else if (wanted.all) callback(null, entries);
        else callback(null, first.address, first.family);
      });
    };
    resolve(hostname).then(
      (addresses) => {
        if (addresses.some((address) => !isAllowedOutboundIpAddress(address, allow_loopback))) return answer(blocked());
        const family = wanted.family === 4 || wanted.family === 6 ? wanted.family : null;
        answer(null, family === null ? addresses : addresses.filter((address) => isIP(address) === family));
      },
      (error) => answer(noAddress(hostname, error)),
    );
  };

  const connect = buildConnector({
    lookup,
    ca,
    timeout: CONNECT_TIMEOUT_MS,
    // Node's default of 250 ms per address is too short for distant receivers.
    autoSelectFamilyAttemptTimeout: 1_000,
  });

  return (target, callback) => {
    const literal = target.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(literal) !== 0 && !isAllowedOutboundIpAddress(literal, allow_loopback)) {
      queueMicrotask(() => callback(blocked(), null));
      return;
    }
    connect(target, (...result) => {
      const socket = result[1];
      // Final check of the connected socket, regardless of how it was connected.
      if (socket?.remoteAddress && !isAllowedOutboundIpAddress(socket.remoteAddress, allow_loopback)) {
        socket.destroy();
        callback(blocked(), null);
        return;
      }
      callback(...result);
    });
  };
}

function noAddress(hostname: string, cause?: unknown): OutboundError {
  return new OutboundError('dns', createRefusal('outbound.host_not_found', { host: hostname }), { cause });
}
