import { RetryAfterError } from 'inngest';
import { config } from '@/config';
import { openMailedCertificate } from '@/modules/certificates/seal/copy-mail';
import { sendMail } from '@/modules/reservations/mail-reports';
import { type InngestClient, mailDue } from '../client';
import { waitUntil } from '../wait-until';

/** A provider that is slow holds so many back. */
const AT_ONCE = 4;

/** Hands a mail to the provider, no faster than it takes them, and again when it says so; its row decides whether an attempt is made. */
export const sendQueuedMail = (client: InngestClient) =>
  client.createFunction(
    {
      id: 'send-mail',
      retries: 8,
      concurrency: AT_ONCE,
      throttle: { limit: config().mails_per_second, period: '1s' },
      triggers: [mailDue],
    },
    async ({ event, step }) => {
      const { mail_id, template } = event.data;
      const made = await step.run('send', async () => {
        const result = await sendMail(mail_id, openMailedCertificate);
        if (result.outcome === 'retry') throw new RetryAfterError(result.reason, waitUntil(result.retry_at));
        return result;
      });
      return { mail_id, template, ...made };
    },
  );
