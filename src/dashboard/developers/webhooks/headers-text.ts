/** Converts headers to and from the form's text, one header a line. */

/**
 * Parses `Name: value` lines. Null when there are none, or a line is malformed. The server
 * validates the headers themselves.
 */
export function readHeaders(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, Math.max(colon, 0)).trim(), line.slice(colon + 1).trim()] as const;
  });
  if (pairs.length === 0 || pairs.some(([name, value]) => name === '' || value === '')) return null;
  return Object.fromEntries(pairs);
}

/** The server's message about a header, with the header's name (`headers.Host`) in front. */
export function describeHeaderProblem(param: string, message: string): string {
  const name = param.slice('headers.'.length);
  return name === '' || message.includes(name) ? message : `${name}: ${message}`;
}
