import { pruneRuns, runDueSources } from '@/modules/sync-sources/run/sweep';
import type { InngestClient } from '../client';

/**
 * Each minute: the calendars whose moment has come. One query finds them however many there are; what one sweep does not
 * get done is claimed by the next.
 */
export const calendarSync = (client: InngestClient) =>
  client.createFunction(
    { id: 'calendar-sync', retries: 1, concurrency: 1, triggers: [{ cron: '* * * * *' }] },
    async ({ step }) => {
      const report = await step.run('due calendars', () => runDueSources());
      await step.run('old records', () => pruneRuns());
      return report;
    },
  );
