/** A small server that responds as a test defines, and records the requests that it receives. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Threshold, type ThresholdOptions } from '@threshold/client';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at_ms: number;
}

export interface StubServer {
  readonly origin: string;
  readonly came: ReceivedRequest[];
  /** Sends the response. `number` counts requests from 1. */
  answer: (response: ServerResponse, request: ReceivedRequest, number: number) => void;
  client(options?: Partial<ThresholdOptions>): Threshold;
  close(): Promise<void>;
}

export const TEST_API_KEY = 'service_test_sk_of_the_client_tests';

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Returns an error in the API's format. */
export const buildApiError = (type: string, code: string) => ({
  error: { type, code, message: `It is ${code}.`, param: null, doc_url: null, request_id: 'req_1' },
});

export async function startStubServer(): Promise<StubServer> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const url = new URL(request.url ?? '/', 'http://stub');
    const { method = '', headers } = request;
    const came = { method, path: url.pathname, query: url.searchParams, headers, body, at_ms: performance.now() };
    stub.came.push(came);
    stub.answer(response, came, stub.came.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stub: StubServer = {
    origin,
    came: [],
    answer: (response) => sendJson(response, 200, { id: 'prop_1', object: 'property' }),
    client: (options) => new Threshold({ apiKey: TEST_API_KEY, baseUrl: `${origin}/v1`, ...options }),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return stub;
}
