import type { Me } from '@/modules/accounts/schemas';
import { buildQueryString } from './list/cursor';

/**
 * Returns a function that builds the URL of a download. The URL contains the team and the mode,
 * because a link sends no headers.
 */
const download =
  (path: string) =>
  ({ team, mode }: Pick<Me, 'team' | 'mode'>, asked: Record<string, string | undefined>): string =>
    `${path}?${buildQueryString({ team: team.id, mode, ...asked })}`;

/** Pages of the documentation for hosts (src/docs/pages.ts). */
export type HelpPageName =
  | 'first-hour'
  | 'calendars'
  | 'emails'
  | 'arrival-details'
  | 'disputes'
  | 'members'
  | 'data-requests';

/** Builds every path of the dashboard. No other code contains these paths. */
export const paths = {
  home: '/',
  sign_in: '/sign-in',
  confirmed: (email: string) => `/sign-in?verified=1&email=${encodeURIComponent(email)}`,
  sign_up: '/sign-up',
  reset_password: '/reset-password',
  welcome: '/welcome',
  team_access: '/team-access',
  /** The page on which a user enters a terminal's code. The server sends its URL to terminals. */
  device: '/device',
  /** The consent page for an assistant. The OAuth provider redirects to it. */
  connect_assistant: '/connect-assistant',
  invite: (token: string) => `/invite/${token}`,
  properties: '/properties',
  new_property: '/properties?new=1',
  property: (id: string) => `/properties/${id}`,
  packet: (property_id: string, id: string) => `/properties/${property_id}/packets/${id}`,
  /** Redirects to the property's current default packet. */
  default_packet: (property_id: string) => `/properties/${property_id}/packets/default`,
  copy_rules: '/properties?copy=1',
  change_everywhere: '/properties?change=1',
  reservations: '/reservations',
  reservation: (id: string) => `/reservations/${id}`,
  new_reservation: '/reservations?new=1',
  new_reservation_at: (property_id: string) => `/reservations?property=${property_id}&new=1`,
  import_reservations: '/reservations/import',
  certificates: '/certificates',
  certificate: (id: string) => `/certificates/${id}`,
  /** The calendar of all stays. `calendars` is the list of synchronized calendars. */
  stay_calendar: '/calendar',
  calendars: '/calendars',
  connect_calendar: '/calendars?new=1',
  calendar: (id: string) => `/calendars/${id}`,
  inbox: '/calendars/inbox',
  outbox: '/outbox',
  mail: (id: string) => `/outbox/${id}`,
  mail_templates: '/outbox/templates',
  runs: '/operator/runs',
  run: (id: string) => `/operator/runs/${id}`,
  sms: '/sms',
  api_keys: '/developers/api-keys',
  webhooks: '/developers/webhooks',
  webhook: (id: string) => `/developers/webhooks/${id}`,
  test_clocks: '/developers/test-clocks',
  events: '/developers/events',
  event: (id: string) => `/developers/events/${id}`,
  logs: '/developers/logs',
  log: (id: string) => `/developers/logs/${id}`,
  settings: '/settings',
  settings_section: (section: string) => `/settings/${section}`,
  /**
   * The page that erases a reservation's guest. The path contains the reservation's id and not the
   * guest's name, because URLs end up in logs.
   */
  erase_guest: (reservation_id: string) => `/settings/data?guest=${reservation_id}`,
  certificate_pdf: download('/api/certificate.pdf'),
  certificates_zip: download('/api/certificates.zip'),
  audit_log_csv: download('/api/audit-log.csv'),
  month_csv: download('/api/month.csv'),
  // Next does not serve these pages, so they are linked with a plain <a> (src/docs).
  docs: '/docs',
  help: (page: HelpPageName) => `/docs/hosts/${page}`,
  docs_reference: '/docs/reference',
  docs_events: '/docs/events',
  docs_error: (code: string) => `/docs/errors#${code}`,
  openapi: '/v1/openapi.json',
} as const;

const ORIGIN = 'https://this.site';

/**
 * Returns the path to open after signing in. Replaces a URL of another host or scheme with the home
 * page.
 */
export function getSafeRedirectPath(next: string | null | undefined): string {
  if (!next?.startsWith('/') || !URL.canParse(next, ORIGIN)) return paths.home;
  // `URL` parses like browsers, which ignore tabs and line breaks and treat a backslash as a slash.
  const { origin, pathname, search, hash } = new URL(next, ORIGIN);
  return origin === ORIGIN && !pathname.startsWith('//') ? pathname + search + hash : paths.home;
}
