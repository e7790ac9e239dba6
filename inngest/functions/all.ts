/** Creates every durable function of the product for a client. */
import type { InngestFunction } from 'inngest';
import { config } from '@/config';
import type { InngestClient } from '../client';
import type { DueWorkRunRequester } from '../run-requester';
import { createAdvanceClockFunction } from './advance-test-clock';
import { createDeliveryFunction } from './deliver-to-endpoint';
import { createGuestErasureFunction } from './guest-erasure';
import { createPollCalendarFunction } from './poll-calendar';
import { createReservationWorkFunction, createTeamReservationWorkFunction } from './reservation-work';
import {
  createCustomDomainCheckFunction,
  createEndpointDigestFunction,
  createHeartbeatFunction,
  createMissedWorkRecoveryFunction,
  createRetentionFunction,
  createSealedFileMoveFunction,
  createTeamRemovalFunction,
} from './scheduled';
import { createSealCertificateFunction } from './seal-certificate';
import { createSendMailFunction, createSendPushNotificationFunction } from './send-messages';

export interface InngestFunctionDependencies {
  /** Requests the next run of an endpoint. */
  requestRun: DueWorkRunRequester['requestRun'];
  /** Does the work of the function `createMissedWorkRecoveryFunction`, which runs each minute. */
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
    createDeliveryFunction(client, deps.requestRun),
    createEndpointDigestFunction(client),
    createCustomDomainCheckFunction(client),
    createSendMailFunction(client),
    createSendPushNotificationFunction(client),
    createPollCalendarFunction(client),
    createReservationWorkFunction(client),
    createTeamReservationWorkFunction(client),
    createAdvanceClockFunction(client),
    createSealCertificateFunction(client),
    createRetentionFunction(client, deps.pruneEngine),
    createTeamRemovalFunction(client),
    createGuestErasureFunction(client),
    ...(config().inngest ? [createHeartbeatFunction(client)] : []),
    ...(config().storage_url ? [createSealedFileMoveFunction(client)] : []),
  ];
}
