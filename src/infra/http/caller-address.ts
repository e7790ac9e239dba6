import type { IncomingMessage } from 'node:http';
import { config } from '@/config';
import { clientAddress } from '@/shared/ip';

/** Who calls: the socket's address, or what a proxy of `TRUSTED_PROXIES` says of its caller. Null when the socket is gone. */
export function callerAddress({ socket, headers }: IncomingMessage): string | null {
  return clientAddress(socket.remoteAddress, headers['x-forwarded-for'], config().trusted_proxies);
}
