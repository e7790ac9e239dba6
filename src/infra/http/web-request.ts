/** Between node's requests and answers and those of the web. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** The headers for a `Request`; none that a caller sends is there more than once but `Set-Cookie`, which is no caller's. */
export const webHeaders = (headers: IncomingHttpHeaders): [string, string][] =>
  Object.entries(headers).filter((header): header is [string, string] => typeof header[1] === 'string');

/** 405, with what is allowed instead. */
export function refuseMethod(response: ServerResponse, allowed: readonly string[]): void {
  response.writeHead(405, { Allow: allowed.join(', '), 'Content-Type': 'text/plain' }).end('Method not allowed');
}
