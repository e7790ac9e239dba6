/**
 * Converts a redirect URI to a name that people recognize: `claude.ai` for
 * `https://claude.ai/callback`, `cursor:` for `cursor://callback`.
 */
export function getRedirectUriDisplayName(redirect_uri: string): string {
  const { protocol, host } = new URL(redirect_uri);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol;
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
/**
 * URL schemes of known programs. They do not follow RFC 8252, which requires a domain name in the
 * scheme.
 */
const KNOWN_SCHEMES: ReadonlySet<string> = new Set(['claude:', 'cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:']);

/**
 * Returns whether members may be redirected to the URI. Allowed are https, a loopback address, a
 * known scheme, and a scheme that is a reversed domain name (RFC 8252, 7.1). Other schemes belong
 * to the browser or the operating system.
 */
export function isAllowedRedirectUri(redirect_uri: string): boolean {
  if (!URL.canParse(redirect_uri)) return false;
  const { protocol, hostname, username, password } = new URL(redirect_uri);
  if (username || password) return false;
  if (protocol === 'https:') return true;
  if (protocol === 'http:') return LOOPBACK.has(hostname);
  return KNOWN_SCHEMES.has(protocol) || protocol.includes('.');
}
