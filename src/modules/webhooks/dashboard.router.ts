/** Webhook procedures of the dashboard only. router.ts contains the API's operations. */
import { developerProcedure, externalDataSharingProcedure, router } from '@/api/trpc/procedures';
import { translateMessages } from '@/api/trpc/translate-messages';
import { listEventDeliveries, retrieveDeliveryAttempt } from './delivery-log';
import { getEndpointDeliveryHistory, retrieveEndpointHealth } from './health';
import * as schemas from './host.schemas';
import { createWebhookPortalLink, getWebhookPortalLinkStatus, withdrawWebhookPortalLink } from './portal/portal';
import { countEventsToRedeliver, redeliverFailedEvents } from './redeliver-failed';
import { enableEndpoint, setFailureDigestEnabled } from './service';
import { sendTestEvent } from './test-events';

export const webhookEndpointsDashboardRouter = router({
  history: developerProcedure
    .input(schemas.EndpointId)
    .output(schemas.EndpointDeliveryHistory)
    .query(({ ctx, input }) => getEndpointDeliveryHistory(ctx.scope, input.id)),

  /**
   * Enables an endpoint. No other operation enables an `auto_disabled` endpoint (specification,
   * "Webhook endpoint status").
   */
  enable: externalDataSharingProcedure
    .input(schemas.EndpointId)
    .output(schemas.EndpointHealth)
    .mutation(async ({ ctx, input }) => {
      await enableEndpoint(ctx.scope, input.id);
      return translateMessages(await retrieveEndpointHealth(ctx.scope, input.id), ctx);
    }),

  switch_digest: externalDataSharingProcedure
    .input(schemas.FailureDigestSettingInput)
    .output(schemas.EndpointHealth)
    .mutation(async ({ ctx, input }) => {
      await setFailureDigestEnabled(ctx.scope, input.id, input.digest);
      return translateMessages(await retrieveEndpointHealth(ctx.scope, input.id), ctx);
    }),

  portal: developerProcedure
    .input(schemas.EndpointId)
    .output(schemas.WebhookPortalLinkStatus)
    .query(({ ctx, input }) => getWebhookPortalLinkStatus(ctx.scope, input.id)),

  share_portal: externalDataSharingProcedure
    .input(schemas.WebhookPortalLinkInput)
    .output(schemas.WebhookPortalLink)
    .mutation(({ ctx, input }) => createWebhookPortalLink(ctx.scope, input.id, input.days)),

  withdraw_portal: externalDataSharingProcedure
    .input(schemas.EndpointId)
    .output(schemas.WebhookPortalLinkStatus)
    .mutation(async ({ ctx, input }) => {
      await withdrawWebhookPortalLink(ctx.scope, input.id);
      return getWebhookPortalLinkStatus(ctx.scope, input.id);
    }),

  send_test: developerProcedure
    .input(schemas.SendTestEventInput)
    .output(schemas.HostWebhookDeliveryId)
    .mutation(async ({ ctx, input }) => ({ id: (await sendTestEvent(ctx.scope, input.id, input.type)).id })),

  /**
   * Returns a single attempt with its request. The API's `retrieve_delivery` returns only an
   * event's latest attempt.
   */
  retrieve_attempt: developerProcedure
    .input(schemas.HostWebhookDeliveryId)
    .output(schemas.DeliveryDetail)
    .query(async ({ ctx, input }) => translateMessages(await retrieveDeliveryAttempt(ctx.scope, input.id), ctx)),

  /**
   * Lists events, each with all its attempts. The API's `list_deliveries` lists attempts
   * separately.
   */
  list_event_deliveries: developerProcedure
    .input(schemas.HostEventDeliveryListQuery)
    .output(schemas.EventDeliveryList)
    .query(async ({ ctx, input }) => translateMessages(await listEventDeliveries(ctx.scope, input), ctx)),

  count_failed: developerProcedure
    .input(schemas.RedeliverFailedEventsInput)
    .output(schemas.RedeliveredEventCount)
    .query(({ ctx, input }) => countEventsToRedeliver(ctx.scope, input.id, new Date(input.since))),

  redeliver_failed: developerProcedure
    .input(schemas.RedeliverFailedEventsInput)
    .output(schemas.RedeliveredEventCount)
    .mutation(({ ctx, input }) => redeliverFailedEvents(ctx.scope, input.id, new Date(input.since))),
});
