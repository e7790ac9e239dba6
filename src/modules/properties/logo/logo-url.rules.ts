/**
 * Decides which URLs a host may use as a logo. Guests' browsers request the URL, so it must use
 * HTTPS and a public host name and contain no credentials. Pure.
 */
/** Matches an IPv4 address after URL normalization. */
const IPV4 = /^\d+(\.\d+){3}$/;
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Returns why a URL is refused, or null. `own` is the URL prefix of logos on this server. */
export function findLogoUrlRefusalReason(
  text: string,
  { own, allow_loopback }: { own: string; allow_loopback: boolean },
): string | null {
  if (text.startsWith(own)) return null;
  const { protocol, username, password, hostname } = new URL(text);
  if (username || password) return 'The address must hold no user name and no password.';
  if (allow_loopback && LOOPBACK.test(hostname)) return null;
  if (protocol !== 'https:') return 'The address must begin with https://.';
  const name = hostname.replace(/\.$/, '');
  if (LOOPBACK.test(name) || hostname.startsWith('[') || IPV4.test(name) || !name.includes('.'))
    return 'The address must name a public host, not a number or a name of one network.';
  return null;
}
