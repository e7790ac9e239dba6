import { runDue } from '@/modules/sync-sources/run/due';
import { calendarDue, type InngestClient } from '../client';

/** Calendars of one host that are begun within a second: a channel with thousands of them is no crowd. */
const PER_SECOND = 10;

/**
 * Fetches a calendar whose moment has come and applies it; calendars of one host a few at a time. A server that is silent
 * holds its place for as long as it is waited for, so there are more places than work is done at once.
 */
export const pollCalendar = (client: InngestClient) =>
  client.createFunction(
    {
      id: 'poll-calendar',
      retries: 1,
      concurrency: [{ limit: 40 }, { key: 'event.data.host', limit: 4 }],
      throttle: { key: 'event.data.host', limit: PER_SECOND, period: '1s' },
      triggers: [calendarDue],
    },
    async ({ event, step }) => {
      const { sync_source_id, host } = event.data;
      return { sync_source_id, host, ...(await step.run('poll', () => runDue(sync_source_id))) };
    },
  );
