/**
 * Builds the `webhooks` of the OpenAPI document: a schema for the body of every event, and a union
 * of all bodies with `type` as discriminator. The schemas are built from the schemas of the
 * resources, because an event contains the resource as the API returns it.
 */
import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType } from '@/events/catalogue';
import { ARRIVAL_DETAIL_GROUPS } from '@/modules/packets/schemas';

type Json = Record<string, unknown>;
interface ObjectSchema extends Json {
  properties: Record<string, Json>;
  required?: string[];
}

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = (description: string, more: Json = {}): Json => ({ type: 'string', description, ...more });
const count = (description: string): Json => ({ type: 'integer', minimum: 0, description });
const object = (
  description: string,
  properties: Record<string, Json>,
  optional: readonly string[] = [],
): ObjectSchema => ({
  type: 'object',
  description,
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});
const groups = (description: string): Json => ({
  type: 'array',
  items: { type: 'string', enum: [...ARRIVAL_DETAIL_GROUPS] },
  description,
});

const RESOURCES: Record<string, string> = {
  reservation: 'Reservation',
  certificate: 'Certificate',
  property: 'Property',
  packet: 'PacketInEvent',
  sync_source: 'SyncSource',
};

const ARRIVAL = { arrival_release: reference('ArrivalReleaseSummary') };
const RUN = object('What the run did.', {
  id: text('The run’s id.'),
  trigger: text('Whether the run was requested or scheduled.', { enum: ['forced', 'schedule'] }),
  status: text('How the run ended. `unchanged` when the calendar is the same as the last one applied.', {
    enum: ['succeeded', 'unchanged', 'failed'],
  }),
  seen: count('Entries of any kind that could be read.'),
  created: count('New reservations.'),
  updated: count('Reservations whose dates or external id changed.'),
  moved: count('Bookings found under a new id with new dates.'),
  restored: count('Reservations that were restored because the calendar has them again.'),
  unchanged: count('Bookings without changes.'),
  skipped: count(
    'Entries that were not applied: blocks, tentative entries, and reservations that a calendar may not change.',
  ),

  vanished: count('Bookings that are missing for the first time.'),
  cancelled: count('Cancelled reservations.'),
  problems: count('Entries that could not be read.'),
  duration_ms: { type: 'integer', description: 'How long the request took.' },
  http_status: { type: ['integer', 'null'], description: 'The HTTP status of the calendar server’s response.' },
});

const PREVIOUS: Json = {
  type: 'object',
  additionalProperties: true,
  description: 'The previous values of changed fields.',
};

/** Additional fields of `data`, next to `object`, by event type. */
const ADDITIONS: Partial<Record<EventType, Record<string, Json>>> = {
  'reservation.updated': { previous_attributes: PREVIOUS },
  'reservation.signed': {
    certificate_id: {
      type: ['string', 'null'],
      description: 'The certificate’s id. Null when a host marked the reservation as signed.',
    },
  },
  'reservation.cancelled': {
    reason: text('Who cancelled: an API key, a host, or a calendar that no longer has the booking.', {
      enum: ['api', 'host', 'feed_removed'],
    }),
  },
  'reservation.arrival_details_held': ARRIVAL,
  'reservation.arrival_details_released': ARRIVAL,
  'reservation.arrival_details_viewed': ARRIVAL,
  'reservation.arrival_details_override_released': {
    ...ARRIVAL,
    by: text('The host who released them.'),
    reason: text('Why.'),
  },
  'property.updated': { previous_attributes: PREVIOUS },
  'packet.updated': {
    deleted: { type: 'boolean', description: 'True when the packet was deleted; otherwise absent.' },
  },
  'sync_source.run.completed': { run: RUN },
};
const OPTIONAL = ['deleted', 'test_event'];

/** Fields of every event. */
const ENVELOPE: Record<string, Json> = {
  EventId: text('The event’s id, the same in every attempt.', { pattern: '^evt_[A-Za-z0-9_-]{8,}$' }),
  EventLivemode: { type: 'boolean', description: 'False for events of the test mode.' },
  EventSequence: {
    type: 'integer',
    minimum: 1,
    description: 'Increases in commit order, separately for each team and mode.',
  },
  TestEvent: { type: 'boolean', description: 'True in an event that was sent as a test; otherwise absent.' },
};

