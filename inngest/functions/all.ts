/** Creates every durable function of the product for a client. */
import type { InngestFunction } from 'inngest';
import { config } from '@/config';
import type { InngestClient } from '../client';
import type { Waker } from '../wake';
import { advanceTestClock } from './advance-test-clock';
import { deliverToEndpoint } from './deliver-to-endpoint';
import { guestErasureFunction } from './guest-erasure';
import { pollCalendar } from './poll-calendar';
import { reservationWorkFunction, teamReservationWorkFunction } from './reservation-work';
import {
  customDomainCheckFunction,
  endpointDigestFunction,
  heartbeatFunction,
  moveFilesToStorage,
  recoveryFunction,
  retentionFunction,
  teamRemovalFunction,
} from './scheduled';
import { sealSignedCertificate } from './seal-certificate';
import { sendPushNotice, sendQueuedMail } from './send-messages';

export interface FunctionDeps {
  /** Requests the next run of an endpoint. */
  requestRun: Waker['requestRun'];
  /** Does the work of the function `recoveryFunction`, which runs each minute. */
  recoverAll(): Promise<object>;
  /**
   * Removes the embedded engine's runs that finished before a moment. Null when a real Inngest
   * server is used.
   */
  pruneEngine: ((older_than: Date) => Promise<{ runs: number; events: number }>) | null;
}

export function createFunctions(client: InngestClient, deps: FunctionDeps): InngestFunction.Any[] {
  return [
    recoveryFunction(client, deps.recoverAll),
    deliverToEndpoint(client, deps.requestRun),
    endpointDigestFunction(client),
    customDomainCheckFunction(client),
    sendQueuedMail(client),
    sendPushNotice(client),
    pollCalendar(client),
    reservationWorkFunction(client),
    teamReservationWorkFunction(client),
    advanceTestClock(client),
    sealSignedCertificate(client),
    retentionFunction(client, deps.pruneEngine),
    teamRemovalFunction(client),
    guestErasureFunction(client),
    ...(config().inngest ? [heartbeatFunction(client)] : []),
    ...(config().storage_url ? [moveFilesToStorage(client)] : []),
  ];
}
