/**
 * Asks for the runs that work needs. What is due is in the database; an event only says "look now", or "look then", at an
 * endpoint, a mail, a calendar or a certificate, and the row decides what is done. That it has been asked is noted on the
 * row, or told by the event's id.
 */

import { randomUUID } from 'node:crypto';
import type { Wake } from '@/events/relay';
import { allSettledOrThrow } from '@/events/retried-task';
import { together } from '@/infra/db/together';
import { findUnsealed } from '@/modules/certificates/seal/unsealed';
import { askForMail, forgetAskedMails } from '@/modules/mail/delivery';
import { askForNotices, forgetAskedNotices } from '@/modules/push/delivery';
import { findDue } from '@/modules/sync-sources/run/due';
import { listAdvancingClocks } from '@/modules/test-clocks/advancing';
import { askForRuns, forgetAskedDeliveries } from '@/modules/webhooks/delivery/ask';
import { clock } from '@/shared/clock';
import {
  calendarDue,
  certificateUnsealed,
  clockAdvancing,
  endpointDue,
  endpointStopped,
  mailDue,
  noticeDue,
} from './client';

export type WakeEvent = {
  name: string;
  id?: string;
  ts?: number;
  data: Record<string, unknown>;
};

/** Events of one request. */
const BATCH = 200;
/** Certificates in one look: what fails for good must not fill it for long. */
const UNSEALED_AT_ONCE = 200;
/** Whoever remembers an event's id drops its repeat; what came to nothing gets a new one after so long. */
const AGAIN_MS = 10 * 60_000;
const again = (ms: number) => Math.floor(ms / AGAIN_MS);

export interface Waker {
  /** Ask for the runs of endpoints, mails and notices that have work and none: after each commit. */
  readonly wakes: readonly Wake[];
  /**
   * The same for what has more time: calendars, certificates that were left unsealed, test clocks. Returns how many of each.
   * None waits for another: the first error is thrown when all were tried.
   */
  wakeTheRest(): Promise<{ calendars: number; certificates: number; test_clocks: number }>;
  /**
   * Asks again for everything that waits, by ids that nobody remembers: for a server that has lost its state. What is
   * asked for twice finds nothing to do.
   */
  askAnew(): Promise<void>;
  /** Asks for the runs of the test clocks that are being advanced. */
  askForClocks(): Promise<number>;
  /** Asks for the next run of an endpoint. */
  askFor(endpoint_id: string): Promise<unknown>;
  /** Cancels the runs of an endpoint that was disabled or deleted. */
  stop(endpoint_id: string): Promise<void>;
}

export function createWaker(send: (events: WakeEvent[]) => Promise<void>): Waker {
  let generation = '';
  /** An id that no event of an earlier generation had. */
  const named = (id: string) => `${generation}${id}`;

  async function askForEndpoints(endpoint_ids: readonly string[] | null): Promise<void> {
    await askForRuns(
      (work) =>
        sendInBatches(
          work.map(({ at, version, ...data }) => ({
            name: endpointDue.name,
            data: { ...data, ...(at && { at: at.toISOString() }) },
            // The id keeps the runs of one endpoint for the same moment down to one, whoever asks, and how often.
            ...(at && { id: named(`${data.endpoint_id} ${version} at ${at.toISOString()}`), ts: at.getTime() }),
          })),
        ),
      endpoint_ids,
    );
  }

  async function sendInBatches(events: WakeEvent[]): Promise<void> {
    for (let from = 0; from < events.length; from += BATCH) await send(events.slice(from, from + BATCH));
  }

  async function askForClocks(): Promise<number> {
    const now = clock().now().getTime();
    const clocks = await listAdvancingClocks();
    await sendInBatches(
      clocks.map(({ id, team_id, target_time }) => ({
        name: clockAdvancing.name,
        data: { test_clock_id: id, team_id },
        id: named(`${id} to ${target_time.toISOString()} ${again(now)}`),
      })),
    );
    return clocks.length;
  }

  async function askForMails(): Promise<void> {
    await askForMail((mails) =>
      send(
        mails.map(({ attempts, wake_at, ...data }) => ({
          name: mailDue.name,
          data,
          // One that was asked for in vain is asked for again by an event that nobody remembers.
          ...(wake_at === null && { id: named(`${data.mail_id} attempt ${attempts + 1}`) }),
        })),
      ),
    );
  }

  async function askForPushNotices(): Promise<void> {
    await askForNotices((notices) =>
      send(
        notices.map(({ is_first, ...data }) => ({
          name: noticeDue.name,
          data,
          ...(is_first && { id: named(data.notice_id) }),
        })),
      ),
    );
  }

  async function askForCalendars(now: number): Promise<number> {
    const calendars = await findDue();
    await sendInBatches(
      calendars.map(({ due_at, ...data }) => ({
        name: calendarDue.name,
        data,
        id: named(`${data.sync_source_id} at ${due_at.toISOString()} ${again(now - due_at.getTime())}`),
      })),
    );
    return calendars.length;
  }

  async function askForCertificates(now: number, grace_ms?: number): Promise<number> {
    const certificates = await findUnsealed(UNSEALED_AT_ONCE, grace_ms);
    await sendInBatches(
      certificates.map(({ signature_id, scope: { team_id, mode } }) => ({
        name: certificateUnsealed.name,
        data: { team_id, mode, data: { certificate_id: signature_id } },
        id: named(`${signature_id} unsealed ${again(now)}`),
      })),
    );
    return certificates.length;
  }

  return {
    askForClocks,
    async askAnew() {
      generation = `${randomUUID()} `;
      await allSettledOrThrow([forgetAskedDeliveries(), forgetAskedMails(), forgetAskedNotices()]);
      const now = clock().now().getTime();
      await allSettledOrThrow([
        askForEndpoints(null),
        askForMails(),
        askForPushNotices(),
        askForCalendars(now),
        // Also those that are under way: by events that are lost.
        askForCertificates(now, 0),
        askForClocks(),
      ]);
    },
    wakes: [
      { name: 'asking for deliveries', run: () => askForEndpoints(null) },
      { name: 'asking for mails', run: askForMails },
      { name: 'asking for notices', run: askForPushNotices },
    ],
    async wakeTheRest() {
      const now = clock().now().getTime();
      const [calendars, certificates, test_clocks] = await allSettledOrThrow([
        askForCalendars(now),
        askForCertificates(now),
        askForClocks(),
      ]);
      return { calendars, certificates, test_clocks };
    },
    askFor: together(async (endpoint_ids: string[]) => {
      await askForEndpoints(endpoint_ids);
      return endpoint_ids;
    }),
    stop: (endpoint_id) => send([{ name: endpointStopped.name, data: { endpoint_id } }]),
  };
}