/**
 * Returns the schema's name: `reservation.arrival_details_held` ->
 * `ReservationArrivalDetailsHeldEvent`.
 */
const nameOf = (type: string) =>
  `${type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Event`;

function eventSchema(type: EventType): Json {
  const resource = RESOURCES[type.split('.')[0] ?? ''];
  if (!resource) throw new Error(`${type} is about nothing that is known.`);
  const data = { object: reference(resource), ...ADDITIONS[type], test_event: reference('TestEvent') };
  return object(EVENT_TYPES[type], {
    id: reference('EventId'),
    object: text('Always `event`.', { const: 'event' }),
    type: text('The event’s type.', { const: type }),
    created_at: { ...reference('Timestamp'), description: 'When it happened.' },
    livemode: reference('EventLivemode'),
    sequence: reference('EventSequence'),
    data: object('The resource after the change, and the fields that the event type adds.', data, OPTIONAL),
  });
}

const HEADERS: readonly (readonly [string, string])[] = [
  [
    'Service-Signature',
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA-256 of `<t>.<body>`, with the whole text of the secret as key.',
  ],
  ['Service-Event', 'The event’s type.'],
  ['Service-Event-Id', 'The event’s id, the same in every attempt. Skip an id that you have already processed.'],
  ['Service-Delivery-Id', 'The id of this attempt.'],
  ['Service-Attempt', 'Counts from 1.'],
  ['webhook-id', 'The event’s id, for Standard Webhooks libraries.'],
  ['webhook-timestamp', 'The time of the attempt, in Unix seconds.'],
  ['webhook-signature', '`v1,<base64>`, as Standard Webhooks specifies.'],
];

/** The headers of a webhook delivery by name, as components of the document. */
export const WEBHOOK_DELIVERY_HEADER_PARAMETERS: Record<string, Json> = Object.fromEntries(
  HEADERS.map(([name, description]) => [
    name,
    { name, in: 'header', required: true, description, schema: { type: 'string' } },
  ]),
);

/** Adds the schemas of events to the components, and returns the document's `webhooks`. */
export function addWebhookSchemasToOpenApi(
  schemas: Record<string, Json>,
  exampleOf: (type: EventType) => Json,
): Record<string, Record<string, Json>> {
  const packet = schemas.Packet as ObjectSchema;
  schemas.PacketInEvent = {
    ...packet,
    description: 'A packet in an event. Its arrival details are only named by group, without their content.',
    properties: { ...packet.properties, arrival_details: groups('The groups that have content.') },
  };
  schemas.ArrivalReleaseSummary = object(
    'Which groups of arrival details the guest may see. Only groups with content are named.',
    {
      state: reference('ArrivalReleaseState'),
      released: groups('The groups that the guest may see now.'),
      withheld: groups('The groups that are withheld.'),
    },
  );
  Object.assign(schemas, ENVELOPE);
  for (const type of EVENT_TYPE_NAMES) schemas[nameOf(type)] = eventSchema(type);
  schemas.Event = {
    description:
      'The body of a delivery. New types may be added: accept types that you do not know, and respond with 2xx.',
    oneOf: EVENT_TYPE_NAMES.map((type) => reference(nameOf(type))),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(EVENT_TYPE_NAMES.map((type) => [type, reference(nameOf(type)).$ref])),
    },
  };
  return Object.fromEntries(EVENT_TYPE_NAMES.map((type) => [type, { post: webhook(type, exampleOf(type)) }]));
}

function webhook(type: EventType, example: Json): Json {
  return {
    operationId: `on_${type.replaceAll('.', '_')}`,
    summary: `\`${type}\``,
    description: EVENT_TYPES[type].replace(/\.?$/, '.'),
    tags: ['Webhook endpoints'],
    security: [],
    parameters: Object.keys(WEBHOOK_DELIVERY_HEADER_PARAMETERS).map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    requestBody: {
      description: 'The event.',
      required: true,
      content: { 'application/json': { schema: reference(nameOf(type)), example } },
    },
    responses: { '2XX': { description: 'Accepted. Any other status is retried.' } },
  };
}
