import { notifyEventRelay } from '@/events/process-listeners';
import { advanceTestClockInSteps } from '@/modules/reservations/timed/advance';
import { endTestClockAdvance } from '@/modules/test-clocks/service';
import { bringForwardTestClockRetries } from '@/modules/webhooks/delivery/request-runs';
import { type InngestClient, testClockAdvancingEvent } from '../client';

/**
 * Advances a test clock to its target in steps. Waiting webhook retries become due earlier by the
 * same amount.
 */
export const createAdvanceTestClockFunction = (client: InngestClient) =>
  client.createFunction(
    {
      id: 'advance-test-clock',
      retries: 2,
      concurrency: [{ limit: 8 }, { key: 'event.data.test_clock_id', limit: 1 }],
      triggers: [testClockAdvancingEvent],
    },
    async ({ event, step }) => {
      const { test_clock_id } = event.data;
      let done = 0;
      for (let part = 1; ; part += 1) {
        const went = await step.run(`part ${part}`, () => advanceTestClockInSteps(test_clock_id));
        done += went.done;
        if (went.arrived) break;
      }
      const retries = await step.run('retries', async () => {
        const brought = await bringForwardTestClockRetries(test_clock_id);
        notifyEventRelay();
        return brought;
      });
      await step.run('ready', () => endTestClockAdvance(test_clock_id));
      return { test_clock_id, done, retries };
    },
  );
