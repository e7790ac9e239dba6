/** The dashboard's own procedures on webhook endpoints: history, attempts, test events, re-enabling; those that partners have too are in router.ts. */
import { memberProcedure, ownerProcedure, router } from '@/api/trpc/procedures';
import { listEventDeliveries, retrieveAttempt } from './delivery-log';
import { endpointHistory, retrieveHealth } from './health';
import * as schemas from './host.schemas';
import { portalState, sharePortal, withdrawPortal } from './portal/portal';
import * as portal from './portal/portal.schemas';
import { countFailed, redeliverFailed } from './redeliver-failed';
import { enableEndpoint, switchDigest } from './service';
import { sendTestEvent } from './test-events';

export const webhookEndpointsDashboardRouter = router({
  history: memberProcedure
    .input(schemas.EndpointId)
    .output(schemas.EndpointHistory)
    .query(({ ctx, input }) => endpointHistory(ctx.scope, input.id)),

  /** The only way back from `auto_disabled` (specification, "Webhook endpoint status"). */
  enable: ownerProcedure
    .input(schemas.EndpointId)
    .output(schemas.EndpointHealth)
    .mutation(async ({ ctx, input }) => {
      await enableEndpoint(ctx.scope, input.id);
      return retrieveHealth(ctx.scope, input.id);
    }),

  switch_digest: ownerProcedure
    .input(schemas.DigestSwitch)
    .output(schemas.EndpointHealth)
    .mutation(async ({ ctx, input }) => {
      await switchDigest(ctx.scope, input.id, input.digest);
      return retrieveHealth(ctx.scope, input.id);
    }),

  portal: memberProcedure
    .input(portal.PortalId)
    .output(portal.PortalState)
    .query(({ ctx, input }) => portalState(ctx.scope, input.id)),

  share_portal: ownerProcedure
    .input(portal.PortalShare)
    .output(portal.PortalLink)
    .mutation(({ ctx, input }) => sharePortal(ctx.scope, input.id, input.days)),

  withdraw_portal: ownerProcedure
    .input(portal.PortalId)
    .output(portal.PortalState)
    .mutation(async ({ ctx, input }) => {
      await withdrawPortal(ctx.scope, input.id);
      return portalState(ctx.scope, input.id);
    }),

  send_test: memberProcedure
    .input(schemas.TestEventSend)
    .output(schemas.DeliveryId)
    .mutation(async ({ ctx, input }) => ({ id: (await sendTestEvent(ctx.scope, input.id, input.type)).id })),

  /** One attempt by its own id, with its request; partners ask for an event's latest (`retrieve_delivery`). */
  retrieve_attempt: memberProcedure
    .input(schemas.DeliveryId)
    .output(schemas.DeliveryDetail)
    .query(({ ctx, input }) => retrieveAttempt(ctx.scope, input.id)),

  /** What became of each event; partners list attempt by attempt (`list_deliveries`). */
  list_event_deliveries: memberProcedure
    .input(schemas.EventDeliveryQuery)
    .output(schemas.EventDeliveries)
    .query(({ ctx, input }) => listEventDeliveries(ctx.scope, input)),

  count_failed: memberProcedure
    .input(schemas.RedeliverSince)
    .output(schemas.RedeliverCount)
    .query(({ ctx, input }) => countFailed(ctx.scope, input.id, new Date(input.since))),

  redeliver_failed: memberProcedure
    .input(schemas.RedeliverSince)
    .output(schemas.RedeliverCount)
    .mutation(({ ctx, input }) => redeliverFailed(ctx.scope, input.id, new Date(input.since))),
});
