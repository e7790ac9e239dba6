/**
 * Asks for the runs that work needs. What is due is in the database; an event only says "look now", or "look then". That
 * one is enough is noted on the rows (webhooks/delivery/ask.ts), or remembered here for mail.
 */
import { logger } from '@/infra/logger';
import { mailState } from '@/modules/mail/delivery';
import { runsToAsk, wakeTime } from '@/modules/webhooks/delivery/ask';
import { clock } from '@/shared/clock';
import { endpointDue, mailDue } from './client';

export type WakeEvent = {
  name: string;
  id?: string;
  ts?: number;
  data: Record<string, unknown>;
};

/** A wake-up takes a moment to reach its worker; until then, commits that follow must not send one each. */
const GAP_MS = 250;

export interface Waker {
  /** Looks at what waits and asks for the runs it needs. */
  wake(): Promise<void>;
  /** Asks for the next run of an endpoint. */
  askFor(endpoint_id: string): Promise<void>;
  /** Asks for the next run of mail, and for none at once: for one that has looked. */
  planMail(): Promise<void>;
  stop(): void;
}

export function createWaker(send: (events: WakeEvent[]) => Promise<void>): Waker {
  let mail_asked_for = 0;
  let mail_asked_at = Number.NEGATIVE_INFINITY;
  let trailing: NodeJS.Timeout | undefined;

  async function endpointEvents(endpoint_id: string | null): Promise<WakeEvent[]> {
    return (await runsToAsk(endpoint_id)).map(({ at, ...data }) => ({
      name: endpointDue.name,
      data,
      // The id keeps the runs of one endpoint for the same moment down to one, whoever asks, and how often.
      ...(at && { id: `${data.endpoint_id} at ${at.toISOString()}`, ts: at.getTime() }),
    }));
  }

  async function mailEvents(at_once: boolean): Promise<WakeEvent[]> {
    const now = clock().now();
    const { due, next_at } = await mailState(now);
    const events: WakeEvent[] = [];
    const ts = next_at ? wakeTime(next_at, now).getTime() : 0;
    if (next_at && !(mail_asked_for > now.getTime() && mail_asked_for <= ts)) {
      mail_asked_for = ts;
      events.push({ name: mailDue.name, id: `${mailDue.name} at ${ts}`, ts, data: {} });
    }
    if (due && at_once) {
      if (performance.now() - mail_asked_at >= GAP_MS) {
        mail_asked_at = performance.now();
        events.push({ name: mailDue.name, data: {} });
      } else {
        trailing ??= setTimeout(() => {
          trailing = undefined;
          wake().catch((error) => logger().error({ err: error }, 'the workers could not be woken'));
        }, GAP_MS).unref();
      }
    }
    return events;
  }

  const sendAny = async (events: WakeEvent[]) => void (events.length > 0 && (await send(events)));
  const wake = async () => sendAny([...(await endpointEvents(null)), ...(await mailEvents(true))]);

  return {
    wake,
    askFor: async (endpoint_id) => sendAny(await endpointEvents(endpoint_id)),
    planMail: async () => sendAny(await mailEvents(false)),
    stop: () => clearTimeout(trailing),
  };
}
