/**
 * Which address a host may give as a logo: every guest's browser requests it. HTTPS of a public host by its name, without
 * credentials; an address in somebody's network, or a password, would be requested by strangers. Pure.
 */
/** As a URL writes every spelling of one. */
const IPV4 = /^\d+(\.\d+){3}$/;
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Why an address is refused; null for one that is fine. `own` is where uploaded logos are. */
export function logoProblem(
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
