/**
 * Webhook endpoints and deliveries (specification, "WebhookEndpoint" and the sections after it).
 * Beta.
 */
import { z } from 'zod';
import { EVENT_TYPE_NAMES, isEventType } from '@/events/catalogue';
import { defineJsonColumn } from '@/shared/json-column';
import { listReadOnlyFields } from '@/shared/read-only';
import { createRefusal } from '@/shared/refusals/refusal';
import {
  addCrossFieldSchemaIssue,
  defineDeletionResponse,
  defineListEnvelope,
  defineRequestInput,
  idField,
  objectTypeField,
  optionalTextField,
  paginationQueryFields,
  timestampField,
  urlPathIdField,
} from '@/shared/schemas';
import {
  findCustomHeaderProblem,
  MAX_CUSTOM_HEADER_NAME_LENGTH,
  MAX_CUSTOM_HEADER_VALUE_LENGTH,
} from './delivery/custom-headers.rules';

const url = z.string().trim().min(1).max(2_000, 'must have at most 2000 characters').meta({
  format: 'uri',
  description: 'An https URL with a public address.',
  example: 'https://example.com/webhooks/threshold',
});

const events = z
  .array(
    z
      .string()
      .trim()
      .min(1)
      .meta({ enum: ['*', ...EVENT_TYPE_NAMES] }),
  )
  .min(1, 'must name at least one event type')
  .max(50, 'must hold at most 50 types')
  .overwrite((types) => [...new Set(types)])
  .superRefine((types, ctx) => {
    for (const [index, type] of types.entries()) {
      if (type === '*' ? types.length > 1 : !isEventType(type)) {
        addCrossFieldSchemaIssue(
          ctx,
          'unknown_event_type',
          [index],
          type === '*' ? createRefusal('star_stands_alone') : createRefusal('not_an_event_type', { type }),
        );
        return;
      }
    }
  })
  .meta({
    description: 'Event types, or `["*"]` for all. `*` cannot be combined with event types.',
    example: ['reservation.signed'],
  });

const description = optionalTextField(200).optional().meta({
  description: 'A description for the people who maintain the endpoint. Beta.',
  example: 'Guidebook, production',
});

const headers = z
  .record(z.string().max(MAX_CUSTOM_HEADER_NAME_LENGTH), z.string().min(1).max(MAX_CUSTOM_HEADER_VALUE_LENGTH))
  .superRefine((given, ctx) => {
    const problem = findCustomHeaderProblem(given);
    if (problem)
      ctx.addIssue({ code: 'custom', message: problem.message, path: problem.name === null ? [] : [problem.name] });
  })
  .nullable()
  .optional()
  .meta({
    description:
      'Headers added to the endpoint’s deliveries, for example an API key of your gateway. At most ten. They replace all previous headers. Null removes them. Stored encrypted, and never shown. Beta.',
    example: { 'X-Gateway-Key': 'k_4f9c' },
  });

const fields = {
  id: idField('webhook_endpoint', 'The endpoint’s id.'),
  object: objectTypeField('webhook_endpoint'),
  url: z.url().meta({ description: 'The URL that events are posted to.' }),
  description: z.string().nullable().meta({ description: 'The host’s description of the endpoint. Beta.' }),
  header_names: z
    .array(z.string())
    .meta({ description: 'The names of the headers added to its deliveries. Beta.', example: ['X-Gateway-Key'] }),
  events: z
    .array(z.string().meta({ enum: ['*', ...EVENT_TYPE_NAMES] }))
    .meta({ description: 'Event types, or `["*"]` for all.', example: [EVENT_TYPE_NAMES[0]] }),
  status: z
    .enum(['enabled', 'disabled', 'auto_disabled'])
    .meta({ description: '`auto_disabled` after repeated failures. It can then only be enabled in the dashboard.' }),
  mode: z.enum(['live', 'test']).meta({ description: 'The mode whose events the endpoint receives.' }),
  signing_secret_last4: z.string().meta({ description: 'The last four characters of the signing secret.' }),
  consecutive_failures: z.int().min(0).meta({ description: 'Failed attempts since the last success.' }),
  last_delivery_at: timestampField('When a delivery was last attempted.').nullable(),
  last_success_at: timestampField('When the endpoint last accepted a delivery.').nullable(),
  rotated_until: timestampField('When the previous secret stops signing. Null when only one secret signs.').nullable(),
  created_at: timestampField('When it was created.'),
  updated_at: timestampField('When it last changed.'),
};

export const WebhookEndpoint = z
  .object(fields)
  .meta({ id: 'WebhookEndpoint', description: 'Where events are sent. Beta.' });
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

