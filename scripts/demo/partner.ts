/**
 * Acts as the partner's server: uses the TypeScript client, and checks every response against the
 * specification.
 */
import { responseOf, Threshold } from '@threshold/client';
import { expectEqual, expectTrue } from './checks';

/** Creates a partner with a key. Requests to the URLs in responses are sent to `origin`. */
export function createPartnerClient(origin: string, api_key: string): Threshold {
  return new Threshold({
    apiKey: api_key,
    baseUrl: `${origin}/v1`,
    fetch: (url, init) => {
      const { pathname, search } = new URL(url);
      return fetch(`${origin}${pathname}${search}`, init);
    },
  });
}

/** Returns the result of a call. Throws DemoCheckFailedError unless its status is `status`. */
export async function expectHttpStatus<Body extends object>(status: number, call: PromiseLike<Body>): Promise<Body> {
  const body = await call;
  const answer = responseOf(body);
  expectEqual('the status', answer?.status, status);
  expectTrue('every answer has a request id', /^req_/.test(answer?.requestId ?? ''));
  expectTrue('every answer has rate headers', answer?.headers.has('x-ratelimit-remaining') === true);
  return body;
}
