/** Converts a logged request to a curl command. Pure. */

/** The environment variable for the API key. The command never contains a key. */
export const API_KEY_ENV_VARIABLE = 'THRESHOLD_API_KEY';

interface Asked {
  method: string;
  path: string;
  query: string | null;
  request_body: string | null;
  idempotency_key: string | null;
}

/** Quotes text for a shell. Within single quotes only the single quote is special. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

export function buildCurlCommand(
  { method, path, query, request_body, idempotency_key }: Asked,
  origin: string,
): string {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(`${origin}${path}${query ? `?${query}` : ''}`)}`,
    `-H "Authorization: Bearer $${API_KEY_ENV_VARIABLE}"`,
    // Every command uses a new idempotency key. With the original key, the API would return the
    // stored response.
    ...(idempotency_key ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(request_body ? [`-H 'Content-Type: application/json'`, `--data-raw ${quoted(request_body)}`] : []),
  ].join(' \\\n  ');
}
