import type { Me } from '@/modules/accounts/schemas';
import { writeQuery } from './list/cursor';

/**
 * A file of the page's team and mode: a link carries no headers, so its URL has them, in addition
 * to the requested file.
 */
const download =
  (path: string) =>
  ({ team, mode }: Pick<Me, 'team' | 'mode'>, asked: Record<string, string | undefined>): string =>
    `${path}?${writeQuery({ team: team.id, mode, ...asked })}`;

/** The documentation's pages for hosts (src/docs/pages.ts). */
export type HelpPage =
  | 'first-hour'
  | 'calendars'
  | 'emails'
  | 'arrival-details'
  | 'disputes'
  | 'members'
  | 'data-requests';

/** Every path of the dashboard. Nothing else spells one out. */
export const paths = {
  home: '/',
  sign_in: '/sign-in',
  confirmed: (email: string) => `/sign-in?verified=1&email=${encodeURIComponent(email)}`,
  sign_up: '/sign-up',
  reset_password: '/reset-password',
  welcome: '/welcome',
  team_access: '/team-access',
  /** Where a terminal's code is typed; the server names it to terminals. */
  device: '/device',
  /** Where a member answers an assistant; the OAuth provider leads there. */
  connect_assistant: '/connect-assistant',
  invite: (token: string) => `/invite/${token}`,
  properties: '/properties',
  new_property: '/properties?new=1',
  property: (id: string) => `/properties/${id}`,
  packet: (property_id: string, id: string) => `/properties/${property_id}/packets/${id}`,
  /** The one that its reservations get, whichever it is. */
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
  /** The picture of all stays; `calendars` are the feeds that bring them. */
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
  /** Erasing the guest of a reservation. By id, because addresses of pages end up in logs. */
  erase_guest: (reservation_id: string) => `/settings/data?guest=${reservation_id}`,
  certificate_pdf: download('/api/certificate.pdf'),
  certificates_zip: download('/api/certificates.zip'),
  audit_log_csv: download('/api/audit-log.csv'),
  month_csv: download('/api/month.csv'),
  // Not pages of Next: they are linked with a plain <a> (src/docs).
  docs: '/docs',
  help: (page: HelpPage) => `/docs/hosts/${page}`,
  docs_reference: '/docs/reference',
  docs_events: '/docs/events',
  docs_error: (code: string) => `/docs/errors#${code}`,
  openapi: '/v1/openapi.json',
} as const;

const ORIGIN = 'https://this.site';

/**
 * A path of this site to go to after signing in; anything else (another host, a scheme) becomes the
 * home page.
 */
export function safeNext(next: string | null | undefined): string {
  if (!next?.startsWith('/') || !URL.canParse(next, ORIGIN)) return paths.home;
  // Read as browsers read it: they drop tabs and line breaks, and take a backslash for a slash.
  const { origin, pathname, search, hash } = new URL(next, ORIGIN);
  return origin === ORIGIN && !pathname.startsWith('//') ? pathname + search + hash : paths.home;
}
