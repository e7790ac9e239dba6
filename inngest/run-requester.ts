/**
 * Requests runs for pending work. The database determines what is due. An event only requests a
 * check of an endpoint, mail, calendar or certificate. The run then reads the current state from
 * the database. The database row or the event's id records that a run was requested.
 */

import { randomUUID } from 'node:crypto';
import type { RelayTriggeredWorker } from '@/events/relay';
import { settleAllOrThrowFirstError } from '@/events/retried-task';
import { batchCalls } from '@/infra/db/batch-calls';
import { findUnsealedCertificates } from '@/modules/certificates/seal/sealing';
import { findDueMails, findUnattemptedMailsDueSince } from '@/modules/mail/delivery';
import { findDuePushNotifications, findPushNotificationsDueSince } from '@/modules/push/delivery';
import { findDueCalendars } from '@/modules/sync-sources/run/due';
import { listAdvancingTestClocks } from '@/modules/test-clocks/service';
import {
  clearStartTimesOfAllRequestedDeliveryRuns,
  requestDeliveryRuns,
} from '@/modules/webhooks/delivery/request-runs';
import { clock } from '@/shared/clock';
import {
  calendarPollDueEvent,
  certificateSealingDueEvent,
  endpointDeliveriesDueEvent,
  mailSendingDueEvent,
  pushNotificationDueEvent,
  testClockAdvancingEvent,
  webhookEndpointDeactivatedEvent,
} from './client';

export type DurableRunRequestEvent = {
  name: string;
  id?: string;
  ts?: number;
  data: Record<string, unknown>;
};

/** Maximum number of events per request. */
const BATCH = 200;
/**
 * Maximum number of certificates per check. It keeps a check short even if the sealing of many
 * certificates always fails.
 */
const UNSEALED_AT_ONCE = 200;
/**
 * Time after which unfinished work is requested again with a new event id. A server ignores an id
 * that it remembers.
 */
const AGAIN_MS = 10 * 60_000;
const again = (ms: number, every_ms = AGAIN_MS) => Math.floor(ms / every_ms);
/**
 * The time after which a run for an unfinished mail or notice is requested again. It is shorter
 * than AGAIN_MS, because a person may wait for the message.
 */
const MESSAGE_AGAIN_MS = 5 * 60_000;

export interface DurableRunRequester {
  /**
   * Functions that request runs for endpoints, mails and notices which have due work and no run.
   * Called after each commit.
   */
  readonly wakes: readonly RelayTriggeredWorker[];
  /**
   * Requests runs for calendars, unsealed certificates and test clocks, and for due mails and
   * notices that `wakes` missed. Returns the number of requested runs for calendars, certificates
   * and test clocks. If one kind fails, the others are still requested, and the first error is
   * thrown.
   */
  requestOtherRuns(): Promise<{ calendars: number; certificates: number; test_clocks: number }>;
  /**
   * Requests all pending work again, with new ids, from a server that has lost its state. If a run
   * is requested twice, the second run finds no work.
   */
  requestAllAgain(): Promise<void>;
  /** Requests runs for test clocks that are being advanced. */
  requestClockRuns(): Promise<number>;
  /** Requests the next run of an endpoint. */
  requestRun(endpoint_id: string): Promise<unknown>;
  /** Cancels the runs of an endpoint that was disabled or deleted. */
  stop(endpoint_id: string): Promise<void>;
}

/**
 * Each search for newly due mails and notices goes back this long before the previous search.
 * `createMissedWorkRecoveryFunction` finds the rows that are committed even later after their own
 * date.
 */
const OVERLAP_MS = 10_000;

/**
 * Requests a run for each row that this process has not requested before. If `ask` fails, the next
 * call requests the same rows again.
 */
function onlyNew<Work extends { id: string }>(
  find: (since: Date) => Promise<Work[]>,
  ask: (work: Work[]) => Promise<void>,
): () => Promise<void> {
  let since = new Date(0);
  let asked = new Set<string>();
  return async () => {
    const began_at = clock().now().getTime();
    const found = await find(since);
    await ask(found.filter(({ id }) => !asked.has(id)));
    asked = new Set(found.map(({ id }) => id));
    since = new Date(began_at - OVERLAP_MS);
  };
}

