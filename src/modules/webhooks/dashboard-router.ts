/** What the dashboard can do with webhooks beyond the public operations: health, the delivery log, test events, re-enabling. */
import { memberProcedure, ownerProcedure, router } from '@/api/trpc/procedures';
import * as schemas from './dashboard.schemas';
import { listAttempts, retrieveAttempt } from './delivery-log';
import { endpointHistory, listHealth, retrieveHealth } from './health';
import { countFailed, redeliverFailed } from './redeliver-failed';
import { enableEndpoint, MAX_ENDPOINTS } from './service';
import { sendTestEvent } from './test-events';

export const webhooksDashboardRouter = router({
  list: memberProcedure
    .output(schemas.EndpointHealthList)
    .query(async ({ ctx }) => ({ data: await listHealth(ctx.scope), limit: MAX_ENDPOINTS })),

  retrieve: memberProcedure
    .input(schemas.EndpointId)
    .output(schemas.EndpointHealth)
    .query(({ ctx, input }) => retrieveHealth(ctx.scope, input.id)),

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

  send_test: memberProcedure
    .input(schemas.TestEventSend)
    .output(schemas.DeliveryId)
    .mutation(async ({ ctx, input }) => ({ id: (await sendTestEvent(ctx.scope, input.id, input.type)).id })),

  list_deliveries: memberProcedure
    .input(schemas.DeliveryQuery)
    .output(schemas.DeliveryPage)
    .query(({ ctx, input }) => listAttempts(ctx.scope, input)),

  retrieve_delivery: memberProcedure
    .input(schemas.DeliveryId)
    .output(schemas.DeliveryDetail)
    .query(({ ctx, input }) => retrieveAttempt(ctx.scope, input.id)),

  count_failed: memberProcedure
    .input(schemas.RedeliverSince)
    .output(schemas.RedeliverCount)
    .query(({ ctx, input }) => countFailed(ctx.scope, input.id, new Date(input.since))),

  redeliver_failed: memberProcedure
    .input(schemas.RedeliverSince)
    .output(schemas.RedeliverCount)
    .mutation(({ ctx, input }) => redeliverFailed(ctx.scope, input.id, new Date(input.since))),
});
