import { nudgeRelay } from '@/events/nudge';
import { advancePart } from '@/modules/reservations/timed/advance';
import { endClockAdvance } from '@/modules/test-clocks/advancing';
import { bringRetriesForward } from '@/modules/webhooks/delivery/clock-retries';
import { clockAdvancing, type InngestClient } from '../client';

/** Takes a test clock from stop to stop to where it is to be; the webhook retries that wait come as much nearer. */
export const advanceTestClock = (client: InngestClient) =>
  client.createFunction(
    {
      id: 'advance-test-clock',
      retries: 2,
      concurrency: [{ limit: 8 }, { key: 'event.data.test_clock_id', limit: 1 }],
      triggers: [clockAdvancing],
    },
    async ({ event, step }) => {
      const { test_clock_id } = event.data;
      let done = 0;
      for (let part = 1; ; part += 1) {
        const went = await step.run(`part ${part}`, () => advancePart(test_clock_id));
        done += went.done;
        if (went.arrived) break;
      }
      const retries = await step.run('retries', async () => {
        const brought = await bringRetriesForward(test_clock_id);
        nudgeRelay();
        return brought;
      });
      await step.run('ready', () => endClockAdvance(test_clock_id));
      return { test_clock_id, done, retries };
    },
  );
