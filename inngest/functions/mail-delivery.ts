import { sendDueMail } from '@/modules/mail/delivery';
import { type InngestClient, mailDue } from '../client';

const STEPS = 20;

/** Hands queued mail to the provider, one run at a time: the provider limits the rate, and rows are leased anyway. */
export const mailDelivery = (client: InngestClient, planNext: () => Promise<void>) =>
  client.createFunction({ id: 'mail-delivery', retries: 3, concurrency: 1, triggers: [mailDue] }, async ({ step }) => {
    let sent = 0;
    for (let batch = 1; batch <= STEPS; batch++) {
      const report = await step.run(`batch ${batch}`, async () => {
        const handed = await sendDueMail();
        if (!handed.more) await planNext();
        return handed;
      });
      sent += report.sent;
      if (!report.more) return { sent };
    }
    await step.sendEvent('go on', mailDue.create());
    return { sent };
  });
