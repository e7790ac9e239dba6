/**
 * Examples of responses for the API reference. They use the same fictional resources as
 * sample-payloads.ts, and each resource is in a possible state.
 */
import { createHash } from 'node:crypto';
import {
  buildSampleResources,
  SAMPLE_CONTENT_HASH,
  SAMPLE_EVENT_OBJECT_IDS,
} from '@/modules/webhooks/event-log/sample-payloads';

const TAIL = '01jd8z6q0v7m3k5n9r2t4w6y8a';
const NOW = new Date('2026-11-21T09:30:00.000Z');
const MINUTE_MS = 60_000;
const at = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS).toISOString();
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const { reservation, property, packet, certificate, sync_source } = buildSampleResources(NOW);

/**
 * The document that the guest signed. Its keys are sorted, so that JSON.stringify returns the
 * canonical form (RFC 8785).
 */
const SNAPSHOT = {
  fees: [{ amount_cents: 5000, label: 'Late check-out', unit: 'per hour' }],
  guest_name: 'Ada Lovelace',
  property_name: 'Harbour Loft',
  rules: ['No smoking indoors.'],
};

const TRAIL = (
  [
    ['reservation.created', -1440, 'Guidebook (key)', { source: 'direct' }],
    ['reservation.sent', -90, 'Guidebook (key)', {}],
    ['reservation.clicked', -30, 'guest', {}],
    ['reservation.signed', 0, 'guest', { content_hash: SAMPLE_CONTENT_HASH }],
  ] as const
).map(([type, minutes, actor, data], index) => ({
  seq: index + 1,
  type,
  created_at: at(minutes),
  actor,
  ip: actor === 'guest' ? '198.51.100.23' : '192.0.2.7',
  user_agent: actor === 'guest' ? 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)' : 'guidebook/2.4',
  data,
  prev_hash: index === 0 ? null : sha256(`entry ${index}`),
  hash: sha256(`entry ${index + 1}`),
}));

const endpoint = {
  id: `whe_${TAIL}`,
  object: 'webhook_endpoint',
  url: 'https://guidebook.example/webhooks/threshold',
  description: 'Guidebook, production',
  header_names: ['X-Gateway-Key'],
  events: ['reservation.signed'],
  status: 'enabled',
  mode: 'live',
  signing_secret_last4: 'x4Q=',
  consecutive_failures: 0,
  last_delivery_at: at(0),
  last_success_at: at(0),
  rotated_until: null,
  created_at: at(-2880),
  updated_at: at(-2880),
};
const secret = 'whsec_c2VjcmV0IG9mIHRoZSBoYXJib3VyIGxvZnQhIQx4Q=';

const delivery = {
  id: `whd_${TAIL}`,
  object: 'webhook_delivery',
  event_id: `evt_${TAIL}`,
  endpoint_id: endpoint.id,
  event_type: 'reservation.signed',
  attempt_number: 1,
  status: 'succeeded',
  status_code: 200,
  response_body_truncated: 'ok',
  duration_ms: 84,
  attempted_at: at(0),
  next_retry_at: null,
  delivered_at: at(0),
  created_at: at(0),
};
const queued = {
  ...delivery,
  id: `whd_01jd8zb4m5c7d9e2f4g6h8j0k1`,
  attempt_number: 2,
  status: 'pending',
  status_code: null,
  response_body_truncated: null,
  duration_ms: null,
  attempted_at: null,
  delivered_at: null,
  created_at: at(60),
};

const event = {
  id: `evt_${TAIL}`,
  object: 'event',
  type: 'reservation.signed',
  created_at: at(0),
  livemode: true,
  sequence: 42,
  data: { object: reservation.signed, certificate_id: SAMPLE_EVENT_OBJECT_IDS.signature },
};

const sms = {
  id: `sms_${TAIL}`,
  object: 'sms_message',
  reservation_id: SAMPLE_EVENT_OBJECT_IDS.reservation,
  to: '+351912345678',
  body: 'Harbour Loft: please read and sign the house rules before you arrive.',
  status: 'delivered',
  delivered_at: at(1),
  created_at: at(0),
};

const request_log = {
  id: `req_${TAIL}`,
  object: 'request_log',
  method: 'POST',
  path: '/v1/reservations',
  status: 201,
  error_code: null,
  duration_ms: 12,
  api_key_id: `key_${TAIL}`,
  ip: '192.0.2.7',
  created_at: at(0),
};

const test_clock = {
  id: `clock_${TAIL}`,
  object: 'test_clock',
  name: 'A stay from send to expiry',
  frozen_time: '2030-12-01T09:00:00.000Z',
  status: 'ready',
  target_time: null,
  property_ids: [SAMPLE_EVENT_OBJECT_IDS.property],
  created_at: at(0),
  updated_at: at(0),
};

