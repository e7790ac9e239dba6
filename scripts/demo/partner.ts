/**
 * Acts as the partner's server: uses the TypeScript client, and checks every response against the
 * specification.
 */
import { responseOf, Threshold } from '@threshold/client';
import { expectEqual, expectThat } from './checks';

/** Creates a partner with a key. Requests to the URLs in responses are sent to `origin`. */
export function partner(origin: string, api_key: string): Threshold {
  return new Threshold({
    apiKey: api_key,
    baseUrl: `${origin}/v1`,
    fetch: (url, init) => {
      const { pathname, search } = new URL(url);
      return fetch(`${origin}${pathname}${search}`, init);
    },
  });
}

/** Returns the result of a call. Throws NotAsSpecified unless its status is `status`. */
export async function answered<Body extends object>(status: number, call: PromiseLike<Body>): Promise<Body> {
  const body = await call;
  const answer = responseOf(body);
  expectEqual('the status', answer?.status, status);
  expectThat('every answer has a request id', /^req_/.test(answer?.requestId ?? ''));
  expectThat('every answer has rate headers', answer?.headers.has('x-ratelimit-remaining') === true);
  return body;
}
