import { RetryAfterError } from 'inngest';
import { sendNotice } from '@/modules/push/delivery';
import { type InngestClient, noticeDue } from '../client';
import { waitUntil } from '../wait-until';

/** Tells a team's browsers of what a guest said, and those again whose push service could not take it; the row says which. */
export const sendPushNotice = (client: InngestClient) =>
  client.createFunction(
    {
      id: 'send-push-notice',
      retries: 8,
      concurrency: { key: 'event.data.notice_id', limit: 1 },
      triggers: [noticeDue],
    },
    async ({ event, step }) => {
      const { notice_id } = event.data;
      const made = await step.run('send', async () => {
        const result = await sendNotice(notice_id);
        if (result.outcome === 'retry') throw new RetryAfterError(result.reason, waitUntil(result.retry_at));
        return result;
      });
      return { notice_id, ...made };
    },
  );
