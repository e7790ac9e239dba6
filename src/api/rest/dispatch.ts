/**
 * Calls an operation through trpc-openapi's node handler.
 *
 * The adapter is given a procedure whose input schema it cannot coerce (it would change the shared schema for the
 * dashboard's callers too), a body that is already parsed, and an answer object that only remembers, since the bridge
 * stores and sends the bytes. The real procedure parses its input itself.
 */
import type { ServerResponse } from 'node:http';
import { createOpenApiNodeHttpHandler } from 'trpc-openapi';
import { z } from 'zod';
import type { ApiContext } from '@/api/trpc/context';
import { toAppError } from '@/api/trpc/error-translation';
import { t } from '@/api/trpc/init';
import type { AppError } from '@/shared/errors';
import type { Route } from './routes';

export interface Answer {
  body: string;
  error: AppError | null;
}

/** Each operation has a handler of its own, so the adapter needs no path of its own to match. */
const ADAPTER_PATH = '/operation';

interface Carrier {
  context: ApiContext;
  error: AppError | null;
}

/** Nothing here aborts a call: one signal for all. */
const NEVER_ABORTED = new AbortController().signal;
const HEADERS = new Headers({ 'content-type': 'application/json' });

/**
 * What the adapter takes for its request. It is an `instanceof Request` with properties of its own, because the adapter
 * would build a real Request out of anything else, for the sake of its signal: a tenth of a read's time.
 */
class Call {
  readonly url = ADAPTER_PATH;
  readonly headers = HEADERS;
  readonly signal = NEVER_ABORTED;
  /** One-element arrays, because the adapter drops values that are falsy (`false`, `0`, an empty text). */
  readonly query: Record<string, unknown[]> = {};

  constructor(
    readonly method: string,
    readonly body: Record<string, unknown>,
    readonly carrier: Carrier,
  ) {
    for (const name in body) this.query[name] = [body[name]];
  }
}
Object.setPrototypeOf(Call.prototype, Request.prototype);

/** Remembers what the adapter writes. */
class Recorder {
  statusCode = 200;
  body = '';
  setHeader() {}
  once() {}
  end(chunk?: string) {
    this.body = chunk ?? '';
  }
}

/** Builds the caller of one operation; do it once per operation, at start. The input holds path parameters, query or body together. */
export function createDispatcher(
  route: Route,
): (input: Record<string, unknown>, context: ApiContext) => Promise<Answer> {
  const original = route.procedure as unknown as ((options: unknown) => unknown) & { _def: Record<string, unknown> };
  const uncoerced = Object.assign((options: unknown) => original(options), {
    _def: {
      ...original._def,
      inputs: [z.looseObject({})],
      meta: { openapi: { method: route.method, path: ADAPTER_PATH } },
    },
  });
  const handler = createOpenApiNodeHttpHandler({
    router: t.router({ operation: uncoerced as never }),
    createContext: ({ req }: { req: unknown }) => (req as Call).carrier.context,
    onError: ({ error, req }: { error: unknown; req: unknown }) => {
      (req as Call).carrier.error = toAppError(error);
    },
  } as never) as unknown as (request: Call, response: ServerResponse) => Promise<void>;

  const { method } = route;
  return async (input, context) => {
    const carrier: Carrier = { context, error: null };
    const recorder = new Recorder();
    const call = new Call(method, input, carrier);
    await handler(call, recorder as unknown as ServerResponse);
    return { body: recorder.body, error: carrier.error };
  };
}
