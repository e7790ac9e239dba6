/**
 * Whether a URL's host is a plain name or address. A URL may hold more in its host than a header's list of hosts can
 * bear: a wildcard, a semicolon, a comma, quotes.
 */
export function hasPlainHost(url: URL): boolean {
  return /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\])$/.test(url.hostname);
}
