/** Data of endpoints and deliveries for the dashboard beyond the public resources. */
import { z } from 'zod';
import { EVENT_TYPE_NAMES, type EventType } from '@/events/catalogue';
import { compileSchema, listEnvelope, pastedIdField } from '@/shared/schemas';
import { PORTAL_DAYS } from './portal/link-terms.rules';
import { WebhookDelivery, WebhookDeliveryListQuery, WebhookEndpoint, WebhookEndpointList } from './schemas';

const date_time = z.iso.datetime();
const EventTypeName = z.enum(EVENT_TYPE_NAMES as [EventType, ...EventType[]]);

export const EndpointId = z.strictObject({ id: pastedIdField });

export const EndpointHealth = WebhookEndpoint.extend({
  /** Why the endpoint was disabled automatically, in words. */
  disabled_reason: z.string().nullable(),
  disabled_at: date_time.nullable(),
  failing_since: date_time.nullable(),
  /** Until this time only probes are sent, because the endpoint has stopped responding. */
  circuit_open_until: date_time.nullable(),
  /** Whether the owners get the daily mail about failures. */
  digest: z.boolean(),
  /** The number of attempts that are due or scheduled. */
  waiting: z.int(),
  last_24h: z.object({ succeeded: z.int(), failed: z.int() }),
}).meta({ id: 'EndpointHealth' });
export type EndpointHealth = z.infer<typeof EndpointHealth>;

export const EndpointHealthList = compileSchema(
  WebhookEndpointList.extend({
    data: z.array(EndpointHealth),
    /** The maximum number of endpoints in a mode. */
    limit: z.int(),
  }),
);

/** Finished attempts of the last seven days in steps of six hours, oldest first. */
export const EndpointHistory = z.object({
  buckets: z.array(z.object({ from: date_time, succeeded: z.int(), failed: z.int() })),
  /** The median of successful attempts. Null when there were none. */
  median_ms: z.int().nullable(),
  p95_ms: z.int().nullable(),
});
export type EndpointHistory = z.infer<typeof EndpointHistory>;

export const DeliveryQuery = WebhookDeliveryListQuery.extend({
  event_type: EventTypeName.optional(),
  event_id: pastedIdField.optional(),
});
export type DeliveryQuery = z.infer<typeof DeliveryQuery>;

export const DeliveryEntry = WebhookDelivery.extend({
  trigger: z.enum(['event', 'retry', 'redelivery', 'test']),
  /** Why there was no complete response: `dns`, `tls`, `timeout`, … */
  error_kind: z.string().nullable(),
  error_message: z.string().nullable(),
  due_at: date_time,
}).meta({ id: 'DeliveryEntry' });
export type DeliveryEntry = z.infer<typeof DeliveryEntry>;

export const DeliveryList = listEnvelope(DeliveryEntry, 'DeliveryList');

/** An endpoint's events with their attempts. An event has the status of its latest attempt. */
export const EventDeliveryQuery = z.strictObject({
  ...DeliveryQuery.shape,
  /** First attempted at or after `from`, and before `to`. */
  from: date_time.optional(),
  to: date_time.optional(),
});
export type EventDeliveryQuery = z.infer<typeof EventDeliveryQuery>;

export const EventDeliveries = z.object({
  data: z.array(
    z.object({
      /** The id of the first attempt, which is the cursor of the list. */
      id: z.string(),
      event_id: z.string(),
      event_type: z.string(),
      /** The attempts, oldest first. Only the latest ones when there are very many. */
      attempts: z.array(DeliveryEntry).min(1),
      created_at: date_time,
    }),
  ),
  has_more: z.boolean(),
});
export type EventDeliveries = z.infer<typeof EventDeliveries>;

export const DeliveryId = z.strictObject({ id: pastedIdField });
const EndpointStatus = WebhookEndpoint.shape.status;

export const DeliveryDetail = DeliveryEntry.extend({
  /** The endpoint's status. On a disabled endpoint, pending attempts wait. */
  endpoint_status: EndpointStatus,
  request: z.object({
    /** The endpoint's current URL. */
    url: z.string(),
    /** The headers except the signatures, which are computed when sending and not stored. */
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    /** The bytes that every attempt sends. */
    body: z.string(),
  }),
}).meta({ id: 'DeliveryDetail' });
export type DeliveryDetail = z.infer<typeof DeliveryDetail>;

export const DigestSwitch = z.strictObject({ id: pastedIdField, digest: z.boolean() });

export const TestEventSend = z.strictObject({ id: pastedIdField, type: EventTypeName });

export const RedeliverSince = z.strictObject({ id: pastedIdField, since: date_time });
/** `more` means that another call would redeliver further events. */
export const RedeliverCount = z.object({ events: z.int(), more: z.boolean() });
export type RedeliverCount = z.infer<typeof RedeliverCount>;

export const PortalShare = z.strictObject({
  id: pastedIdField,
  days: z.union(PORTAL_DAYS.map((days) => z.literal(days)) as [z.ZodLiteral<1>, z.ZodLiteral<7>, z.ZodLiteral<30>]),
});

/** A new link. Its URL is shown only once. */
export const PortalLink = z.object({ url: z.string(), expires_at: z.iso.datetime() });
/** When the link expires. Null when there is none. */
export const PortalState = z.object({ expires_at: z.iso.datetime().nullable() });
