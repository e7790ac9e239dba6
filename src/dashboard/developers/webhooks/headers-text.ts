/** Headers as they are typed into the form, one a line. */

/**
 * `Name: value` lines as headers. Null when there are none, or a line is no header. What a header
 * may be the server says.
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

/**
 * What the server said of them, with the header that it means: `headers.Host`,
 * `is a header that …`.
 */
export function headerProblem(param: string, message: string): string {
  const name = param.slice('headers.'.length);
  return name === '' || message.includes(name) ? message : `${name}: ${message}`;
}
