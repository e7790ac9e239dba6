/**
 * Wakes whoever has due work. What is due is in the database's queues; an event only says "look now", so one per look
 * is enough, and none while a session of this process is looking anyway. Future work gets an event with its time.
 */
import { mailState } from '@/modules/mail/delivery';
import { deliveryState, deliveryWorker } from '@/modules/webhooks/delivery';
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

/** Looks at the queues and sends what has to be woken. Remembers the next wake-up it asked for, so as to ask once. */
export function createWaker(send: (events: WakeEvent[]) => Promise<void>): () => Promise<void> {
  const asked = new Map<string, number>();

  const later = (name: string, next_at: Date | null, now: Date): WakeEvent[] => {
    if (!next_at) return [];
    const ts = wakeTime(next_at, now);
    const known = asked.get(name);
    if (known !== undefined && known > now.getTime() && known <= ts) return [];
    asked.set(name, ts);
    // The id keeps the wake-ups of several processes for the same moment down to one.
    return [{ name, id: `${name} at ${ts}`, ts, data: {} }];
  };

  return async () => {
    const now = clock().now();
    const [deliveries, mail] = [await deliveryState(now), await mailState(now)];
    const events = [...later(deliveriesDue.name, deliveries.next_at, now), ...later(mailDue.name, mail.next_at, now)];
    if (deliveries.due && !deliveryWorker().poke()) events.push({ name: deliveriesDue.name, data: {} });
    if (mail.due) events.push({ name: mailDue.name, data: {} });
    if (events.length > 0) await send(events);
  };
}