export function createDurableRunRequester(
  send: (events: DurableRunRequestEvent[]) => Promise<void>,
): DurableRunRequester {
  let generation = '';
  /**
   * Adds the prefix of the current generation to an event id. `requestAllAgain` changes the prefix,
   * so that its requests are not ignored as duplicates.
   */
  const named = (id: string) => `${generation}${id}`;

  async function requestEndpointRuns(endpoint_ids: readonly string[] | null): Promise<void> {
    await requestDeliveryRuns(
      (work) =>
        sendInBatches(
          work.map(({ at, version, ...data }) => ({
            name: endpointDeliveriesDueEvent.name,
            data: { ...data, ...(at && { at: at.toISOString() }) },
            // The id allows one run per endpoint and due time, even if the run is requested
            // repeatedly.
            ...(at && { id: named(`${data.endpoint_id} ${version} at ${at.toISOString()}`), ts: at.getTime() }),
          })),
        ),
      endpoint_ids,
    );
  }

  async function sendInBatches(events: DurableRunRequestEvent[]): Promise<void> {
    for (let from = 0; from < events.length; from += BATCH) await send(events.slice(from, from + BATCH));
  }

  async function requestClockRuns(): Promise<number> {
    const now = clock().now().getTime();
    const clocks = await listAdvancingTestClocks();
    await sendInBatches(
      clocks.map(({ id, team_id, target_time }) => ({
        name: testClockAdvancingEvent.name,
        data: { test_clock_id: id, team_id },
        id: named(`${id} to ${target_time.toISOString()} ${again(now)}`),
      })),
    );
    return clocks.length;
  }

  /**
   * Returns an id that allows one run per due time in each period of `MESSAGE_AGAIN_MS`, even if
   * the run is requested repeatedly.
   */
  const messageId = (id: string, due_at: Date) =>
    named(`${id} at ${due_at.toISOString()} ${again(clock().now().getTime() - due_at.getTime(), MESSAGE_AGAIN_MS)}`);

  const requestMailRuns = (mails: Awaited<ReturnType<typeof findDueMails>>) =>
    sendInBatches(
      mails.map(({ id, team_id, template, due_at }) => ({
        name: mailSendingDueEvent.name,
        data: { mail_id: id, team_id, template },
        id: messageId(id, due_at),
      })),
    );

  const requestNoticeRuns = (notices: Awaited<ReturnType<typeof findDuePushNotifications>>) =>
    sendInBatches(
      notices.map(({ id, team_id, due_at }) => ({
        name: pushNotificationDueEvent.name,
        data: { notice_id: id, team_id },
        id: messageId(id, due_at),
      })),
    );

  async function requestCalendarRuns(now: number): Promise<number> {
    const calendars = await findDueCalendars();
    await sendInBatches(
      calendars.map(({ due_at, ...data }) => ({
        name: calendarPollDueEvent.name,
        data,
        id: named(`${data.sync_source_id} at ${due_at.toISOString()} ${again(now - due_at.getTime())}`),
      })),
    );
    return calendars.length;
  }

  async function requestSealingRuns(now: number, grace_ms?: number): Promise<number> {
    const certificates = await findUnsealedCertificates(UNSEALED_AT_ONCE, grace_ms);
    await sendInBatches(
      certificates.map(({ signature_id, scope: { team_id, mode } }) => ({
        name: certificateSealingDueEvent.name,
        data: { team_id, mode, data: { certificate_id: signature_id } },
        id: named(`${signature_id} unsealed ${again(now)}`),
      })),
    );
    return certificates.length;
  }

  return {
    requestClockRuns,
    async requestAllAgain() {
      generation = `${randomUUID()} `;
      await clearStartTimesOfAllRequestedDeliveryRuns();
      const now = clock().now().getTime();
      await settleAllOrThrowFirstError([
        requestEndpointRuns(null),
        findDueMails().then(requestMailRuns),
        findDuePushNotifications().then(requestNoticeRuns),
        requestCalendarRuns(now),
        // Includes certificates that are being sealed, because the server has lost their events
        // too.
        requestSealingRuns(now, 0),
        requestClockRuns(),
      ]);
    },
    wakes: [
      { name: 'asking for deliveries', run: () => requestEndpointRuns(null) },
      { name: 'asking for mails', run: onlyNew(findUnattemptedMailsDueSince, requestMailRuns) },
      { name: 'asking for notices', run: onlyNew(findPushNotificationsDueSince, requestNoticeRuns) },
    ],
    async requestOtherRuns() {
      const now = clock().now().getTime();
      const [calendars, certificates, test_clocks] = await settleAllOrThrowFirstError([
        requestCalendarRuns(now),
        requestSealingRuns(now),
        requestClockRuns(),
        findDueMails().then(requestMailRuns),
        findDuePushNotifications().then(requestNoticeRuns),
      ]);
      return { calendars, certificates, test_clocks };
    },
    requestRun: batchCalls(async (endpoint_ids: string[]) => {
      await requestEndpointRuns(endpoint_ids);
      return endpoint_ids;
    }),
    stop: (endpoint_id) => send([{ name: webhookEndpointDeactivatedEvent.name, data: { endpoint_id } }]),
  };
}
