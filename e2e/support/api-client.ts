/** Calls `/v1` like a partner's server. */

// biome-ignore lint/suspicious/noExplicitAny: tests look at what they assert; the shapes are checked by the API's own suite.
export type ResponseBody = any;

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ResponseBody;
}

export interface ApiClient {
  /** Returns any response. Redirects are not followed. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  /** Returns the body of a 2xx response. Throws for any other status. */
  get(path: string): Promise<ResponseBody>;
  post(path: string, body?: unknown): Promise<ResponseBody>;
  patch(path: string, body: unknown): Promise<ResponseBody>;
}

/** Creates a client for `<origin>/v1` with one key. */
export function createApiClient(origin: string, key: string): ApiClient {
  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${origin}/v1${path}`, {
      method,
      redirect: 'manual',
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text ? parseJson(text) : null };
  }
  async function ok(method: string, path: string, body?: unknown) {
    const answer = await call(method, path, body);
    if (answer.status >= 200 && answer.status < 300) return answer.body;
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return {
    call,
    get: (path) => ok('GET', path),
    post: (path, body) => ok('POST', path, body),
    patch: (path, body) => ok('PATCH', path, body),
  };
}

function parseJson(text: string): ResponseBody {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
