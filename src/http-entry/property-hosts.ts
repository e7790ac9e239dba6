/**
 * Decides which requests a host name may serve. The main host serves everything. A property's
 * subdomain and verified custom domain (vanity hosts) serve only its guests' signing pages. Other
 * names serve nothing.
 */
import { isIP } from 'node:net';
import { config } from '@/config';
import { isPropertyHostName } from '@/modules/properties/domains/custom-domain.service';
import { clock } from '@/shared/clock';

export type RequestHostnameKind = 'main' | 'vanity' | 'unknown';

const REMEMBERED_MS = 30_000;
const REMEMBERED_AT_MOST = 5_000;
const remembered = new Map<string, { verdict: RequestHostnameKind; until: number }>();

/**
 * Returns whether a vanity host serves a path: the signing pages and their files, but neither
 * dashboard nor API. Any other spelling (`/sign/../sign-in`, escapes, double slashes) is refused,
 * regardless of how later handlers would interpret it.
 */
export function isGuestPagePath(path: string): boolean {
  const [first, ...rest] = (path.split('?', 1)[0] ?? '').slice(1).split('/');
  const plain = rest.length > 0 && rest.every((part) => /^[\w-]+(\.[\w-]+)*$/.test(part));
  return plain && path.startsWith('/') && (first === 'sign' || first === 'guest-assets' || first === 'o');
}

/** Returns the host of a `Host` header, without the port and in lower case. */
function hostName(header: string | undefined): string {
  const value = (header ?? '').trim().toLowerCase();
  return value.startsWith('[') ? value.slice(1, value.indexOf(']')) : (value.split(':', 1)[0] ?? '');
}

/**
 * Returns the host name that the installation's own Inngest server uses to call it (compose.yaml).
 */
const innerName = () => config().inngest?.serve_origin && new URL(config().inngest?.serve_origin ?? '').hostname;

/**
 * Classifies a `Host` header. An IP address or a missing header counts as the main host, because
 * health checks and HTTP/1.0 clients send such requests.
 */
export async function classifyRequestHostname(header: string | undefined): Promise<RequestHostnameKind> {
  const name = hostName(header);
  const main = new URL(config().app_url).hostname;
  if (!name || name === main || name === 'localhost' || name === innerName() || isIP(name)) return 'main';
  const now = clock().now().getTime();
  const known = remembered.get(name);
  if (known && known.until > now) return known.verdict;
  const verdict: RequestHostnameKind = (await isPropertyHostName(name)) ? 'vanity' : 'unknown';
  // The cache is bounded, because anyone can send any name.
  if (remembered.size >= REMEMBERED_AT_MOST) remembered.clear();
  remembered.set(name, { verdict, until: now + REMEMBERED_MS });
  return verdict;
}
