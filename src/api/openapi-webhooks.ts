/**
 * The `webhooks` of the OpenAPI document: the body of every event as a schema of its own, and all of them as one union that
 * its `type` tells apart. Made from the resources' schemas, since an event shows the resource as the API does.
 */
import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType } from '@/events/catalogue';
import { ARRIVAL_GROUPS } from '@/modules/packets/schemas';

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
  items: { type: 'string', enum: [...ARRIVAL_GROUPS] },
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
  trigger: text('Whether it was asked for or due.', { enum: ['forced', 'schedule'] }),
  status: text('How it ended; `unchanged` when the calendar was the one applied last.', {
    enum: ['succeeded', 'unchanged', 'failed'],
  }),
  seen: count('Events that could be read, of any kind.'),
  created: count('New reservations.'),
  updated: count('Reservations whose dates or external id changed.'),
  moved: count('Bookings recognised under another id, with other dates.'),
  restored: count('Taken back, because the calendar has them again.'),
  unchanged: count('Bookings that were as they are.'),
  skipped: count('Entries that create nothing: blocks, tentative ones, reservations that may not be touched.'),

  vanished: count('Missing for the first time.'),
  cancelled: count('Cancelled reservations.'),
  problems: count('Events that could not be read.'),
  duration_ms: { type: 'integer', description: 'How long it took.' },
  http_status: { type: ['integer', 'null'], description: 'What the calendar’s server answered.' },
});

/** What a type adds to `data.object`. */
const ADDITIONS: Partial<Record<EventType, Record<string, Json>>> = {
  'reservation.signed': {
    certificate_id: {
      type: ['string', 'null'],
      description: 'The certificate; null when a host marked the reservation as signed.',
    },
  },
  'reservation.cancelled': {
    reason: text('Who cancelled: a key, a host, or a calendar without the booking.', {
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
  'property.updated': {
    previous_attributes: { type: 'object', additionalProperties: true, description: 'What changed, as it was before.' },
  },
  'packet.updated': {
    deleted: { type: 'boolean', description: 'True when the packet was deleted; otherwise absent.' },
  },
  'sync_source.run.completed': { run: RUN },
};
const OPTIONAL = ['deleted', 'test_event'];
const TEST_EVENT: Json = {
  type: 'boolean',
  description: 'True in an event that was sent as a test; otherwise absent.',
};

/** `reservation.arrival_details_held` -> `ReservationArrivalDetailsHeldEvent`. */
const nameOf = (type: string) =>
  `${type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Event`;

function eventSchema(type: EventType): Json {
  const resource = RESOURCES[type.split('.')[0] ?? ''];
  if (!resource) throw new Error(`${type} is about nothing that is known.`);
  const data = { object: reference(resource), ...ADDITIONS[type], test_event: TEST_EVENT };
  return object(EVENT_TYPES[type], {
    id: text('The event’s id; the same at every attempt.', { pattern: '^evt_[A-Za-z0-9_-]{8,}$' }),
    object: text('Always `event`.', { const: 'event' }),
    type: text('The event’s type.', { const: type }),
    created_at: text('When it happened.', { format: 'date-time' }),
    livemode: { type: 'boolean', description: 'False for events of the test mode.' },
    sequence: { type: 'integer', minimum: 1, description: 'Grows in the order of commits, for a team and a mode.' },
    data: object('The resource after the change, and what the type adds.', data, OPTIONAL),
  });
}

const HEADERS: readonly (readonly [string, string])[] = [
  [
    'Service-Signature',
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA-256 of `<t>.<body>`, with the whole text of the secret as key.',
  ],
  ['Service-Event', 'The event’s type.'],
  ['Service-Event-Id', 'The event’s id, the same at every attempt: drop what you have had.'],
  ['Service-Delivery-Id', 'The id of this attempt.'],
  ['Service-Attempt', 'Counts from 1.'],
  ['webhook-id', 'The event’s id, for libraries of Standard Webhooks.'],
  ['webhook-timestamp', 'The unix second of the attempt.'],
  ['webhook-signature', '`v1,<base64>`, as Standard Webhooks says.'],
];

/** Adds the schemas of events to the components, and gives the document's `webhooks`. */
export function addWebhooks(schemas: Record<string, Json>, exampleOf: (type: EventType) => Json): Json {
  const packet = schemas.Packet as ObjectSchema;
  schemas.PacketInEvent = {
    ...packet,
    description: 'A packet as events show it: its arrival details by the names of their groups, never the content.',
    properties: { ...packet.properties, arrival_details: groups('The groups that have content.') },
  };
  schemas.ArrivalReleaseSummary = object('What the guest may see, by the names of the groups that have content.', {
    state: reference('ArrivalReleaseState'),
    released: groups('The groups that the guest may see now.'),
    withheld: groups('The groups that are withheld.'),
  });
  for (const type of EVENT_TYPE_NAMES) schemas[nameOf(type)] = eventSchema(type);
  schemas.Event = {
    description: 'The body of a delivery. Types may be added: take those you do not know, and answer 2xx.',
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
    description: `${EVENT_TYPES[type].replace(/\.?$/, '.')} Sent to every enabled endpoint whose \`events\` name it.`,
    tags: ['Webhook endpoints'],
    security: [],
    parameters: HEADERS.map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      description: 'The event.',
      required: true,
      content: { 'application/json': { schema: reference(nameOf(type)), example } },
    },
    responses: { '2XX': { description: 'Taken. Anything else is tried again.' } },
  };
}
