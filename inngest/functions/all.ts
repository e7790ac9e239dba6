/** Creates every durable function of the product for a client. */
import type { InngestFunction } from 'inngest';
import { config } from '@/config';
import type { InngestClient } from '../client';
import type { Waker } from '../wake';
import { advanceTestClock } from './advance-test-clock';
import { deliverToEndpoint } from './deliver-to-endpoint';
import { guestErasure } from './guest-erasure';
import { pollCalendar } from './poll-calendar';
import { reservationWork, teamReservationWork } from './reservation-work';
import {
  answerHeartbeat,
  customDomains,
  endpointDigest,
  moveFilesToStorage,
  recover,
  retention,
  teamRemoval,
} from './scheduled';
import { sealSignedCertificate } from './seal-certificate';
import { sendPushNotice, sendQueuedMail } from './send-messages';

export interface FunctionDeps {
  /** Requests the next run of an endpoint. */
  requestRun: Waker['requestRun'];
  /** Does the work of the function `recover`, which runs each minute. */
  recoverAll(): Promise<object>;
  /**
   * Removes the embedded engine's runs that finished before a moment. Null when a real Inngest
   * server is used.
   */
  pruneEngine: ((older_than: Date) => Promise<{ runs: number; events: number }>) | null;
}

export function createFunctions(client: InngestClient, deps: FunctionDeps): InngestFunction.Any[] {
  return [
    recover(client, deps.recoverAll),
    deliverToEndpoint(client, deps.requestRun),
    endpointDigest(client),
    customDomains(client),
    sendQueuedMail(client),
    sendPushNotice(client),
    pollCalendar(client),
    reservationWork(client),
    teamReservationWork(client),
    advanceTestClock(client),
    sealSignedCertificate(client),
    retention(client, deps.pruneEngine),
    teamRemoval(client),
    guestErasure(client),
    ...(config().inngest ? [answerHeartbeat(client)] : []),
    ...(config().storage_url ? [moveFilesToStorage(client)] : []),
  ];
}
