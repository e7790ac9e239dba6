import { RetryAfterError } from 'inngest';
import { config } from '@/config';
import { loadCertificateAttachments } from '@/modules/certificates/seal/copy-mail';
import { sendPushNotification } from '@/modules/push/delivery';
import { sendMailAndRecordFailure } from '@/modules/reservations/mail-reports';
import { clock } from '@/shared/clock';
import { type InngestClient, mailSendingDueEvent, pushNotificationDueEvent } from '../client';

/** Maximum number of mails that are being sent at once, which matters when the provider is slow. */
const AT_ONCE = 4;

/**
 * Sends a mail through the provider within its rate limit, and sleeps until a retry is due. The
 * mail's row determines whether it is still sent.
 */
export const createSendMailFunction = (client: InngestClient) =>
  client.createFunction(
    {
      id: 'send-mail',
      retries: 8,
      concurrency: AT_ONCE,
      throttle: { limit: config().mails_per_second, period: '1s' },
      triggers: [mailSendingDueEvent],
    },
    async ({ event, step }) => {
      const { mail_id, template } = event.data;
      for (let turn = 1; ; turn++) {
        const { retry_at, ...made } = await step.run(`send ${turn}`, async () => {
          const result = await sendMailAndRecordFailure(mail_id, loadCertificateAttachments);
          return { ...result, retry_at: result.outcome === 'retry' ? result.retry_at.getTime() : null };
        });
        if (retry_at === null) return { mail_id, template, ...made };
        // Sleeps for a duration instead of until a moment, because the engine's clock may be wrong.
        await step.sleep(`wait ${turn}`, getMillisecondsUntil(new Date(retry_at)));
      }
    },
  );

/**
 * Notifies a team's browsers of a guest's message. Retries browsers whose push service failed. The
 * notice's row records which browsers are done.
 */
export const createSendPushNotificationFunction = (client: InngestClient) =>
  client.createFunction(
    {
      id: 'send-push-notice',
      retries: 8,
      concurrency: { key: 'event.data.notice_id', limit: 1 },
      triggers: [pushNotificationDueEvent],
    },
    async ({ event, step }) => {
      const { notice_id } = event.data;
      const made = await step.run('send', async () => {
        const result = await sendPushNotification(notice_id);
        if (result.outcome === 'retry') throw new RetryAfterError(result.reason, getMillisecondsUntil(result.retry_at));
        return result;
      });
      return { notice_id, ...made };
    },
  );

/**
 * Returns the milliseconds until a moment, rounded up to whole seconds like the SDK's durations. A
 * duration is correct even if the engine's clock differs.
 */
export const getMillisecondsUntil = (moment: Date): number =>
  Math.max(0, Math.ceil((moment.getTime() - clock().now().getTime()) / 1_000) * 1_000);
