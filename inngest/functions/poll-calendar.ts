import { pollDueCalendar } from '@/modules/sync-sources/run/due';
import { calendarPollDueEvent, type InngestClient } from '../client';

/**
 * Maximum number of polls started per second for calendars on one host name, so that a channel with
 * thousands of calendars is not flooded.
 */
const PER_SECOND = 10;

/**
 * Fetches and applies a due calendar, with a limit per host name. A server that does not respond
 * occupies a slot until the timeout, so the total limit is higher than the work requires.
 */
export const createPollCalendarFunction = (client: InngestClient) =>
  client.createFunction(
    {
      id: 'poll-calendar',
      retries: 1,
      concurrency: [{ limit: 40 }, { key: 'event.data.host', limit: 4 }],
      throttle: { key: 'event.data.host', limit: PER_SECOND, period: '1s' },
      triggers: [calendarPollDueEvent],
    },
    async ({ event, step }) => {
      const { sync_source_id, host } = event.data;
      return { sync_source_id, host, ...(await step.run('poll', () => pollDueCalendar(sync_source_id))) };
    },
  );
