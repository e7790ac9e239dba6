/** The operations on webhook endpoints and their deliveries. Beta. */
import { defineInputWithExtraFieldsForHosts, defineOutputWithExtraFieldsForHosts } from '@/api/trpc/host-part';
import { defineApiOperation, router } from '@/api/trpc/procedures';
import { translateMessages } from '@/api/trpc/translate-messages';
import { toListEnvelope } from '@/shared/lists/pagination';
import { separateChangesFromReadOnlyFields } from '@/shared/read-only';
import { listDeliveryAttempts, serializeDeliveryAttempt } from './delivery-log';
import { loadEndpointHealth, retrieveEndpointHealth } from './health';
import * as more from './host.schemas';
import * as schemas from './schemas';
import { serializeDelivery, serializeEndpoint } from './serializer';
import * as service from './service';

const tag = 'Webhook endpoints';
const stability = 'beta' as const;
const read = { method: 'GET', tag, stability, scope: 'webhooks:read', errors: ['resource_missing'] } as const;
const write = { tag, stability, scope: 'webhooks:write' } as const;
const WARNING = 'Store this secret now: it is shown in this response only.';

export const webhookEndpointsRouter = router({
  list: defineApiOperation({ ...read, path: '/webhook_endpoints', errors: [], summary: 'List webhook endpoints' })
    .input(schemas.WebhookEndpointListQuery)
    .output(defineOutputWithExtraFieldsForHosts(schemas.WebhookEndpointList, more.EndpointHealthList))
    .query(async ({ ctx, input }) => {
      const page = await service.listEndpoints(ctx.scope, input);
      const list = toListEnvelope(page, '/v1/webhook_endpoints', serializeEndpoint);
      if (!ctx.by_host) return list;
      const data = await loadEndpointHealth(ctx.scope, page.data);
      return translateMessages({ ...list, data, limit: service.MAX_ENDPOINTS_PER_MODE }, ctx);
    }),

  create: defineApiOperation({
    ...write,
    method: 'POST',
    path: '/webhook_endpoints',
    effect: 'irreversible',
    success_status: 201,
    summary: 'Create a webhook endpoint',
    description: 'The signing secret is shown in this response only.',
    errors: ['url_not_https', 'url_not_allowed', 'unknown_event_type', 'endpoint_limit_reached'],
    secret_response: true,
  })
    .input(schemas.WebhookEndpointCreate)
    .output(schemas.WebhookEndpointWithSecret)
    .mutation(async ({ ctx, input }) => {
      const { row, secret } = await service.createEndpoint(ctx.scope, input);
      return { ...serializeEndpoint(row), signing_secret: secret, signing_secret_warning: WARNING };
    }),

  retrieve: defineApiOperation({
    ...read,
    path: '/webhook_endpoints/{id}',
    summary: 'Retrieve a webhook endpoint',
    etag: true,
  })
    .input(schemas.WebhookEndpointId)
    .output(defineOutputWithExtraFieldsForHosts(schemas.WebhookEndpoint, more.EndpointHealth))
    .query(async ({ ctx, input }) =>
      ctx.by_host
        ? translateMessages(await retrieveEndpointHealth(ctx.scope, input.id), ctx)
        : serializeEndpoint(await service.retrieveEndpoint(ctx.scope, input.id)),
    ),

  update: defineApiOperation({
    ...write,
    method: 'PATCH',
    path: '/webhook_endpoints/{id}',
    effect: 'irreversible',
    summary: 'Update a webhook endpoint',
    description: 'An endpoint that was disabled automatically can only be enabled in the dashboard.',
    errors: [
      'resource_missing',
      'url_not_https',
      'url_not_allowed',
      'unknown_event_type',
      'endpoint_auto_disabled',
      'etag_mismatch',
      'concurrent_edit',
    ],
    etag: true,
  })
    .input(schemas.WebhookEndpointUpdate)
    .output(schemas.WebhookEndpoint)
    .mutation(async ({ ctx, input: { id, ...given } }) => {
      const [changes, read_only] = separateChangesFromReadOnlyFields(given, schemas.WEBHOOK_ENDPOINT_READ_ONLY_FIELDS);
      return serializeEndpoint(await service.updateEndpoint(ctx.scope, id, changes, ctx.if_match, read_only));
    }),

  delete: defineApiOperation({
    ...write,
    method: 'DELETE',
    path: '/webhook_endpoints/{id}',
    effect: 'irreversible',
    summary: 'Delete a webhook endpoint',
    errors: ['resource_missing', 'etag_mismatch'],
  })
    .input(schemas.WebhookEndpointId)
    .output(schemas.WebhookEndpointDeleted)
    .mutation(async ({ ctx, input }) => {
      await service.deleteEndpoint(ctx.scope, input.id, ctx.if_match);
      return { id: input.id, object: 'webhook_endpoint', deleted: true };
    }),

  rotate: defineApiOperation({
    ...write,
    method: 'POST',
    path: '/webhook_endpoints/{id}/rotate',
    effect: 'irreversible',
    summary: 'Rotate the signing secret',
    description:
      'The new secret is shown in this response only. For 24 hours deliveries are also signed with the previous secret. Earlier secrets stop signing immediately.',
    errors: ['resource_missing', 'concurrent_edit'],
    secret_response: true,
  })
    .input(schemas.WebhookEndpointId)
    .output(schemas.WebhookEndpointRotated)
    .mutation(async ({ ctx, input }) => {
      const { row, secret, grace_until } = await service.rotateSigningSecret(ctx.scope, input.id);
      return { ...serializeEndpoint(row), signing_secret: secret, rotation_grace_until: grace_until.toISOString() };
    }),

  list_deliveries: defineApiOperation({
    ...read,
    path: '/webhook_endpoints/{id}/deliveries',
    summary: 'List delivery attempts',
    description: 'One entry per attempt, newest first.',
  })
    .input(defineInputWithExtraFieldsForHosts(schemas.WebhookDeliveryListQuery, more.HostWebhookDeliveryListQuery))
    .output(defineOutputWithExtraFieldsForHosts(schemas.WebhookDeliveryList, more.DeliveryList))
    .query(async ({ ctx, input }) => {
      const page = await listDeliveryAttempts(ctx.scope, input);
      const show = ctx.by_host ? serializeDeliveryAttempt : serializeDelivery;
      const list = toListEnvelope(page, `/v1/webhook_endpoints/${input.id}/deliveries`, (row) =>
        show(row, page.endpoint),
      );
      return translateMessages(list, ctx);
    }),

  retrieve_delivery: defineApiOperation({
    ...read,
    path: '/webhook_endpoints/{id}/deliveries/{evt_id}',
    summary: 'Retrieve the latest attempt of an event',
    etag: true,
  })
    .input(schemas.WebhookDeliveryId)
    .output(schemas.WebhookDelivery)
    .query(async ({ ctx, input }) => {
      const { row, endpoint } = await service.retrieveLatestDelivery(ctx.scope, input.id, input.evt_id);
      return serializeDelivery(row, endpoint);
    }),

  redeliver: defineApiOperation({
    ...write,
    method: 'POST',
    path: '/webhook_endpoints/{id}/deliveries/{evt_id}/redeliver',
    effect: 'irreversible',
    success_status: 202,
    summary: 'Redeliver an event',
    description: 'Queues a new attempt.',
    errors: ['resource_missing'],
  })
    .input(schemas.WebhookDeliveryId)
    .output(schemas.WebhookDelivery)
    .mutation(async ({ ctx, input }) => {
      const { row, endpoint } = await service.redeliverEvent(ctx.scope, input.id, input.evt_id);
      return serializeDelivery(row, endpoint);
    }),
});
