import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { resetRateLimiter } from '@/api/rest/rate-limit/process-limiter';
import { startTestApiServer, type TestApiServer, type TestTeam } from '@/testing/api';
import { handleMcpRequest } from './server';

const READS = 5;

let api: TestApiServer;
let team: TestTeam;
let server: Server;

beforeAll(async () => {
  api = await startTestApiServer({ read: READS, write: 100 });
  team = await api.createTeam();
  server = createServer((request, response) => void handleMcpRequest(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(resetRateLimiter);
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await api.close();
});

async function post(message: unknown) {
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${team.test}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(5_000),
  });
  return { status: response.status, text: await response.text() };
}

const call = (name: string) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } });
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

it('rejects several messages in one request', async () => {
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  for (const batch of [
    [call('properties_list'), cancelled],
    Array.from({ length: 100 }, (_, id) => ({ ...list, id })),
  ]) {
    expect(await post(batch)).toMatchObject({ status: 400, text: expect.stringContaining('invalid_json') });
  }
});

it.each([
  ['a list of the tools', list],
  ['a call of an unknown tool', call('drop_tables')],
  ['a ping', { jsonrpc: '2.0', id: 1, method: 'ping' }],
])('counts against the key’s rate limit for %s', async (_what, message) => {
  const statuses: number[] = [];
  for (let index = 0; index < READS * 3; index++) statuses.push((await post(message)).status);
  expect(statuses[0]).toBe(200);
  expect(statuses.at(-1)).toBe(429);
});

it('counts a tool call once', async () => {
  const texts: string[] = [];
  for (let index = 0; index < READS; index++) texts.push((await post(call('properties_list'))).text);
  expect(texts.filter((text) => text.includes('rate_limit_exceeded'))).toEqual([]);
});
