/**
 * The place where the guard holds: the connection itself.
 *
 * A check of the URL before the request is worth nothing against a name that resolves to another address a moment
 * later, and a check inside `lookup` alone is never asked about literals. So both are looked at here, and the socket
 * connects to exactly the addresses that were looked at.
 */
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isAllowedAddress } from './address';
import { OutboundError } from './errors';

/** Gives all addresses of a host name. Throws when there are none. */
export type ResolveAddresses = (hostname: string) => Promise<string[]>;

const DNS_TIMEOUT_MS = 2_500;
const CONNECT_TIMEOUT_MS = 10_000;

const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });

/**
 * Resolves through DNS without a thread: getaddrinfo runs in a pool of which two hostile name servers that never
 * answer could take every place, and all deliveries would wait. Names that DNS does not know may still be in the
 * hosts file, so those alone go the other way.
 */
export const resolveAddresses: ResolveAddresses = async (hostname) => {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1'];
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const unknown = answers.some((answer) => answer.status === 'rejected' && answer.reason?.code === 'ENOTFOUND');
  if (unknown) return (await systemLookup(hostname, { all: true })).map((entry) => entry.address);
  throw answers.find((answer) => answer.status === 'rejected')?.reason ?? new Error(`${hostname} has no addresses`);
};

export interface ConnectorOptions {
  allow_loopback: boolean;
  resolve?: ResolveAddresses;
  /** PEM certificates to trust besides none other; for tests. */
  ca?: string | Buffer;
}

const blocked = () => new OutboundError('blocked_address', 'The host’s address is private or reserved.');

/** An undici connector that reaches allowed addresses only. One disallowed address among many refuses the name. */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { allow_loopback, resolve = resolveAddresses, ca } = options;

  const lookup: LookupFunction = (hostname, wanted, callback) => {
    const answer = (error: Error | null, addresses: string[] = []) => {
      const entries = addresses.map((address) => ({ address, family: isIP(address) }));
      const [first] = entries;
      // Out of the promise chain: what the socket's callback throws is its own affair, not a rejection of ours.
      queueMicrotask(() => {
        if (error !== null || first === undefined) callback(error ?? noAddress(hostname), '', 0);
        else if (wanted.all) callback(null, entries);
        else callback(null, first.address, first.family);
      });
    };
    resolve(hostname).then(
      (addresses) => {
        if (addresses.some((address) => !isAllowedAddress(address, allow_loopback))) return answer(blocked());
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
    // Node's 250 ms per address gives up on receivers that are merely far away.
    autoSelectFamilyAttemptTimeout: 1_000,
  });

  return (target, callback) => {
    const literal = target.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(literal) !== 0 && !isAllowedAddress(literal, allow_loopback)) {
      queueMicrotask(() => callback(blocked(), null));
      return;
    }
    connect(target, (...result) => {
      const socket = result[1];
      // The last word has the socket: whatever way it got there, it must not be talking to a private address.
      if (socket?.remoteAddress && !isAllowedAddress(socket.remoteAddress, allow_loopback)) {
        socket.destroy();
        callback(blocked(), null);
        return;
      }
      callback(...result);
    });
  };
}

function noAddress(hostname: string, cause?: unknown): OutboundError {
  return new OutboundError('dns', `The host name ${hostname} could not be resolved.`, { cause });
}
