/**
 * Returns whether a URL's host is a plain name or address. Other hosts may contain characters with
 * a meaning in a header's list of hosts: a wildcard, a semicolon, a comma, quotes.
 */
export function isHostnameSafeInHeader(url: URL): boolean {
  return /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\])$/.test(url.hostname);
}
