/** The target of a request line (RFC 9112, 3.2), brought into the one form that everything behind the door reads. */
import type { IncomingMessage } from 'node:http';

const ABSOLUTE_FORM = /^https?:\/\/([^/?#@\\]+)(\/[^#]*)?$/i;

/** Whether the host is named once (RFC 9112, 3.2): of two, each reader behind the door could take another. */
export const namesOneHost = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length < 2;

/**
 * Rewrites a target in absolute form to a path, with its host in the `Host` header, which it overrides. Returns false for
 * a target that is neither a path nor an http URL.
 */
export function toOriginForm(request: IncomingMessage): boolean {
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
 * Whether the path decodes to text that a route parameter can hold: UTF-8, and no NUL, which PostgreSQL cannot store.
 * Query parameters need only the latter: malformed escapes decode to U+FFFD there.
 */
export function hasReadablePath(url: string): boolean {
  if (url.includes('%00')) return false;
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}
