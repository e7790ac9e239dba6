/** The specification's field tables as data: each field's name, and its permitted types. */
import { expect } from 'vitest';

export type ResponseFieldType =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'array'
  | 'object'
  | 'date-time'
  | 'date'
  | 'uri'
  | 'null';

const CHECKS: Record<ResponseFieldType, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'date-time': (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
  date: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value),
  uri: (value) => typeof value === 'string' && URL.canParse(value),
  null: (value) => value === null,
};

/** Checks that each field of a table is present (null when unknown) and has a permitted type. */
export function expectFieldsToMatchTypes(
  resource: Record<string, unknown>,
  table: Record<string, ResponseFieldType | ResponseFieldType[]>,
): void {
  for (const [name, types] of Object.entries(table)) {
    expect(Object.keys(resource), `field ${name}`).toContain(name);
    const value = resource[name];
    const allowed = [types].flat();
    const fits = allowed.some((type) => CHECKS[type](value));
    expect(fits, `${name} is ${allowed.join(' or ')}, not ${JSON.stringify(value)}`).toBe(true);
  }
}

export const PROPERTY_FIELD_TYPES: Record<string, ResponseFieldType | ResponseFieldType[]> = {
  id: 'string',
  object: 'string',
  name: 'string',
  address: ['string', 'null'],
  brand_color: ['string', 'null'],
  logo_url: ['uri', 'null'],
  subdomain: ['string', 'null'],
  custom_domain: ['string', 'null'],
  metadata: 'object',
  timezone: ['string', 'null'],
  auto_send_packet: 'boolean',
  auto_send_offset_hours: ['integer', 'null'],
  auto_reminders: 'boolean',
  created_at: 'date-time',
  updated_at: 'date-time',
};

export const RESERVATION_FIELD_TYPES: Record<string, ResponseFieldType | ResponseFieldType[]> = {
  id: 'string',
  object: 'string',
  property_id: 'string',
  guest_name: 'string',
  guest_email: 'string',
  checkin_date: 'date',
  checkout_date: 'date',
  source: 'string',
  status: 'string',
  sent_at: ['date-time', 'null'],
  opened_at: ['date-time', 'null'],
  clicked_at: ['date-time', 'null'],
  signed_at: ['date-time', 'null'],
  signature_id: ['string', 'null'],
  manual_override: 'boolean',
  redacted: 'boolean',
  external_source: ['string', 'null'],
  external_id: ['string', 'null'],
  metadata: 'object',
  locale: ['string', 'null'],
  reminder_24h_sent_at: ['date-time', 'null'],
  reminder_2h_sent_at: ['date-time', 'null'],
  late_notified_at: ['date-time', 'null'],
  arrival_release_state: 'string',
  arrival_release: 'object',
  arrival_details_held_at: ['date-time', 'null'],
  arrival_details_released_at: ['date-time', 'null'],
  arrival_details_viewed_at: ['date-time', 'null'],
  arrival_release_override_at: ['date-time', 'null'],
  arrival_release_override_by: ['string', 'null'],
  arrival_release_override_reason: ['string', 'null'],
  created_at: 'date-time',
  updated_at: 'date-time',
  selfie_required: 'boolean',
};

export const ARRIVAL_DETAILS_RELEASE_FIELD_TYPES: Record<string, ResponseFieldType | ResponseFieldType[]> = {
  state: 'string',
  state_label: 'string',
  held_at: ['date-time', 'null'],
  released_at: ['date-time', 'null'],
  viewed_at: ['date-time', 'null'],
  override_at: ['date-time', 'null'],
  override_by: ['string', 'null'],
  override_reason: ['string', 'null'],
  next_events: 'array',
};

export const CERTIFICATE_FIELD_TYPES: Record<string, ResponseFieldType | ResponseFieldType[]> = {
  id: 'string',
  object: 'string',
  reservation_id: 'string',
  signed_at: 'date-time',
  content_hash: ['string', 'null'],
  verify_token: ['string', 'null'],
  pdf_available: 'boolean',
  redacted: 'boolean',
  legal_hold: 'boolean',
  verify_url: ['uri', 'null'],
};

export const SYNC_SOURCE_FIELD_TYPES: Record<string, ResponseFieldType | ResponseFieldType[]> = {
  id: 'string',
  object: 'string',
  kind: 'string',
  property_id: 'string',
  feed_url: ['uri', 'null'],
  enabled: 'boolean',
  last_synced_at: ['date-time', 'null'],
  last_status: ['string', 'null'],
  last_error: ['string', 'null'],
  created_at: 'date-time',
  updated_at: 'date-time',
};

export const SMS_FIELD_TYPES: Record<string, ResponseFieldType | ResponseFieldType[]> = {
  id: 'string',
  object: 'string',
  reservation_id: ['string', 'null'],
  to: ['string', 'null'],
  body: ['string', 'null'],
  status: ['string', 'null'],
  delivered_at: ['date-time', 'null'],
  created_at: 'date-time',
};

export const WEBHOOK_ENDPOINT_FIELD_TYPES: Record<string, ResponseFieldType | ResponseFieldType[]> = {
  id: 'string',
  object: 'string',
  url: 'uri',
  description: ['string', 'null'],
  header_names: 'array',
  events: 'array',
  status: 'string',
  mode: 'string',
  signing_secret_last4: 'string',
  consecutive_failures: 'integer',
  last_delivery_at: ['date-time', 'null'],
  last_success_at: ['date-time', 'null'],
  rotated_until: ['date-time', 'null'],
  created_at: 'date-time',
  updated_at: 'date-time',
};

export const WEBHOOK_DELIVERY_FIELD_TYPES: Record<string, ResponseFieldType | ResponseFieldType[]> = {
  id: 'string',
  object: 'string',
  event_id: 'string',
  endpoint_id: 'string',
  event_type: 'string',
  attempt_number: 'integer',
  status: 'string',
  status_code: ['integer', 'null'],
  response_body_truncated: ['string', 'null'],
  duration_ms: ['integer', 'null'],
  next_retry_at: ['date-time', 'null'],
  delivered_at: ['date-time', 'null'],
  created_at: 'date-time',
};

export const PACKET_FIELD_TYPES: Record<string, ResponseFieldType | ResponseFieldType[]> = {
  id: 'string',
  object: 'string',
  property_id: 'string',
  welcome_message: ['string', 'null'],
  rules: 'array',
  fees: 'array',
  name: 'string',
  is_default: 'boolean',
  status: 'string',
  archived_at: ['date-time', 'null'],
  safety_notes: ['string', 'null'],
  arrival_details: 'object',
  arrival_release: 'object',
  created_at: 'date-time',
  updated_at: 'date-time',
};
