/**
 * Serves the REST bridge on a real HTTP listener with a real in-memory PostgreSQL, in the test's
 * own process, so that tests can set the clock. Includes everything that partners use, but no
 * pages.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setConfig } from '@/config';
import { closeTestDatabase, openTestDatabase } from './database';

export interface ApiResponse<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  /** Null when the body is empty or not JSON. */
  body: T;
  text: string;
}

export interface TestTeam {
  id: string;
  live: string;
  test: string;
  live_key_id: string;
  test_key_id: string;
}

export interface TestApiServer {
  url: string;
  request<T = Record<string, never>>(
    method: string,
    path: string,
    options?: { key?: string; body?: unknown; raw?: string; headers?: Record<string, string> },
  ): Promise<ApiResponse<T>>;
  createTeam(options?: { plan?: string; name?: string }): Promise<TestTeam>;
  close(): Promise<void>;
}

/**
 * Opens the database and the listener. Rate limits are effectively off unless `limits` sets them.
 */
export async function startTestApiServer(limits = { read: 1_000_000, write: 1_000_000 }): Promise<TestApiServer> {
  const { prisma } = await openTestDatabase();
  setConfig({ rate_limit_read_per_minute: limits.read, rate_limit_write_per_minute: limits.write });
  const { handleRestApiRequest } = await import('@/api/rest/handle-request');
  const { createApiKey } = await import('@/modules/api-keys/service');
  const { newId } = await import('@/shared/ids');
  const { flushRequestLog } = await import('@/api/rest/request-log');
  const { writeBufferedApiKeyUses } = await import('@/modules/api-keys/service');
  const server: Server = createServer((request, response) => void handleRestApiRequest(request, response));
  // On a busy machine a test may pause longer than the keep-alive time and then write to a closed
  // connection.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  setConfig({ app_url: origin, api_root: `${origin}/v1` });

  return {
    url: `${origin}/v1`,
    async request(method, path, options = {}) {
      const headers: Record<string, string> = { ...options.headers };
      if (options.key) headers.Authorization = `Bearer ${options.key}`;
      const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
      if (body !== undefined && !Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')) {
        headers['Content-Type'] = 'application/json';
      }
      const response = await fetch(`${origin}/v1${path}`, { method, headers, body, redirect: 'manual' });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: parse(text), text } as never;
    },
    async createTeam({ plan = 'pro', name = 'Team' } = {}) {
      const id = newId('team');
      await prisma.team.create({ data: { id, name, slug: id, plan } });
      const make = (mode: 'live' | 'test') =>
        createApiKey({ team_id: id, mode, actor: { kind: 'system', name: 'test' } }, { name: `${mode} key` });
      const [live, test] = [await make('live'), await make('test')];
      return { id, live: live.key, test: test.key, live_key_id: live.id, test_key_id: test.id };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await flushRequestLog();
      await writeBufferedApiKeyUses();
      await closeTestDatabase();
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
