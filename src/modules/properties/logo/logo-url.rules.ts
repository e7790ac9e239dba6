/**
 * Decides which URL a host may use as a logo. Every guest's browser requests that URL. It must use
 * HTTPS with a public host name and without credentials, so that guests' browsers request no
 * private host and send no password. Pure.
 */
/** The form to which URLs normalize every spelling of an IPv4 address. */
const IPV4 = /^\d+(\.\d+){3}$/;
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Returns why a URL is refused, or null. `own` is the URL prefix of uploaded logos. */
export function findLogoProblem(
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
