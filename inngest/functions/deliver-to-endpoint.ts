import { setTimeout as sleep } from 'node:timers/promises';
import { RetryAfterError } from 'inngest';
import { deliverDueEventsToEndpoint } from '@/modules/webhooks/delivery/delivery';
import { clock } from '@/shared/clock';
import { endpointDeliveriesDueEvent, type InngestClient, webhookEndpointDeactivatedEvent } from '../client';

/**
 * Maximum number of batches per run. A long backlog continues in another run, because a run's
 * history must stay short.
 */
const BATCHES = 20;

/**
 * The longest wait within a run. For a longer wait, the run ends and the engine repeats it later.
 */
const SHORT_WAIT_MS = 2_000;

/**
 * Waits until the moment for which the run was requested. The engine may start a run early when its
 * clock is ahead of this machine's.
 */
async function untilDue(at: string | undefined): Promise<void> {
  const early_ms = at ? Date.parse(at) - clock().now().getTime() : 0;
  // Passes a duration, because by the engine's clock the moment itself has already passed.
  if (early_ms > SHORT_WAIT_MS) throw new RetryAfterError('It is due later.', early_ms);
  if (early_ms > 0) await sleep(early_ms);
}

/**
 * Delivers due events to an endpoint, in one run at a time. Requests another run when more events
 * become due later.
 */
export const createWebhookDeliveryFunction = (
  client: InngestClient,
  requestRun: (endpoint_id: string) => Promise<unknown>,
) =>
  client.createFunction(
    {
      id: 'deliver-to-endpoint',
      retries: 3,
      concurrency: { key: 'event.data.endpoint_id', limit: 1 },
      cancelOn: [{ event: webhookEndpointDeactivatedEvent, match: 'data.endpoint_id' }],
      triggers: [endpointDeliveriesDueEvent],
    },
    async ({ event, step }) => {
      const { endpoint_id, url, at } = event.data;
      await untilDue(at);
      const total = { endpoint_id, url, succeeded: 0, failed: 0 };
      for (let batch = 1; batch <= BATCHES; batch++) {
        const made = await step.run(`batch ${batch}`, async () => {
          const report = await deliverDueEventsToEndpoint(endpoint_id);
          if (!report.more) await requestRun(endpoint_id);
          return report;
        });
        total.succeeded += made.succeeded;
        total.failed += made.failed;
        if (!made.more) return total;
      }
      await step.sendEvent('go on', endpointDeliveriesDueEvent.create(event.data));
      return total;
    },
  );
