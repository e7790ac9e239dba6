/**
 * Wakes whoever has due work. What is due is in the database's queues; an event only says "look now", so one per look
 * is enough, and none while a session of this process is looking anyway. Future work gets an event with its time.
 */
import { logger } from '@/infra/logger';
import { mailState } from '@/modules/mail/delivery';
import { deliveryState, deliveryWorker } from '@/modules/webhooks/delivery/delivery';
import { clock } from '@/shared/clock';
import { deliveriesDue, mailDue } from './client';

export type WakeEvent = {
  name: string;
  id?: string;
  ts?: number;
  data: Record<string, unknown>;
};

/** Within this, times are rounded up to tenths of a second, beyond it to seconds: many retries, few wake-ups. */
const FINE_MS = 10_000;

/** The moment to wake for something due at `due_at`: never before it. Pure. */
export function wakeTime(due_at: Date, now: Date): number {
  const grain = due_at.getTime() - now.getTime() < FINE_MS ? 100 : 1_000;
  return Math.ceil(due_at.getTime() / grain) * grain;
}

/** A wake-up takes a moment to reach its worker; until then, commits that follow must not send one each. */
const GAP_MS = 250;

export interface Waker {
  /** Looks at the queues and sends what has to be woken. */
  wake(): Promise<void>;
  /**
   * Asks for the next wake-up, and for none at once. For a worker that found nothing: the wake-up that began it was the
   * earliest known, and those it stood for may still have to be asked for.
   */
  planNext(): Promise<void>;
  stop(): void;
}

/** Remembers what it asked for, so as to ask once. */
export function createWaker(send: (events: WakeEvent[]) => Promise<void>): Waker {
  const asked_for = new Map<string, number>();
  const asked_at = new Map<string, { at: number; sessions: number }>();
  let trailing: NodeJS.Timeout | undefined;

  const later = (name: string, next_at: Date | null, now: Date): WakeEvent[] => {
    if (!next_at) return [];
    const ts = wakeTime(next_at, now);
    const known = asked_for.get(name);
    if (known !== undefined && known > now.getTime() && known <= ts) return [];
    asked_for.set(name, ts);
    // The id keeps the wake-ups of several processes for the same moment down to one.
    return [{ name, id: `${name} at ${ts}`, ts, data: {} }];
  };

  /** Asks now, unless the last question is still on its way: then it looks again a little later. */
  const atOnce = (name: string, sessions: number): WakeEvent[] => {
    const last = asked_at.get(name);
    if (last && last.sessions === sessions && performance.now() - last.at < GAP_MS) {
      trailing ??= setTimeout(() => {
        trailing = undefined;
        wake().catch((error) => logger().error({ err: error }, 'the workers could not be woken'));
      }, GAP_MS).unref();
      return [];
    }
    asked_at.set(name, { at: performance.now(), sessions });
    return [{ name, data: {} }];
  };

  async function look() {
    const now = clock().now();
    const [deliveries, mail] = [await deliveryState(now), await mailState(now)];
    const events = [...later(deliveriesDue.name, deliveries.next_at, now), ...later(mailDue.name, mail.next_at, now)];
    return { deliveries, mail, events };
  }

  async function wake(): Promise<void> {
    const { deliveries, mail, events } = await look();
    const worker = deliveryWorker();
    if (deliveries.due && !worker.poke()) events.push(...atOnce(deliveriesDue.name, worker.sessions));
    if (mail.due) events.push(...atOnce(mailDue.name, 0));
    if (events.length > 0) await send(events);
  }

  async function planNext(): Promise<void> {
    const { events } = await look();
    if (events.length > 0) await send(events);
  }

  return { wake, planNext, stop: () => clearTimeout(trailing) };
}
