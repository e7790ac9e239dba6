import { pullBackMail } from '@/modules/mail/delivery';
import { pullBackDeliveries } from '@/modules/webhooks/delivery/ask';
import type { InngestClient } from '../client';

/** Each minute: relays what a crash or a lost nudge left in the outbox, and wakes the workers that have due work. */
export const queueSweep = (client: InngestClient, relay: { run(): Promise<void> }, noteCron: () => Promise<void>) =>
  client.createFunction({ id: 'queue-sweep', retries: 1, triggers: [{ cron: '* * * * *' }] }, async () => {
    await noteCron();
    await pullBackDeliveries();
    await pullBackMail();
    await relay.run();
  });