const LINK = 'https://threshold.example/sign/Zm9yQWRhTG92ZWxhY2VPbmx5';
const MAIL = 'Please read and sign the house rules of Harbour Loft before you arrive:';

const trail_event = (type: string, minutes: number, more: object = {}) => ({
  type,
  created_at: at(minutes),
  signed_ip: null,
  content_hash: null,
  by: null,
  reason: null,
  ...more,
});

const list = (url: string, ...data: unknown[]) => ({ object: 'list', data, has_more: false, url: `/v1${url}` });
const deleted = (object: string, id: string) => ({ id, object, deleted: true });
const archived = { ...packet, is_default: false, status: 'archived', archived_at: at(0) };

/** Examples by the name of the response's schema. */
const RESOURCES: Record<string, unknown> = {
  Property: property,
  Packet: packet,
  Reservation: reservation.sent,
  Certificate: certificate,
  SyncSource: sync_source,
  SmsMessage: sms,
  WebhookEndpoint: endpoint,
  WebhookDelivery: delivery,
  TestClock: test_clock,
  RecordedEvent: event,
  RequestLog: request_log,
};

/** Examples by `operationId`, for responses that are not one of the resources above. */
const STORY: Record<string, unknown> = {
  properties_delete: deleted('property', property.id),
  packets_create: { ...packet, name: 'Summer rules', is_default: false },
  packets_archive: archived,
  packets_restore: { ...packet, is_default: false },
  events_list: list('/events', event),
  reservations_list: list('/reservations', reservation.signed),
  reservations_create: reservation.draft,
  reservations_update: reservation.draft,
  reservations_delete: deleted('reservation', SAMPLE_EVENT_OBJECT_IDS.reservation),
  reservations_cancel: reservation.cancelled,
  reservations_email_preview: {
    object: 'email_preview',
    reservation_id: SAMPLE_EVENT_OBJECT_IDS.reservation,
    rendered_at: at(0),
    would_send_to: reservation.sent.guest_email,
    from: 'harbour-stays@threshold.example',
    subject: 'Before your stay at Harbour Loft',
    html: `<p>${MAIL} <a href="${LINK}">Read and sign</a></p>`,
    text: `${MAIL} ${LINK}`,
  },
  reservations_events: {
    object: 'list',
    reservation_id: SAMPLE_EVENT_OBJECT_IDS.reservation,
    data: [
      trail_event('reservation.created', -1440),
      trail_event('reservation.sent', -90),
      trail_event('reservation.clicked', -30),
      trail_event('reservation.signed', 0, { signed_ip: '198.51.100.23', content_hash: SAMPLE_CONTENT_HASH }),
    ],
  },
  reservations_copy_link: { signingUrl: LINK, copyUrl: null },
  certificates_retrieve: {
    ...certificate,
    evidence: { status: 'verified', altered: [], sealed_entries: TRAIL.length },
    audit_trail: { content_hash: SAMPLE_CONTENT_HASH, snapshot: SNAPSHOT, entries: TRAIL, log_inclusion: null },
  },
  webhook_endpoints_create: {
    ...endpoint,
    last_delivery_at: null,
    last_success_at: null,
    signing_secret: secret,
    signing_secret_warning: 'Store this secret now: it is shown in this response only.',
  },
  webhook_endpoints_delete: deleted('webhook_endpoint', endpoint.id),
  webhook_endpoints_rotate: {
    ...endpoint,
    rotated_until: at(1440),
    signing_secret: secret,
    rotation_grace_until: at(1440),
  },
  webhook_endpoints_list_deliveries: list(`/webhook_endpoints/${endpoint.id}/deliveries`, delivery),
  webhook_endpoints_redeliver: queued,
  test_clocks_create: { ...test_clock, property_ids: [] },
  test_clocks_delete: deleted('test_clock', test_clock.id),
  test_clocks_advance: { ...test_clock, status: 'advancing', target_time: '2030-12-24T15:00:00.000Z' },
};

/**
 * Returns the example response of an operation. `schema` is the name of the response's schema.
 * @throws if the operation has no example
 */
export function getResponseExample(operation_id: string, path: string, schema: string): unknown {
  const example = STORY[operation_id] ?? RESOURCES[schema] ?? listStory(path, schema);
  if (example === undefined)
    throw new Error(`Write an example of ${operation_id} into src/api/openapi-response-examples.ts.`);
  return example;
}

/**
 * Returns an example of a list. An `{id}` in its path is replaced by the id of the example
 * property.
 */
function listStory(path: string, schema: string): unknown {
  const item = RESOURCES[schema.replace(/List$/, '')];
  return item && list(path.replace('/properties/{id}', `/properties/${property.id}`), item);
}
