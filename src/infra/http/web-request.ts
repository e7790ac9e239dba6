/** Connects Node's HTTP objects with code that uses the Fetch standard. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { config } from '@/config';
import { getClientIpAddress } from '@/shared/ip';

/** Converts headers for a `Request`. Node joins repeated request headers into one string. */
export const toWebHeaders = (headers: IncomingHttpHeaders): [string, string][] =>
  Object.entries(headers).filter((header): header is [string, string] => typeof header[1] === 'string');

/** Responds 405 with the allowed methods. */
export function respondMethodNotAllowed(response: ServerResponse, allowed: readonly string[]): void {
  response.writeHead(405, { Allow: allowed.join(', '), 'Content-Type': 'text/plain' }).end('Method not allowed');
}

/**
 * Returns the caller's address. Behind a proxy in `TRUSTED_PROXIES` it is the address that the
 * proxy reports. Null when the socket is closed.
 */
export function getCallerIpAddress({ socket, headers }: IncomingMessage): string | null {
  return getClientIpAddress(socket.remoteAddress, headers['x-forwarded-for'], config().trusted_proxies);
}
