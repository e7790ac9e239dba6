/** The partner's server: `/v1` with its key, every answer checked for its status. */
import { randomUUID } from 'node:crypto';
import { expectEqual, expectThat } from './checks';

// biome-ignore lint/suspicious/noExplicitAny: the demonstration reads fields as any client in any language would.
export type Body = any;

export interface Answer {
  readonly body: Body;
  readonly headers: Headers;
}

export interface Partner {
  /** Throws NotAsSpecified unless the status is `status`. Redirects are not followed. */
  call(status: number, method: string, path: string, body?: unknown): Promise<Answer>;
}

/** A partner with a key. Every POST and PATCH carries an Idempotency-Key of its own, as the specification advises. */
export function partner(origin: string, api_key: string): Partner {
  return {
    async call(status, method, path, body) {
      const response = await fetch(`${origin}/v1${path}`, {
        method,
        redirect: 'manual',
        headers: {
          Authorization: `Bearer ${api_key}`,
          ...(method === 'GET' ? {} : { 'Idempotency-Key': randomUUID() }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await response.text();
      expectEqual(
        `${method} /v1${path} answers${response.status === status ? '' : ` ${text}`}`,
        response.status,
        status,
      );
      expectThat('every answer has a request id', /^req_/.test(response.headers.get('x-request-id') ?? ''));
      expectThat('every answer has rate headers', response.headers.has('x-ratelimit-remaining'));
      return { body: text ? JSON.parse(text) : null, headers: response.headers };
    },
  };
}
