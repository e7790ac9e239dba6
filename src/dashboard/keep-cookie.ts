const YEAR_S = 365 * 86_400;

/**
 * Stores a choice in a cookie, which the server reads before rendering. An empty value deletes the
 * cookie.
 */
export function setPreferenceCookie(name: string, value: string): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  const age = value ? YEAR_S : 0;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
  document.cookie = `${name}=${value}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`;
}
