/** Creates every durable function of the product for a client. */
import type { InngestFunction } from 'inngest';
import { config } from '@/config';
import type { InngestClient } from '../client';
import type { DurableRunRequester } from '../run-requester';
import { createAdvanceTestClockFunction } from './advance-test-clock';
import { createWebhookDeliveryFunction } from './deliver-to-endpoint';
import { createGuestErasureFunction } from './guest-erasure';
import { createPollCalendarFunction } from './poll-calendar';
import { createReservationWorkDispatchFunction, createTeamReservationWorkFunction } from './reservation-work';
import {
  createCustomDomainCheckFunction,
  createDeleteExpiredDataFunction,
  createHeartbeatFunction,
  createMissedWorkRecoveryFunction,
  createMoveSealedFilesFunction,
  createTeamRemovalFunction,
  createUndeliveredEventsDigestFunction,
} from './scheduled';
import { createSealCertificateFunction } from './seal-certificate';
import { createSendMailFunction, createSendPushNotificationFunction } from './send-messages';

export interface InngestFunctionDependencies {
  /** Requests the next run of an endpoint. */
  requestRun: DurableRunRequester['requestRun'];
  /**
   * Recovers missed work: relays events that were not relayed, and requests runs for due work.
   * `createMissedWorkRecoveryFunction` calls this each minute.
   */
  recoverAll(): Promise<object>;
  /**
   * Removes the embedded engine's runs that finished before a moment. Null when a real Inngest
   * server is used.
   */
  pruneEngine: ((older_than: Date) => Promise<{ runs: number; events: number }>) | null;
}

export function createInngestFunctions(
  client: InngestClient,
  deps: InngestFunctionDependencies,
): InngestFunction.Any[] {
  return [
    createMissedWorkRecoveryFunction(client, deps.recoverAll),
    createWebhookDeliveryFunction(client, deps.requestRun),
    createUndeliveredEventsDigestFunction(client),
    createCustomDomainCheckFunction(client),
    createSendMailFunction(client),
    createSendPushNotificationFunction(client),
    createPollCalendarFunction(client),
    createReservationWorkDispatchFunction(client),
    createTeamReservationWorkFunction(client),
    createAdvanceTestClockFunction(client),
    createSealCertificateFunction(client),
    createDeleteExpiredDataFunction(client, deps.pruneEngine),
    createTeamRemovalFunction(client),
    createGuestErasureFunction(client),
    ...(config().inngest ? [createHeartbeatFunction(client)] : []),
    ...(config().storage_url ? [createMoveSealedFilesFunction(client)] : []),
  ];
}
