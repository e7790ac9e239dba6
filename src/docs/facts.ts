/**
 * Values in the documentation that come from the code. In a page, `{{name}}` is replaced with the
 * value of that name, so that numbers and tables always match the server. `{{shell.nav_calendars}}`
 * is replaced with the dashboard's message of that key, so that pages for hosts use the labels of
 * the dashboard.
 */
import { config } from '@/config';
import en from '@/dashboard/i18n/messages/en.json';
import { EVENT_TYPES, type EventType } from '@/events/catalogue';
import { API_KEY_ROTATION_GRACE_MS, MAX_API_KEYS_PER_MODE } from '@/modules/api-keys/rules';
import { API_KEY_SCOPE_DESCRIPTIONS } from '@/modules/api-keys/scopes';
import { RETENTION_PERIODS_MS } from '@/modules/retention/service';
import { SYNC_RUN_INTERVAL_MS } from '@/modules/sync-sources/run/schedule.rules';
import { ATTEMPT_TIMEOUT_MS } from '@/modules/webhooks/delivery/attempt';
import { ENDPOINT_DISABLING_FAILURE_COUNT, WEBHOOK_RETRY_DELAYS_MS } from '@/modules/webhooks/delivery/retry.rules';
import { MAX_WEBHOOK_TIMESTAMP_DIFFERENCE_S } from '@/modules/webhooks/delivery/signature.rules';
import { buildSamplePayload } from '@/modules/webhooks/event-log/sample-payloads';
import { MAX_ENDPOINTS_PER_MODE } from '@/modules/webhooks/service';
import { clock } from '@/shared/clock';
import { ERRORS, type ErrorDefinition } from '@/shared/errors';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats a duration: `90 min`, `2 h`, `68 h 36 min`. */
function duration(ms: number): string {
  const hours = Math.floor(ms / HOUR);
  const minutes = Math.round((ms % HOUR) / MINUTE);
  return [hours > 0 ? `${hours} h` : '', minutes > 0 ? `${minutes} min` : ''].filter(Boolean).join(' ') || '0';
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

function retries(): string {
  let passed = 0;
  const rows = WEBHOOK_RETRY_DELAYS_MS.map((delay, index) => {
    passed += delay;
    return [`${index + 2}`, duration(delay), duration(passed)];
  });
  return table(
    ['Attempt', 'Waits after the failure before', 'Time since the first attempt'],
    [['1', '–', '0'], ...rows],
  );
}

function errors(): string {
  const entries = Object.entries(ERRORS) as [string, ErrorDefinition][];
  const statuses = [...new Set(entries.map(([, { status }]) => status))].sort((a, b) => a - b);
  return statuses
    .map((status) => {
      const codes = entries.filter(([, error]) => error.status === status);
      const described = codes.map(
        ([code, { type, message, when, fix }]) =>
          `### \`${code}\` {#${code}}\n\n\`${type}\` · “${message}”\n\n**When.** ${when}\n\n**What to do.** ${fix}`,
      );
      return `## ${status} {#status-${status}}\n\n${described.join('\n\n')}`;
    })
    .join('\n\n');
}

const daysAhead = (days: number) => new Date(clock().now().getTime() + days * DAY).toISOString().slice(0, 10);

const SAMPLE_TIME = new Date('2026-11-21T09:30:00.000Z');

function events(): string {
  return (Object.entries(EVENT_TYPES) as [EventType, string][])
    .map(([type, description], index) => {
      const body = {
        id: 'evt_01jd8z6q0v7m3k5n9r2t4w6y8a',
        object: 'event',
        type,
        created_at: SAMPLE_TIME.toISOString(),
        livemode: true,
        sequence: index + 1,
        data: buildSamplePayload(type, SAMPLE_TIME),
      };
      return `## \`${type}\` {#${type}}\n\n${description}\n\n\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``;
    })
    .join('\n\n');
}

/**
 * The values that documentation pages can insert, by name. A value is computed when a page uses it.
 */
const FACTS: Record<string, () => string> = {
  app_url: () => config().app_url,
  api_root: () => config().api_root,
  inbound_domain: () => config().inbound_domain,
  /** A check-in date that stays in the future while the process runs. */
  checkin: () => daysAhead(90),
  checkout: () => daysAhead(94),
  errors,
  events,
  event_count: () => String(Object.keys(EVENT_TYPES).length),
  event_table: () =>
    table(
      ['Type', 'When'],
      Object.entries(EVENT_TYPES).map(([type, when]) => [`[\`${type}\`](/docs/events#${type})`, when]),
    ),
  error_types: () => {
    const types = new Map<string, Set<number>>();
    for (const { type, status } of Object.values(ERRORS)) types.set(type, (types.get(type) ?? new Set()).add(status));
    return table(
      ['Type', 'Status'],
      [...types].map(([type, statuses]) => [`\`${type}\``, [...statuses].sort((a, b) => a - b).join(', ')]),
    );
  },
  scopes: () =>
    table(
      ['Scope', 'Allows'],
      Object.entries(API_KEY_SCOPE_DESCRIPTIONS).map(([scope, allows]) => [`\`${scope}\``, allows]),
    ),
  retries,
  retry_total: () => duration(WEBHOOK_RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0)),
  disabled_after: () =>
    duration(
      WEBHOOK_RETRY_DELAYS_MS.slice(0, ENDPOINT_DISABLING_FAILURE_COUNT - 1).reduce((sum, delay) => sum + delay, 0),
    ),
  disable_at_failure: () => String(ENDPOINT_DISABLING_FAILURE_COUNT),
  most_attempts: () => String(WEBHOOK_RETRY_DELAYS_MS.length + 1),
  attempt_timeout_s: () => String(ATTEMPT_TIMEOUT_MS / 1_000),
  replay_window_s: () => String(MAX_WEBHOOK_TIMESTAMP_DIFFERENCE_S),
  endpoints_per_mode: () => String(MAX_ENDPOINTS_PER_MODE),
  keys_per_mode: () => String(MAX_API_KEYS_PER_MODE),
  key_rotation_hours: () => String(API_KEY_ROTATION_GRACE_MS / HOUR),
  reads_per_minute: () => String(config().rate_limit_read_per_minute),
  writes_per_minute: () => String(config().rate_limit_write_per_minute),
  sync_every_minutes: () => String(SYNC_RUN_INTERVAL_MS / MINUTE),
  request_log_days: () => String(RETENTION_PERIODS_MS.request_log / DAY),
  inbound_mail_days: () => String(RETENTION_PERIODS_MS.inbound_mail_raw / DAY),
};

/**
 * Returns a dashboard message by its key. Returns undefined for unknown keys and for messages that
 * contain placeholders or markup.
 */
function dashboardMessage(key: string): string | undefined {
  const [namespace = '', name = ''] = key.split('.');
  const message = (en as Record<string, Record<string, string>>)[namespace]?.[name];
  return message && /[{<]/.test(message) ? undefined : message;
}

/** Replaces every `{{name}}` with its value. Throws for unknown names. */
export function fillFactPlaceholders(markdown: string): string {
  return markdown.replace(/\{\{([\w.-]+)\}\}/g, (_, name: string) => {
    const value = name.includes('.') ? dashboardMessage(name) : FACTS[name]?.();
    if (value === undefined) throw new Error(`The documentation contains {{${name}}}, which is unknown.`);
    return value;
  });
}
