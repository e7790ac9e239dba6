/**
 * Which requests a host name may serve (issue "Vanity domains"): the main host everything; a property's subdomain and
 * verified custom domain only its guests' signing pages; any other name nothing.
 */
import { isIP } from 'node:net';
import { config } from '@/config';
import { isVanityHost } from '@/modules/properties/domains/custom-domain.service';
import { clock } from '@/shared/clock';

export type HostVerdict = 'main' | 'vanity' | 'unknown';

const REMEMBERED_MS = 30_000;
const REMEMBERED_AT_MOST = 5_000;
const remembered = new Map<string, { verdict: HostVerdict; until: number }>();

/**
 * What a vanity host serves: the signing pages and their files, no dashboard and no API. A path in any other spelling
 * (`/sign/../sign-in`, escapes, doubled slashes) is refused, whatever the next one in line would make of it.
 */
export function isGuestPath(path: string): boolean {
  const [first, ...rest] = (path.split('?', 1)[0] ?? '').slice(1).split('/');
  const plain = rest.length > 0 && rest.every((part) => /^[\w-]+(\.[\w-]+)*$/.test(part));
  return plain && path.startsWith('/') && (first === 'sign' || first === 'guest-assets' || first === 'o');
}

/** The host of a `Host` header without its port, lower case. */
function hostName(header: string | undefined): string {
  const value = (header ?? '').trim().toLowerCase();
  return value.startsWith('[') ? value.slice(1, value.indexOf(']')) : (value.split(':', 1)[0] ?? '');
}

/** The name under which an Inngest server of this installation's own calls it (compose.yaml). */
const innerName = () => config().inngest?.serve_origin && new URL(config().inngest?.serve_origin ?? '').hostname;

/** Judges a `Host` header. An address, or no header at all, is the main host: health checks and HTTP/1.0 clients. */
export async function judgeHost(header: string | undefined): Promise<HostVerdict> {
  const name = hostName(header);
  const main = new URL(config().app_url).hostname;
  if (!name || name === main || name === 'localhost' || name === innerName() || isIP(name)) return 'main';
  const now = clock().now().getTime();
  const known = remembered.get(name);
  if (known && known.until > now) return known.verdict;
  const verdict: HostVerdict = (await isVanityHost(name)) ? 'vanity' : 'unknown';
  // Anyone can send any name: the memory is bounded.
  if (remembered.size >= REMEMBERED_AT_MOST) remembered.clear();
  remembered.set(name, { verdict, until: now + REMEMBERED_MS });
  return verdict;
}
