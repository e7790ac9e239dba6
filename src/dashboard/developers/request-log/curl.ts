/** A logged request as a command line. Pure. */

/** Where the person who runs it sets a key. A key itself is never in it. */
export const KEY_VARIABLE = 'THRESHOLD_API_KEY';

interface Asked {
  method: string;
  path: string;
  query: string | null;
  request_body: string | null;
  idempotency_key: string | null;
}

/** Between single quotes a shell reads nothing but the next single quote. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

export function curlOf({ method, path, query, request_body, idempotency_key }: Asked, origin: string): string {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(`${origin}${path}${query ? `?${query}` : ''}`)}`,
    `-H "Authorization: Bearer $${KEY_VARIABLE}"`,
    // Under the key that was used then, the answer would be the one that was given then.
    ...(idempotency_key ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(request_body ? [`-H 'Content-Type: application/json'`, `--data-raw ${quoted(request_body)}`] : []),
  ].join(' \\\n  ');
}
