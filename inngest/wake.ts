/**
 * Asks for the runs that work needs. What is due is in the database; an event only says "look now", or "look then", at an
 * endpoint or a mail. That it has been asked is noted on the rows.
 */
import { askForMail } from '@/modules/mail/delivery';
import { runsToAsk } from '@/modules/webhooks/delivery/ask';
import { endpointDue, mailDue } from './client';

export type WakeEvent = {
  name: string;
  id?: string;
  ts?: number;
  data: Record<string, unknown>;
};

export interface Waker {
  /** Asks for the runs of everything that has work and none. */
  wake(): Promise<void>;
  /** Asks for the next run of an endpoint. */
  askFor(endpoint_id: string): Promise<void>;
}

export function createWaker(send: (events: WakeEvent[]) => Promise<void>): Waker {
  async function askForEndpoints(endpoint_id: string | null): Promise<void> {
    const events = (await runsToAsk(endpoint_id)).map(({ at, ...data }) => ({
      name: endpointDue.name,
      data,
      // The id keeps the runs of one endpoint for the same moment down to one, whoever asks, and how often.
      ...(at && { id: `${data.endpoint_id} at ${at.toISOString()}`, ts: at.getTime() }),
    }));
    if (events.length > 0) await send(events);
  }

  return {
    async wake() {
      await askForEndpoints(null);
      await askForMail((mails) =>
        send(
          mails.map(({ attempts, wake_at, ...data }) => ({
            name: mailDue.name,
            data,
            // One that was asked for in vain is asked for again by an event that nobody remembers.
            ...(wake_at === null && { id: `${data.mail_id} attempt ${attempts + 1}` }),
          })),
        ),
      );
    },
    askFor: askForEndpoints,
  };
}
