/**
 * Returns whether an `Accept-Encoding` header accepts an encoding (RFC 9110, 12.5.3): it is listed,
 * and its weight is not zero.
 */
export function acceptsEncoding(header: string | string[] | undefined, encoding: 'gzip' | 'br' = 'gzip'): boolean {
  const named = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.split(';').map((part) => part.trim()));
  return named.some(
    ([name, ...parameters]) => name === encoding && !parameters.some((text) => /^q ?= ?0(?:\.0*)?$/.test(text)),
  );
}
