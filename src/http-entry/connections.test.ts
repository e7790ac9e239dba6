import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { limitConnections, type ServerConnections } from './connections';
import { handleMalformedRequests } from './malformed-requests';

let server: Server;
let connections: ServerConnections;

async function listen(per_address: number, handler: Parameters<typeof createServer>[1] = () => {}): Promise<void> {
  server = createServer({ connectionsCheckingInterval: 100 }, handler as never);
  handleMalformedRequests(server);
  connections = limitConnections(server, { per_address });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function open(): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
  socket.on('error', () => {});
  return socket;
}

async function isClosed(socket: Socket, within_ms = 1_000): Promise<boolean> {
  socket.resume();
  if (!socket.closed) await Promise.race([once(socket, 'close'), sleep(within_ms)]);
  return socket.closed;
}

it('rejects connections of an address beyond its limit, until one of them closes', async () => {
  await listen(3);
  const held = [open(), open(), open()];
  await vi.waitFor(() => expect(connections.count()).toBe(3));
  expect(await isClosed(open())).toBe(true);
  expect(held.map((socket) => socket.closed)).toEqual([false, false, false]);
  held[0]?.destroy();
  await vi.waitFor(() => expect(connections.count()).toBe(2));
  const later = open();
  await vi.waitFor(() => expect(connections.count()).toBe(3));
  expect(later.closed).toBe(false);
});

it('closes an idle connection, before its first request and during a response', async () => {
  await listen(10, (_request, response) => void response.writeHead(200).write('a'));
  server.headersTimeout = 300;
  server.timeout = 300;
  const silent = open();
  const stalled = open();
  stalled.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await isClosed(silent, 3_000)).toBe(true);
  expect(await isClosed(stalled, 3_000)).toBe(true);
});

it('sets a deadline for every connection', async () => {
  await listen(10);
  expect(server.timeout).toBeGreaterThan(0);
  expect(server.headersTimeout).toBeGreaterThan(0);
  expect(server.requestTimeout).toBeGreaterThan(0);
});

it('closes idle connections at once when draining, and lets running requests finish', async () => {
  await listen(10, (_request, response) => void setTimeout(() => response.end('done'), 300));
  const silent = open();
  const busy = open();
  let received = '';
  busy.on('data', (part: string) => {
    received += part;
  });
  busy.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await vi.waitFor(() => expect(connections.count()).toBe(2));
  await sleep(50);
  const began = performance.now();
  await connections.drain(5_000);
  expect(performance.now() - began).toBeLessThan(2_000);
  await vi.waitFor(() => expect(received).toContain('done'));
  expect(await isClosed(silent)).toBe(true);
});

it('closes a request that never ends when the time limit for draining passes', async () => {
  await listen(10);
  const endless = open();
  endless.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await vi.waitFor(() => expect(connections.count()).toBe(1));
  await sleep(50);
  await connections.drain(200);
  expect(await isClosed(endless)).toBe(true);
});
