/** Every durable function of the product, made for a client. */
import type { InngestFunction } from 'inngest';
import type { Relay } from '@/events/relay';
import type { InngestClient } from '../client';
import type { Waker } from '../wake';
import { autoSend } from './auto-send';
import { calendarSync } from './calendar-sync';
import { deliverToEndpoint } from './deliver-to-endpoint';
import { expiry } from './expiry';
import { lateAlerts } from './late-alerts';
import { queueSweep } from './queue-sweep';
import { reminders } from './reminders';
import { retention } from './retention';
import { sealCertificateOnSigned, sealUnsealed } from './seal-certificate';
import { sendQueuedMail } from './send-mail';
import { teamRemoval } from './team-removal';

export interface FunctionDeps {
  relay: Pick<Relay, 'run'>;
  /** Ask for the next run (wake.ts). */
  waker: Pick<Waker, 'askFor'>;
  /** Called by the cron of each minute. */
  noteCron(): Promise<void>;
  /** Removes the embedded engine's finished runs from before a moment; null with a real Inngest server. */
  pruneEngine: ((older_than: Date) => Promise<{ runs: number; events: number }>) | null;
}

export function createFunctions(
  client: InngestClient,
  { relay, waker, noteCron, pruneEngine }: FunctionDeps,
): InngestFunction.Any[] {
  return [
    queueSweep(client, relay, noteCron),
    deliverToEndpoint(client, waker.askFor),
    sendQueuedMail(client),
    sealCertificateOnSigned(client),
    sealUnsealed(client),
    autoSend(client),
    reminders(client),
    lateAlerts(client),
    expiry(client),
    calendarSync(client),
    retention(client, pruneEngine),
    teamRemoval(client),
  ];
}
