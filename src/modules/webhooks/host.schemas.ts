/** Inputs and outputs of endpoints and deliveries that only the dashboard has. */
import { z } from 'zod';
import { EVENT_TYPE_NAMES, type EventType } from '@/events/catalogue';
import { defineListEnvelope, makeSchemaParseSynchronously, pastedIdField } from '@/shared/schemas';
import { WEBHOOK_PORTAL_LINK_LIFETIMES_DAYS } from './portal/link-lifetimes.rules';
import { WebhookDelivery, WebhookDeliveryListQuery, WebhookEndpoint, WebhookEndpointList } from './schemas';

const date_time = z.iso.datetime();
const EventTypeName = z.enum(EVENT_TYPE_NAMES as [EventType, ...EventType[]]);

export const HostWebhookEndpointIdInput = z.strictObject({ id: pastedIdField });

export const EndpointHealth = WebhookEndpoint.extend({
  /** The reason for disabling the endpoint automatically, as text. */
  disabled_reason: z.string().nullable(),
  disabled_at: date_time.nullable(),
  failing_since: date_time.nullable(),
  /**
   * The endpoint did not respond, so no attempts are made until this time. After it, only one probe
   * at a time is sent. Null while the circuit is closed.
   */
  circuit_open_until: date_time.nullable(),
  /** Whether the owners get the daily mail about failures. */
  digest: z.boolean(),
  /** The number of pending attempts. */
  waiting: z.int(),
  last_24h: z.object({ succeeded: z.int(), failed: z.int() }),
}).meta({ id: 'EndpointHealth' });
export type EndpointHealth = z.infer<typeof EndpointHealth>;

export const EndpointHealthList = makeSchemaParseSynchronously(
  WebhookEndpointList.extend({
    data: z.array(EndpointHealth),
    /** The maximum number of endpoints that the team may have in each mode. */
    limit: z.int(),
  }),
);

/** Numbers of finished attempts in the last seven days, in steps of six hours, oldest first. */
export const EndpointDeliveryHistory = z.object({
  buckets: z.array(z.object({ from: date_time, succeeded: z.int(), failed: z.int() })),
  /** The median duration of successful attempts. Null without successful attempts. */
  median_ms: z.int().nullable(),
  p95_ms: z.int().nullable(),
});
export type EndpointDeliveryHistory = z.infer<typeof EndpointDeliveryHistory>;

export const HostWebhookDeliveryListQuery = WebhookDeliveryListQuery.extend({
  event_type: EventTypeName.optional(),
  event_id: pastedIdField.optional(),
});
export type HostWebhookDeliveryListQuery = z.infer<typeof HostWebhookDeliveryListQuery>;

export const DeliveryEntry = WebhookDelivery.extend({
  trigger: z.enum(['event', 'retry', 'redelivery', 'test']),
  /** Why no complete response arrived, such as `dns`, `tls` or `timeout`. */
  error_kind: z.string().nullable(),
  error_message: z.string().nullable(),
  due_at: date_time,
}).meta({ id: 'DeliveryEntry' });
export type DeliveryEntry = z.infer<typeof DeliveryEntry>;

export const DeliveryList = defineListEnvelope(DeliveryEntry, 'DeliveryList');

/** Selects events of an endpoint. `status` refers to the event's overall status. */
export const HostEventDeliveryListQuery = z.strictObject({
  ...HostWebhookDeliveryListQuery.shape,
  /** Selects events whose first attempt was at or after `from` and before `to`. */
  from: date_time.optional(),
  to: date_time.optional(),
});
export type HostEventDeliveryListQuery = z.infer<typeof HostEventDeliveryListQuery>;

export const EventDeliveryList = z.object({
  data: z.array(
    z.object({
      /** The id of the first attempt, which is also the cursor. */
      id: z.string(),
      event_id: z.string(),
      event_type: z.string(),
      /** The latest attempts, oldest first. */
      attempts: z.array(DeliveryEntry).min(1),
      created_at: date_time,
    }),
  ),
  has_more: z.boolean(),
});
export type EventDeliveryList = z.infer<typeof EventDeliveryList>;

export const PastedWebhookDeliveryId = z.strictObject({ id: pastedIdField });
const EndpointStatus = WebhookEndpoint.shape.status;

export const DeliveryDetail = DeliveryEntry.extend({
  /** The endpoint's status. While it is disabled, pending attempts wait. */
  endpoint_status: EndpointStatus,
  request: z.object({
    /** The endpoint's current URL. */
    url: z.string(),
    /** The request headers without signatures, which are not stored. */
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    /** The body that every attempt sends. */
    body: z.string(),
  }),
}).meta({ id: 'DeliveryDetail' });
export type DeliveryDetail = z.infer<typeof DeliveryDetail>;

export const FailureDigestSettingInput = z.strictObject({ id: pastedIdField, digest: z.boolean() });

export const SendTestEventInput = z.strictObject({ id: pastedIdField, type: EventTypeName });

export const RedeliverFailedEventsInput = z.strictObject({ id: pastedIdField, since: date_time });
/** `more` is whether another call would redeliver further events. */
export const RedeliveredEventCount = z.object({ events: z.int(), more: z.boolean() });
export type RedeliveredEventCount = z.infer<typeof RedeliveredEventCount>;

export const CreateSharedDeliveriesLinkInput = z.strictObject({
  id: pastedIdField,
  days: z.union(
    WEBHOOK_PORTAL_LINK_LIFETIMES_DAYS.map((days) => z.literal(days)) as [
      z.ZodLiteral<1>,
      z.ZodLiteral<7>,
      z.ZodLiteral<30>,
    ],
  ),
});

/** A new link. Its URL is returned only once. */
export const SharedDeliveriesLink = z.object({ url: z.string(), expires_at: z.iso.datetime() });
/** When the link expires. Null without a link. */
export const SharedDeliveriesLinkStatus = z.object({ expires_at: z.iso.datetime().nullable() });
