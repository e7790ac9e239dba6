/**
 * Requests the runs that pending work needs. The database contains the due work. An event only
 * requests a check, now or later, of an endpoint, mail, calendar or certificate, and the row
 * determines what the run does. The row or the event's id records that a run was requested.
 */

import { randomUUID } from 'node:crypto';
import type { RunRequester } from '@/events/relay';
import { allSettledOrThrow } from '@/events/retried-task';
import { batchCalls } from '@/infra/db/batch-calls';
import { findUnsealedCertificates } from '@/modules/certificates/seal/sealing';
import { findDueMails, findNewMails } from '@/modules/mail/delivery';
import { findDueNotices, findNewNotices } from '@/modules/push/delivery';
import { findDueCalendars } from '@/modules/sync-sources/run/due';
import { listAdvancingClocks } from '@/modules/test-clocks/service';
import { clearAllRequests, requestRunsForEndpoints } from '@/modules/webhooks/delivery/request-runs';
import { clock } from '@/shared/clock';
import {
  calendarDueEvent,
  certificateUnsealedEvent,
  clockAdvancingEvent,
  endpointDueEvent,
  endpointStoppedEvent,
  mailDueEvent,
  noticeDueEvent,
} from './client';

export type WakeEvent = {
  name: string;
  id?: string;
  ts?: number;
  data: Record<string, unknown>;
};

/** Maximum number of events per request. */
const BATCH = 200;
/** Maximum number of certificates per check, so that permanent failures do not fill it for long. */
const UNSEALED_AT_ONCE = 200;
/**
 * Time after which unfinished work gets a new event id, because a server that remembers ids drops
 * repeated ones.
 */
const AGAIN_MS = 10 * 60_000;
const again = (ms: number, every_ms = AGAIN_MS) => Math.floor(ms / every_ms);
/** The same for mails and notices. It is shorter, because a person may wait for one. */
const MESSAGE_AGAIN_MS = 5 * 60_000;

export interface Waker {
  /**
   * Functions that request runs for endpoints, mails and notices with work and without a run.
   * Called after each commit.
   */
  readonly wakes: readonly RunRequester[];
  /**
   * Requests runs for less urgent work: calendars, unsealed certificates, test clocks. Returns the
   * number of each. Tries all kinds, and then throws the first error.
   */
  requestOtherRuns(): Promise<{ calendars: number; certificates: number; test_clocks: number }>;
  /**
   * Requests all pending work again, with new ids, for a server that has lost its state. If a run
   * is requested twice, the second one finds no work.
   */
  requestAllAgain(): Promise<void>;
  /** Requests the runs of advancing test clocks. */
  requestClockRuns(): Promise<number>;
  /** Requests the next run of an endpoint. */
  requestRun(endpoint_id: string): Promise<unknown>;
  /** Cancels the runs of an endpoint that was disabled or deleted. */
  stop(endpoint_id: string): Promise<void>;
}

/** Rows that are committed later than this after their date are left to `recoveryFunction`. */
const OVERLAP_MS = 10_000;

/** Requests a run once for each row that is new to this process. `ask` may be repeated. */
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

export function createWaker(send: (events: WakeEvent[]) => Promise<void>): Waker {
  let generation = '';
  /** Returns an id that no earlier generation has used. */
  const named = (id: string) => `${generation}${id}`;

  async function requestEndpointRuns(endpoint_ids: readonly string[] | null): Promise<void> {
    await requestRunsForEndpoints(
      (work) =>
        sendInBatches(
          work.map(({ at, version, ...data }) => ({
            name: endpointDueEvent.name,
            data: { ...data, ...(at && { at: at.toISOString() }) },
            // The id limits an endpoint to one run per due time, regardless of the number of
            // requests.
            ...(at && { id: named(`${data.endpoint_id} ${version} at ${at.toISOString()}`), ts: at.getTime() }),
          })),
        ),
      endpoint_ids,
    );
  }

  async function sendInBatches(events: WakeEvent[]): Promise<void> {
    for (let from = 0; from < events.length; from += BATCH) await send(events.slice(from, from + BATCH));
  }

  async function requestClockRuns(): Promise<number> {
    const now = clock().now().getTime();
    const clocks = await listAdvancingClocks();
    await sendInBatches(
      clocks.map(({ id, team_id, target_time }) => ({
        name: clockAdvancingEvent.name,
        data: { test_clock_id: id, team_id },
        id: named(`${id} to ${target_time.toISOString()} ${again(now)}`),
      })),
    );
    return clocks.length;
  }

  /**
   * Returns an id that allows one run per due time and `MESSAGE_AGAIN_MS`, regardless of the number
   * of requests.
   */
  const messageId = (id: string, due_at: Date) =>
    named(`${id} at ${due_at.toISOString()} ${again(clock().now().getTime() - due_at.getTime(), MESSAGE_AGAIN_MS)}`);

  const requestMailRuns = (mails: Awaited<ReturnType<typeof findDueMails>>) =>
    sendInBatches(
      mails.map(({ id, team_id, template, due_at }) => ({
        name: mailDueEvent.name,
        data: { mail_id: id, team_id, template },
        id: messageId(id, due_at),
      })),
    );

  const requestNoticeRuns = (notices: Awaited<ReturnType<typeof findDueNotices>>) =>
    sendInBatches(
      notices.map(({ id, team_id, due_at }) => ({
        name: noticeDueEvent.name,
        data: { notice_id: id, team_id },
        id: messageId(id, due_at),
      })),
    );

  async function requestCalendarRuns(now: number): Promise<number> {
    const calendars = await findDueCalendars();
    await sendInBatches(
      calendars.map(({ due_at, ...data }) => ({
        name: calendarDueEvent.name,
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
        name: certificateUnsealedEvent.name,
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
      await clearAllRequests();
      const now = clock().now().getTime();
      await allSettledOrThrow([
        requestEndpointRuns(null),
        findDueMails().then(requestMailRuns),
        findDueNotices().then(requestNoticeRuns),
        requestCalendarRuns(now),
        // Includes certificates that are being sealed, because their events were lost.
        requestSealingRuns(now, 0),
        requestClockRuns(),
      ]);
    },
    wakes: [
      { name: 'asking for deliveries', run: () => requestEndpointRuns(null) },
      { name: 'asking for mails', run: onlyNew(findNewMails, requestMailRuns) },
      { name: 'asking for notices', run: onlyNew(findNewNotices, requestNoticeRuns) },
    ],
    async requestOtherRuns() {
      const now = clock().now().getTime();
      const [calendars, certificates, test_clocks] = await allSettledOrThrow([
        requestCalendarRuns(now),
        requestSealingRuns(now),
        requestClockRuns(),
        findDueMails().then(requestMailRuns),
        findDueNotices().then(requestNoticeRuns),
      ]);
      return { calendars, certificates, test_clocks };
    },
    requestRun: batchCalls(async (endpoint_ids: string[]) => {
      await requestEndpointRuns(endpoint_ids);
      return endpoint_ids;
    }),
    stop: (endpoint_id) => send([{ name: endpointStoppedEvent.name, data: { endpoint_id } }]),
  };
}