const signing_secret = z.string().meta({ description: 'Shown in this response only.', example: 'whsec_…' });

export const WebhookEndpointWithSecret = z
  .object({
    ...fields,
    signing_secret,
    signing_secret_warning: z.string().meta({ description: 'Says that the secret is shown once.' }),
  })
  .meta({ id: 'WebhookEndpointWithSecret', description: 'A new endpoint with its secret, which is shown once.' });
export const WebhookEndpointRotated = z
  .object({
    ...fields,
    signing_secret,
    rotation_grace_until: timestampField('When the previous secret stops signing.'),
  })
  .meta({ id: 'WebhookEndpointRotated', description: 'An endpoint with its new secret, which is shown once.' });

export const WEBHOOK_ENDPOINT_READ_ONLY_FIELDS = listReadOnlyFields(WebhookEndpoint, [
  'url',
  'description',
  'events',
  'status',
]);

export const WebhookEndpointCreate = defineRequestInput(
  z.strictObject({
    object: objectTypeField('webhook_endpoint').optional(),
    url,
    events: events.default(['*']),
    description,
    headers,
  }),
);
export type WebhookEndpointCreate = z.infer<typeof WebhookEndpointCreate>;

export const WebhookEndpointUpdate = defineRequestInput(
  z.strictObject({
    id: urlPathIdField('webhook_endpoint', 'The endpoint’s id.'),
    url: url.optional(),
    events: events.optional(),
    description,
    headers,
    status: z
      .enum(['enabled', 'disabled'])
      .optional()
      .meta({ description: 'Nothing is sent to a disabled endpoint. Its queued deliveries stay queued.' }),
    ...WEBHOOK_ENDPOINT_READ_ONLY_FIELDS,
  }),
);
export type WebhookEndpointUpdate = Omit<
  z.infer<typeof WebhookEndpointUpdate>,
  'id' | keyof typeof WEBHOOK_ENDPOINT_READ_ONLY_FIELDS
>;

export const WebhookEndpointId = z.strictObject({ id: urlPathIdField('webhook_endpoint', 'The endpoint’s id.') });
export const WebhookEndpointListQuery = z.strictObject(paginationQueryFields);
export const WebhookEndpointList = defineListEnvelope(WebhookEndpoint, 'WebhookEndpointList');
export const WebhookEndpointDeleted = defineDeletionResponse('webhook_endpoint', 'WebhookEndpointDeleted');

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const;
const DeliveryStatus = z.enum(DELIVERY_STATUSES);

export const WebhookDelivery = z
  .object({
    id: idField('webhook_delivery', 'The attempt’s id. Sent as `Service-Delivery-Id`.'),
    object: objectTypeField('webhook_delivery'),
    event_id: idField('event', 'The event.'),
    endpoint_id: idField('webhook_endpoint', 'The endpoint.'),
    event_type: z.string().meta({ description: 'The event’s type.' }),
    attempt_number: z.int().min(1).meta({ description: 'Counts from 1. Sent as `Service-Attempt`.' }),
    status: DeliveryStatus.meta({ description: '`pending` while the attempt is queued or in progress.' }),
    status_code: z
      .int()
      .nullable()
      .meta({ description: 'The status of the endpoint’s response. Null without a response.' }),
    response_body_truncated: z.string().nullable().meta({ description: 'The first KiB of the response.' }),
    duration_ms: z.int().nullable().meta({ description: 'How long the request took.' }),
    attempted_at: timestampField('When the attempt was made. Null until then.').nullable(),
    next_retry_at: timestampField('When the next attempt is due. Null while the endpoint is not enabled.').nullable(),
    delivered_at: timestampField('When the endpoint accepted the delivery.').nullable(),
    created_at: timestampField('When the attempt was scheduled.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'One attempt to deliver one event to one endpoint.' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookDeliveryListQuery = z.strictObject({
  id: urlPathIdField('webhook_endpoint', 'The endpoint’s id.'),
  ...paginationQueryFields,
  status: DeliveryStatus.meta({ description: 'Only attempts with this status.' }).optional(),
});
export const WebhookDeliveryId = z.strictObject({
  id: urlPathIdField('webhook_endpoint', 'The endpoint’s id.'),
  evt_id: urlPathIdField('event', 'The event’s id.'),
});
export const WebhookDeliveryList = defineListEnvelope(WebhookDelivery, 'WebhookDeliveryList');

/** The column of previous secrets. The secrets are encrypted. `until` is ISO 8601. */
export const previousSigningSecretsJsonColumn = defineJsonColumn(
  'WebhookEndpoint.previous_secrets',
  z.array(z.object({ secret: z.string(), until: z.string() })),
);
