/**
 * Masks guests' personal data in results for developers in live mode, unless an owner allows them
 * to see it. Pure.
 *
 * Text is shown only in fields whose names are known to be harmless, including the fields of JSON
 * texts inside a result. All other text is masked. Numbers and flags are shown. mask-guests.test.ts
 * finds field names that are not yet classified. roles.test.ts searches the results of every
 * procedure that a developer may call for a guest's data.
 */
import { MASKED_VALUE, maskValuesInText } from '@/events/access-granting-fields';

type Bag = Record<string, unknown>;

/** Names of fields whose text is not about a guest and gives no access to a guest's data. */
export const UNMASKED_FIELDS: ReadonlySet<string> = new Set(
  `
  about address api_key_id archived_at arrival_details arrival_details_held_at assistant
  arrival_details_released_at arrival_details_viewed_at arrival_release_override_at
  arrival_release_override_by arrival_release_state as at attempted_at audience brand_color by
  cancel_reason cancelled_at category certificate_id changed_at changed_by channel_a channel_b
  channel_c checkin_date checkin_notes checkout_date circuit_open_until city clicked_at client_name
  cname_target code codes confirmed_at connected_at content_hash created_at currency custom_domain
  custom_domain_verified_at dates_changed_after_send_at day delivered_at description disabled_at
  disabled_reason domain door_code doubtful due_at email embed_origins ended_at endpoint_id
  endpoint_status engine error error_body error_code error_kind error_message error_stack etag
  event_id event_name event_type events expires_at external_source failing_since fields
  forwarding_address from frozen_time function functions guest_reply header_names held_at hint id
  intro inviter_name ip ip_allow ips key kind lapsed_at last_at last_delivery_at last_error
  last_seen_at last_status last_success_at last_synced_at last_used_at late_notified_at locale
  logo_url mail match method mode name network next_events next_retry_at next_run_at next_wake_at
  object object_id op opened_at otherwise override_at override_by packet_id parent_id parking_notes
  password path pending_email person place plan problem proof property_id property_ids property_name
  property_timezone public_key query released released_at reminder_24h_sent_at reminder_2h_sent_at
  rendered_at renewed_at reply_to_email request_id required_acceptances reservation_id revoked_at
  role rotated_until rotation_grace_until route safety_notes scopes sent_at server_url signature_id
  signed_at signing_secret_last4 signing_secret_warning since source started_at state state_label
  status subdomain successor_id sync_source_id target_time team_name test_clock_id test_reservation_id timezone trigger
  txt_name txt_value type unit updated_at url user_agent user_id value viewed_at welcome_message
  what when wifi withheld
`
    .trim()
    .split(/\s+/),
);

/**
 * Names of fields with several meanings. Each function returns whether the field contains guest
 * data, according to the neighbouring fields.
 */
const BESIDE: Readonly<Record<string, (neighbours: Bag) => boolean>> = {
  html: ({ would_send_to }) => would_send_to !== undefined,
  label: ({ kind }) => kind === 'reservation' || kind === 'signature' || kind === 'mail',
  message: ({ kind, at }) => kind !== undefined && at !== undefined,
  // `reason` contains guest data when arrival details were released early (the object has `by`),
  // and when a mail was not delivered (the object has `status`).
  reason: ({ by, status }) => by !== undefined || status !== undefined,
  subject: ({ would_send_to }) => would_send_to !== undefined,
  text: ({ would_send_to }) => would_send_to !== undefined,
};
export const FIELDS_MASKED_DEPENDING_ON_NEIGHBORS: readonly string[] = Object.keys(BESIDE);

/** Fields whose keys and values are chosen by partners. All of their values are masked. */
const FREE_FIELDS: ReadonlySet<string> = new Set(['metadata']);
/** Fields whose value is JSON, stored as a string. */
const JSON_FIELDS: ReadonlySet<string> = new Set(['body', 'request_body']);
/** Fields with reports from other systems, which may repeat masked values. */
const REPEATING_FIELDS: ReadonlySet<string> = new Set(['error', 'error_body', 'error_message', 'last_error', 'reason']);

/** Returns the result with every guest field masked. Empty fields stay empty. */
export function maskGuestFields<Result>(result: Result): Result {
  const hidden = new Set<string>();
  const masked = visit(result, hidden);
  return withoutRepeats(masked, [...hidden]) as Result;
}

function visit(value: unknown, hidden: Set<string>, mask = false): unknown {
  if (Array.isArray(value)) return value.map((one) => visit(one, hidden, mask));
  if (value === null || value === undefined || value === '') return value;
  if (typeof value !== 'object') {
    if (!mask) return value;
    if (typeof value === 'string') hidden.add(value);
    return MASKED_VALUE;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, visitField(value as Bag, name, part, hidden, mask)]),
  );
}

function visitField(neighbours: Bag, name: string, part: unknown, hidden: Set<string>, mask: boolean): unknown {
  if (mask || FREE_FIELDS.has(name)) return visit(part, hidden, true);
  if (JSON_FIELDS.has(name) && typeof part === 'string') return maskJson(part, hidden);
  const shown = UNMASKED_FIELDS.has(name) || BESIDE[name]?.(neighbours) === false;
  return shown || !holdsText(part) ? visit(part, hidden) : visit(part, hidden, true);
}

/**
 * Returns whether a value is text or a list that contains text. Objects are not searched, because
 * each of their fields is masked or shown by its own name.
 */
const holdsText = (part: unknown): boolean => (Array.isArray(part) ? part.some(holdsText) : typeof part === 'string');

/** Masks the fields of a JSON text. Text that is not valid JSON is masked completely. */
function maskJson(text: string, hidden: Set<string>): string {
  try {
    return JSON.stringify(visit(JSON.parse(text), hidden));
  } catch {
    return MASKED_VALUE;
  }
}

function withoutRepeats(value: unknown, hidden: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutRepeats(one, hidden));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      typeof part === 'string' && REPEATING_FIELDS.has(name)
        ? maskValuesInText(part, hidden)
        : withoutRepeats(part, hidden),
    ]),
  );
}
