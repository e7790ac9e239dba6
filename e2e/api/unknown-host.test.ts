/** Tests the API of the real server under a host name that does not belong to the installation. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '@/testing/server';
import { RawTcpConnection } from '../support/raw-http';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

it('under an unknown host the API returns its error object with a request id, other paths plain text', async () => {
  const get = (path: string) => {
    const connection = new RawTcpConnection(server.url);
    connection.socket.write(`GET ${path} HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n`);
    return connection.answer();
  };
  const api = await get('/v1/properties');
  const { error } = JSON.parse(api.body);
  expect([api.status, error.code]).toEqual([404, 'route_not_found']);
  expect(error.request_id).toMatch(/^req_/);
  expect(api.headers['x-request-id']).toBe(error.request_id);
  const page = await get('/');
  expect([page.status, page.headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8']);
});
