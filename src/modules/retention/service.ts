/**
 * What is kept for how long (specification, "Limits"; DESIGN §5). Running it again, late or after days away removes what
 * is due and nothing else; what belongs to a reservation under legal hold is never touched.
 */

import { clock } from '@/shared/clock';
import * as repository from './repository';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

export const RETENTION_MS = {
  request_log: 30 * DAY,
  inbound_mail_raw: 30 * DAY,
  /** A code works for minutes, its confirmation for an hour. */
  guest_code: DAY,
  /** A terminal waits ten minutes. */
  device_login: DAY,
  provider_event: 30 * DAY,
  /** Finished runs of the embedded engine, and the ids by which it knows a repeated event. */
  engine: 14 * DAY,
} as const;

export interface RetentionReport {
  idempotency_records: number;
  email_previews: number;
  request_logs: number;
  inbound_mails: number;
  guest_codes: number;
  device_logins: number;
  provider_events: number;
}

/** Removes everything whose time is over. Returns the number of rows of each kind. */
export async function applyRetention(): Promise<RetentionReport> {
  const now = clock().now();
  const before = (age_ms: number) => new Date(now.getTime() - age_ms);
  return {
    idempotency_records: await all(() => repository.deleteIdempotencyRecords(now)),
    email_previews: await all(() => repository.clearMails(now)),
    request_logs: await all(() => repository.deleteRequestLog(before(RETENTION_MS.request_log))),
    inbound_mails: await all(() => repository.clearInboundMail(before(RETENTION_MS.inbound_mail_raw))),
    guest_codes: await all(() => repository.deleteGuestCodes(before(RETENTION_MS.guest_code))),
    device_logins: await all(() => repository.deleteDeviceLogins(before(RETENTION_MS.device_login))),
    provider_events: await all(() => repository.deleteProviderEvents(before(RETENTION_MS.provider_event))),
  };
}

async function all(removeSome: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const removed = await removeSome();
    total += removed;
    if (removed < repository.LIMIT) return total;
  }
}
