/**
 * Names of the headers and cookies that identify the dashboard's session, team, mode and display
 * settings.
 */

/**
 * The client's IP address. Set by the server on every request to Next.js, in place of any value
 * that the client sent.
 */
export const CLIENT_IP_ADDRESS_HEADER = 'x-threshold-client-ip';

/**
 * The page's mode. It is a custom header, so that other sites cannot send it without a CORS
 * preflight.
 */
export const LIVE_OR_TEST_MODE_HEADER_NAME = 'x-threshold-mode';

/**
 * The team for which the page was rendered. Another tab may have changed the session's active team
 * since.
 */
export const TEAM_ID_HEADER = 'x-threshold-team';

/** The mode last chosen with the switch: `live` or `test`. */
export const LIVE_OR_TEST_MODE_COOKIE_NAME = 'threshold_mode';

/** The colour scheme, `light` or `dark`. Absent when the system's setting applies. */
export const THEME_COOKIE = 'threshold_theme';
/** Whether tables are compact. */
export const TABLE_DENSITY_COOKIE = 'threshold_density';

/**
 * The interface language last used in this browser. Used for pages that are shown before signing
 * in.
 */
export const LOCALE_COOKIE = 'threshold_locale';

/** The time zone of the last visit from this browser, percent-encoded. */
export const TIME_ZONE_COOKIE = 'threshold_zone';

/** Returns the value of a cookie in a Cookie header, or null. */
export function readCookie(header: string | null, name: string): string | null {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
}
