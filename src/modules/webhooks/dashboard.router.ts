/** Webhook procedures of the dashboard only. router.ts contains the API's operations. */
import { developerProcedure, manageIntegrationsProcedure, router } from '@/api/trpc/procedures';
import { translateMessages } from '@/api/trpc/translate-messages';
import { listEventDeliveries, retrieveDeliveryAttempt } from './delivery-log';
import { getEndpointDeliveryHistory, retrieveEndpointHealth } from './health';
import * as schemas from './host.schemas';
import {
  createSharedDeliveriesLink,
  getSharedDeliveriesLinkStatus,
  withdrawSharedDeliveriesLink,
} from './portal/portal';
import { countEventsToRedeliver, redeliverFailedEvents } from './redeliver-failed';
import { enableEndpoint, setFailureDigestEnabled } from './service';
import { sendTestEvent } from './test-events';

export const webhookEndpointsDashboardRouter = router({
  history: developerProcedure
    .input(schemas.HostWebhookEndpointIdInput)
    .output(schemas.EndpointDeliveryHistory)
    .query(({ ctx, input }) => getEndpointDeliveryHistory(ctx.scope, input.id)),

  /**
   * Enables an endpoint. No other operation enables an `auto_disabled` endpoint (specification,
   * "Webhook endpoint status").
   */
  enable: manageIntegrationsProcedure
    .input(schemas.HostWebhookEndpointIdInput)
    .output(schemas.EndpointHealth)
    .mutation(async ({ ctx, input }) => {
      await enableEndpoint(ctx.scope, input.id);
      return translateMessages(await retrieveEndpointHealth(ctx.scope, input.id), ctx);
    }),

  switch_digest: manageIntegrationsProcedure
    .input(schemas.FailureDigestSettingInput)
    .output(schemas.EndpointHealth)
    .mutation(async ({ ctx, input }) => {
      await setFailureDigestEnabled(ctx.scope, input.id, input.digest);
      return translateMessages(await retrieveEndpointHealth(ctx.scope, input.id), ctx);
    }),

  portal: developerProcedure
    .input(schemas.HostWebhookEndpointIdInput)
    .output(schemas.SharedDeliveriesLinkStatus)
    .query(({ ctx, input }) => getSharedDeliveriesLinkStatus(ctx.scope, input.id)),

  share_portal: manageIntegrationsProcedure
    .input(schemas.CreateSharedDeliveriesLinkInput)
    .output(schemas.SharedDeliveriesLink)
    .mutation(({ ctx, input }) => createSharedDeliveriesLink(ctx.scope, input.id, input.days)),

  withdraw_portal: manageIntegrationsProcedure
    .input(schemas.HostWebhookEndpointIdInput)
    .output(schemas.SharedDeliveriesLinkStatus)
    .mutation(async ({ ctx, input }) => {
      await withdrawSharedDeliveriesLink(ctx.scope, input.id);
      return getSharedDeliveriesLinkStatus(ctx.scope, input.id);
    }),

  send_test: developerProcedure
    .input(schemas.SendTestEventInput)
    .output(schemas.PastedWebhookDeliveryId)
    .mutation(async ({ ctx, input }) => ({ id: (await sendTestEvent(ctx.scope, input.id, input.type)).id })),

  /**
   * Returns a single attempt with its request. The API's `retrieve_delivery` returns only an
   * event's latest attempt.
   */
  retrieve_attempt: developerProcedure
    .input(schemas.PastedWebhookDeliveryId)
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
