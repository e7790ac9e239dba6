/** Every durable function of the product, made for a client. */
import type { InngestFunction } from 'inngest';
import { config } from '@/config';
import type { InngestClient } from '../client';
import type { Waker } from '../wake';
import { advanceTestClock } from './advance-test-clock';
import { customDomains } from './custom-domains';
import { deliverToEndpoint } from './deliver-to-endpoint';
import { endpointDigest } from './endpoint-digest';
import { answerHeartbeat } from './heartbeat';
import { pollCalendar } from './poll-calendar';
import { recover } from './recover';
import { reservationWork, teamReservationWork } from './reservation-work';
import { retention } from './retention';
import { sealSignedCertificate } from './seal-certificate';
import { sendQueuedMail } from './send-mail';
import { sendPushNotice } from './send-push-notice';
import { storeFilesElsewhere } from './store-files';
import { teamRemoval } from './team-removal';

export interface FunctionDeps {
  /** Asks for the next run of an endpoint. */
  askFor: Waker['askFor'];
  /** What `recover` does each minute. */
  everything(): Promise<object>;
  /** Removes the embedded engine's finished runs from before a moment; null with a real Inngest server. */
  pruneEngine: ((older_than: Date) => Promise<{ runs: number; events: number }>) | null;
}

export function createFunctions(client: InngestClient, deps: FunctionDeps): InngestFunction.Any[] {
  return [
    recover(client, deps.everything),
    deliverToEndpoint(client, deps.askFor),
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
    ...(config().inngest ? [answerHeartbeat(client)] : []),
    ...(config().storage_url ? [storeFilesElsewhere(client)] : []),
  ];
}
