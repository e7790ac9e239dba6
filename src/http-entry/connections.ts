/**
 * Limits the number of open connections per address, and the time that a connection may be idle.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { config } from '@/config';
import { getIpAddressRateLimitKey, isIpAddressInRanges, normalizeIpAddress } from '@/shared/ip';

/**
 * Maximum number of connections per address. Browsers open six connections to a site, and
 * server-side HTTP clients rarely open more than a hundred.
 */
const CONNECTIONS_PER_ADDRESS = 512;
/**
 * A connection without traffic in either direction is closed after this time, even during a
 * request.
 */
const SILENCE_MS = 5 * 60_000;

export interface ServerConnections {
  /** Returns the number of open connections. */
  count(): number;
  /**
   * Stops accepting connections. Resolves when running requests have been answered, or after
   * `grace_ms`.
   */
  drain(grace_ms: number): Promise<void>;
}

/**
 * Counts the server's connections by address and closes connections above the limit. The proxies in
 * `TRUSTED_PROXIES` have no limit, because each forwards for many callers.
 */
export function limitConnections(server: Server, { per_address = CONNECTIONS_PER_ADDRESS } = {}): ServerConnections {
  server.timeout = SILENCE_MS;
  const sockets = new Set<Socket>();
  const open_by_address = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = normalizeIpAddress(socket.remoteAddress ?? '');
    const bucket = getIpAddressRateLimitKey(address);
    const open = (open_by_address.get(bucket) ?? 0) + 1;
    const is_proxy = address !== null && isIpAddressInRanges(address, config().trusted_proxies);
    if (open > per_address && !is_proxy) return void socket.destroy();
    sockets.add(socket);
    open_by_address.set(bucket, open);
    socket.once('close', () => {
      sockets.delete(socket);
      const left = (open_by_address.get(bucket) ?? 1) - 1;
      if (left === 0) open_by_address.delete(bucket);
      else open_by_address.set(bucket, left);
    });
  });
  return {
    count: () => sockets.size,
    drain: (grace_ms) =>
      new Promise((resolve) => {
        // Closes connections without a request, which browsers open in advance. Node does not count
        // these connections as idle.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
        // The call is repeated, because a connection becomes idle only after its last response.
        const idle = setInterval(() => server.closeIdleConnections(), 100);
        const end = setTimeout(() => {
          for (const socket of sockets) socket.destroy();
        }, grace_ms);
        server.close(() => {
          clearInterval(idle);
          clearTimeout(end);
          resolve();
        });
      }),
  };
}
