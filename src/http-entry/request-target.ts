/** Converts the target of a request line (RFC 9112, 3.2) to the form that all handlers expect. */
import type { IncomingMessage } from 'node:http';

const ABSOLUTE_FORM = /^https?:\/\/([^/?#@\\]+)(\/[^#]*)?$/i;

/**
 * Returns whether the request has at most one Host header (RFC 9112, 3.2). With two headers,
 * handlers could use different hosts.
 */
export const hasSingleHostHeader = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length < 2;

/**
 * Rewrites a target in absolute form to a path, and sets the `Host` header to the host of the
 * target. Returns false for a target that is neither a path nor an http URL.
 */
export function rewriteTargetToOriginForm(request: IncomingMessage): boolean {
  const { url = '', method } = request;
  if (url.startsWith('/')) return true;
  const [, host, path = '/'] = ABSOLUTE_FORM.exec(url) ?? [];
  if (!host) return url === '*' && method === 'OPTIONS';
  if (!URL.canParse(`http://${host}/`)) return false;
  request.url = path;
  request.headers.host = host;
  return true;
}

/**
 * Returns whether the path decodes to valid text for route parameters: UTF-8 without NUL, which
 * PostgreSQL cannot store. In the query only NUL is rejected, because malformed escapes decode to
 * U+FFFD there.
 */
export function isRequestPathDecodable(url: string): boolean {
  if (url.includes('%00')) return false;
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}
