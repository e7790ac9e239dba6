import type { InngestClient } from '../client';
import { sweep } from './sweep';

/** Reminds guests who have not signed, a day and two hours before check-in. */
export const reminders = (client: InngestClient) =>
  client.createFunction(
    { id: 'reminders', retries: 1, concurrency: 1, triggers: [{ cron: '1-59/5 * * * *' }] },
    async ({ step }) => ({
      reminder_24h: await step.run('24 hours before', () => sweep('reminder_24h')),
      reminder_2h: await step.run('2 hours before', () => sweep('reminder_2h')),
    }),
  );
