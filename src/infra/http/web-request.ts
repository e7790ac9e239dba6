/** Between node's requests and answers and those of the web. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { config } from '@/config';
import { clientAddress } from '@/shared/ip';

/** The headers for a `Request`; none that a caller sends is there more than once but `Set-Cookie`, which is no caller's. */
export const webHeaders = (headers: IncomingHttpHeaders): [string, string][] =>
  Object.entries(headers).filter((header): header is [string, string] => typeof header[1] === 'string');

/** 405, with what is allowed instead. */
export function refuseMethod(response: ServerResponse, allowed: readonly string[]): void {
  response.writeHead(405, { Allow: allowed.join(', '), 'Content-Type': 'text/plain' }).end('Method not allowed');
}

/** Whether an `Accept-Encoding` header takes gzip (RFC 9110, 12.5.3): it is named, and not with a weight of nothing. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const named = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.split(';').map((part) => part.trim()));
  return named.some(([coding, weight]) => coding === 'gzip' && !/^q=0(?:\.0*)?$/.test(weight ?? ''));
}

/** Who calls: the socket's address, or what a proxy of `TRUSTED_PROXIES` says of its caller. Null when the socket is gone. */
export function callerAddress({ socket, headers }: IncomingMessage): string | null {
  return clientAddress(socket.remoteAddress, headers['x-forwarded-for'], config().trusted_proxies);
}
