import { NonRetriableError } from 'inngest';
import { detectDoubleBookings } from '@/modules/reservations/double-bookings/detect';
import { findDueScheduledActions, performDueScheduledActions } from '@/modules/reservations/timed/due-work';
import { type InngestClient, scheduledActionsDueEvent } from '../client';

/**
 * Compares the nights of new and changed bookings, and finds teams with due work: packets to send,
 * reminders, late alerts, expiry. Each team's work is done in a separate run.
 */
export const createReservationWorkDispatchFunction = (client: InngestClient) =>
  client.createFunction(
    { id: 'reservation-work', retries: 1, concurrency: 1, triggers: [{ cron: '*/5 * * * *' }] },
    async ({ step }) => {
      // Must run before packets are sent, because the packets of a double booking are held back and
      // the host is notified.
      const { told } = await step.run('compare nights', () => detectDoubleBookings());
      const due = await step.run('find due', () => findDueScheduledActions());
      if (due.length > 0)
        await step.sendEvent(
          'fan out',
          due.map((work) => scheduledActionsDueEvent.create(work)),
        );
      return {
        pairs_told: told,
        runs: due.length,
        reservations: due.reduce((sum, { reservation_ids }) => sum + reservation_ids.length, 0),
      };
    },
  );

/**
 * Does a team's due work one reservation at a time. Each reservation has its own retries. Work that
 * still fails is repeated in the next run.
 */
export const createTeamReservationWorkFunction = (client: InngestClient) =>
  client.createFunction(
    {
      id: 'team-reservation-work',
      retries: 2,
      concurrency: [{ limit: 16 }, { key: 'event.data.team_id', limit: 1 }],
      triggers: [scheduledActionsDueEvent],
    },
    async ({ event, step }) => {
      const { team_id, work, reservation_ids } = event.data;
      const total = { team_id, work, done: 0, skipped: 0 };
      const failed: string[] = [];
      for (const id of reservation_ids) {
        await step
          .run(`${work} ${id}`, () => performDueScheduledActions(work, id))
          .then((what) => {
            total[what] += 1;
          })
          .catch((error: Error) => failed.push(`${id}: ${error.message}`));
      }
      if (failed.length > 0)
        throw new NonRetriableError(`${failed.length} failed, ${total.done} done, of ${team_id}. ${failed[0]}`);
      return total;
    },
  );
