import { RetryAfterError } from 'inngest';
import { sendMail } from '@/modules/reservations/mail-reports';
import { type InngestClient, mailDue } from '../client';

/** At once: the provider's own limit is a few requests a second, and it says when to come again. */
const AT_ONCE = 4;

/** Hands a mail to the provider, and again when it says so; its row decides whether an attempt is made. */
export const sendQueuedMail = (client: InngestClient) =>
  client.createFunction(
    { id: 'send-mail', retries: 8, concurrency: AT_ONCE, triggers: [mailDue] },
    async ({ event, step }) => {
      const { mail_id, template } = event.data;
      const made = await step.run('send', async () => {
        const result = await sendMail(mail_id);
        if (result.outcome === 'retry') throw new RetryAfterError(result.reason, result.retry_at);
        return result;
      });
      return { mail_id, template, ...made };
    },
  );
