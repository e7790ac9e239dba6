/** Names of the headers and cookies by which the dashboard's requests say who and where they are. */

/** Set by the server process on every request that goes to Next, in place of whatever the client sent under this name. */
export const CLIENT_ADDRESS_HEADER = 'x-threshold-client-ip';

/** The mode a dashboard page was rendered in. A custom header, so that no other site can send it without a preflight. */
export const MODE_HEADER = 'x-threshold-mode';

/** The team a dashboard page was rendered for: the session's active one may be another by now, opened in another tab. */
export const TEAM_HEADER = 'x-threshold-team';

/** The mode the switch was last set to: `live` or `test`. */
export const MODE_COOKIE = 'threshold_mode';

/** `light` or `dark`; absent means the system's. */
export const THEME_COOKIE = 'threshold_theme';
/** Whether tables are compact. */
export const DENSITY_COOKIE = 'threshold_density';

/** The language that this browser was last shown in: what counts before signing in. */
export const LOCALE_COOKIE = 'threshold_locale';

/** The time zone of the browser that was here last, percent-encoded. */
export const ZONE_COOKIE = 'threshold_zone';

/** The value of a cookie in a Cookie header, or null. */
export function readCookie(header: string | null, name: string): string | null {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
}
