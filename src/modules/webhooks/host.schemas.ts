/** What the dashboard sees of endpoints and deliveries beyond the public resources. */
import { z } from 'zod';
import { EVENT_TYPE_NAMES, type EventType } from '@/events/catalogue';
import { compiled, listOf, pastedId } from '@/shared/schemas';
import { WebhookDelivery, WebhookDeliveryListQuery, WebhookEndpoint, WebhookEndpointList } from './schemas';

const date_time = z.iso.datetime();
const EventTypeName = z.enum(EVENT_TYPE_NAMES as [EventType, ...EventType[]]);

export const EndpointId = z.strictObject({ id: pastedId });

export const EndpointHealth = WebhookEndpoint.extend({
  /** Why it was disabled automatically, in words. */
  disabled_reason: z.string().nullable(),
  disabled_at: date_time.nullable(),
  failing_since: date_time.nullable(),
  /** Nothing but a probe is sent before this: the endpoint has stopped answering. */
  circuit_open_until: date_time.nullable(),
  /** Whether the owners get the daily mail of what it did not accept. */
  digest: z.boolean(),
  /** Attempts that are due or scheduled. */
  waiting: z.int(),
  last_24h: z.object({ succeeded: z.int(), failed: z.int() }),
}).meta({ id: 'EndpointHealth' });
export type EndpointHealth = z.infer<typeof EndpointHealth>;

export const EndpointHealthList = compiled(
  WebhookEndpointList.extend({
    data: z.array(EndpointHealth),
    /** How many a mode can have. */
    limit: z.int(),
  }),
);

/** Finished attempts of the last seven days, by six hours, oldest first; quiet stretches are there with zeros. */
export const EndpointHistory = z.object({
  buckets: z.array(z.object({ from: date_time, succeeded: z.int(), failed: z.int() })),
  /** Of successful attempts; null when there were none. */
  median_ms: z.int().nullable(),
  p95_ms: z.int().nullable(),
});
export type EndpointHistory = z.infer<typeof EndpointHistory>;

export const DeliveryQuery = WebhookDeliveryListQuery.extend({
  event_type: EventTypeName.optional(),
  event_id: pastedId.optional(),
});
export type DeliveryQuery = z.infer<typeof DeliveryQuery>;

export const DeliveryEntry = WebhookDelivery.extend({
  trigger: z.enum(['event', 'retry', 'redelivery', 'test']),
  /** What went wrong where no complete answer came: `dns`, `tls`, `timeout`, … */
  error_kind: z.string().nullable(),
  error_message: z.string().nullable(),
  due_at: date_time,
}).meta({ id: 'DeliveryEntry' });
export type DeliveryEntry = z.infer<typeof DeliveryEntry>;

export const DeliveryList = listOf(DeliveryEntry, 'DeliveryList');

/** Events at one endpoint, each with its attempts; what became of an event is what became of its latest attempt. */
export const EventDeliveryQuery = z.strictObject({
  ...DeliveryQuery.shape,
  /** First tried from then on, and before then. */
  from: date_time.optional(),
  to: date_time.optional(),
});
export type EventDeliveryQuery = z.infer<typeof EventDeliveryQuery>;

export const EventDeliveries = z.object({
  data: z.array(
    z.object({
      /** Of the first attempt: the page turns by it. */
      id: z.string(),
      event_id: z.string(),
      event_type: z.string(),
      /** The first of them first; of very many the latest. */
      attempts: z.array(DeliveryEntry).min(1),
      created_at: date_time,
    }),
  ),
  has_more: z.boolean(),
});
export type EventDeliveries = z.infer<typeof EventDeliveries>;

export const DeliveryId = z.strictObject({ id: pastedId });
const EndpointStatus = WebhookEndpoint.shape.status;

export const DeliveryDetail = DeliveryEntry.extend({
  /** On a disabled endpoint a pending attempt waits. */
  endpoint_status: EndpointStatus,
  request: z.object({
    /** The endpoint's address now. */
    url: z.string(),
    /** Without the signatures: they are made at the moment of sending and not kept. */
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    /** The bytes that every attempt sends. */
    body: z.string(),
  }),
}).meta({ id: 'DeliveryDetail' });
export type DeliveryDetail = z.infer<typeof DeliveryDetail>;

export const DigestSwitch = z.strictObject({ id: pastedId, digest: z.boolean() });

export const TestEventSend = z.strictObject({ id: pastedId, type: EventTypeName });

export const RedeliverSince = z.strictObject({ id: pastedId, since: date_time });
/** `more`: there are further ones, which another call takes. */
export const RedeliverCount = z.object({ events: z.int(), more: z.boolean() });
export type RedeliverCount = z.infer<typeof RedeliverCount>;
