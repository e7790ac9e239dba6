/**
 * Every event type that a webhook endpoint can subscribe to (specification, "Event types"), with
 * its meaning. The documentation page, the endpoint form and the validation of `events` use this
 * list.
 */
export const EVENT_TYPES = {
  'reservation.created': 'A reservation was created through the API, the dashboard or a calendar.',
  'reservation.updated':
    'A reservation changed in a way that no other event reports. The event includes `previous_attributes`.',
  'reservation.deleted': 'A draft reservation was deleted.',
  'reservation.expired': 'The stay ended unsigned, and the signing link no longer works.',
  'reservation.sent': 'The signing link was mailed to the guest (or, with a test key, rendered).',
  'reservation.clicked': 'A person saw the signing page for the first time.',
  'reservation.signed':
    'The guest signed, or the host marked the reservation as signed. The event includes `certificate_id`.',
  'reservation.cancelled':
    'The reservation was cancelled. The event includes the `reason`: `api`, `host` or `feed_removed`.',
  'reservation.arrival_details_held': 'The guest saw the unsigned packet and selected details were withheld.',
  'reservation.arrival_details_released':
    'The signature released the withheld details. The event includes `arrival_release`.',
  'reservation.arrival_details_viewed': 'The signed guest came back and saw the released details.',
  'reservation.arrival_details_override_released':
    'A host released details early. The event includes `by` and `reason`.',
  'certificate.created': 'The sealed certificate of a signature is ready.',
  'property.created': 'A property was created.',
  'property.updated': 'A property changed. The event includes `previous_attributes`.',
  'property.deleted': 'A property was deleted with its packets, calendars and reservations.',
  'packet.updated': 'A packet’s content, name, default flag or status changed, or it was deleted.',
  'sync_source.created': 'A sync source was created.',
  'sync_source.updated': 'A sync source’s settings changed.',
  'sync_source.run.completed':
    'A sync run ended: every forced run, and scheduled ones that changed data or health. The event includes `run`.',
} as const;

export type EventType = keyof typeof EVENT_TYPES;

export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as EventType[];

export function isEventType(value: string): value is EventType {
  return Object.hasOwn(EVENT_TYPES, value);
}

/**
 * The `data` of an event: the resource as the API returns it, and additional fields of some types.
 */
export interface DomainEventData {
  object: object;
  [addition: string]: unknown;
}

/**
 * The body of a delivery (design "Webhooks"). Its JSON text is stored once and sent unchanged in
 * every attempt.
 */
export interface WebhookDeliveryBody {
  id: string;
  object: 'event';
  type: EventType;
  created_at: string;
  livemode: boolean;
  sequence: number;
  data: DomainEventData;
}
