/** Whether an `Accept-Encoding` header takes gzip (RFC 9110, 12.5.3): it is named, and not with a weight of nothing. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const named = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.split(';').map((part) => part.trim()));
  return named.some(([coding, weight]) => coding === 'gzip' && !/^q=0(?:\.0*)?$/.test(weight ?? ''));
}
