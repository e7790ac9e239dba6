import { deliveryWorker } from '@/modules/webhooks/delivery/delivery';
import { deliveriesDue, type InngestClient } from '../client';

/** Steps per run: a long backlog goes on in a run of its own, so that no run's history grows without end. */
const STEPS = 20;

/** Delivers what is due. A step is a session of the worker: one for thousands of attempts when there are that many. */
export const webhookDelivery = (client: InngestClient, planNext: () => Promise<void>) =>
  client.createFunction({ id: 'webhook-delivery', retries: 3, triggers: [deliveriesDue] }, async ({ step }) => {
    let attempts = 0;
    for (let session = 1; session <= STEPS; session++) {
      const report = await step.run(`session ${session}`, async () => {
        const made = await deliveryWorker().run();
        // A session that made attempts has the queue looked at anyway.
        if (made.attempts === 0 && !made.more && !made.joined) await planNext();
        return made;
      });
      attempts += report.attempts;
      if (!report.more) return { attempts };
    }
    await step.sendEvent('go on', deliveriesDue.create());
    return { attempts };
  });
