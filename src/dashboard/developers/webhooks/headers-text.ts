/** Converts headers to and from the form's text, with one header per line. */

/**
 * Parses `Name: value` lines. Returns null for an empty text or a malformed line. The server
 * validates the headers themselves.
 */
export function parseHeaderLines(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, Math.max(colon, 0)).trim(), line.slice(colon + 1).trim()] as const;
  });
  if (pairs.length === 0 || pairs.some(([name, value]) => name === '' || value === '')) return null;
  return Object.fromEntries(pairs);
}

/**
 * Returns the server's message about a header, with the header's name in front. The name comes from
 * `param`, such as `headers.Host`.
 */
export function addHeaderNameToErrorMessage(param: string, message: string): string {
  const name = param.slice('headers.'.length);
  return name === '' || message.includes(name) ? message : `${name}: ${message}`;
}
