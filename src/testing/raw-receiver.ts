/**
 * A plain webhook receiver for delivery tests. It records the bytes and responds as configured,
 * including with an invalid response or none.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  /** When the whole body had arrived, as a value of performance.now(). */
  at: number;
}

export type RequestResponder = (request: ReceivedRequest, response: ServerResponse, index: number) => void;

export interface RawHttpReceiver {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  /** Sets how requests are answered. A number is a status without a body. */
  answer(how: RequestResponder | number): void;
  /** Resolves once `count` requests have arrived. Throws after the timeout. */
  received(count: number, timeout_ms?: number): Promise<ReceivedRequest[]>;
  close(): Promise<void>;
}

export async function startRawHttpReceiver(how: RequestResponder | number = 200): Promise<RawHttpReceiver> {
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  let answer = toAnswer(how);
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const received = toReceived(request, Buffer.concat(parts).toString('utf8'));
      const index = requests.push(received) - 1;
      answer(received, response, index);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests,
    answer: (next) => {
      answer = toAnswer(next);
    },
    async received(count, timeout_ms = 5_000) {
      const end = Date.now() + timeout_ms;
      while (requests.length < count) {
        if (Date.now() > end)
          throw new Error(`The receiver got ${requests.length} of ${count} requests within ${timeout_ms} ms.`);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      return requests;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function toAnswer(how: RequestResponder | number): RequestResponder {
  return typeof how === 'number' ? (_request, response) => void response.writeHead(how).end() : how;
}

function toReceived(request: IncomingMessage, body: string): ReceivedRequest {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
  return { method: request.method ?? '', path: request.url ?? '', headers, body, at: performance.now() };
}
