/**
 * How long data is stored (specification, "Limits"; design §5). Each run deletes only what is due
 * at its time, so late and repeated runs are harmless. Data of a reservation under legal hold is
 * never deleted.
 */

import { clock } from '@/shared/clock';
import * as repository from './repository';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

export const RETENTION_PERIODS_MS = {
  request_log: 30 * DAY,
  inbound_mail_raw: 30 * DAY,
  /** A day is enough: a code is valid for minutes, and its confirmation for an hour. */
  guest_code: DAY,
  /** A day is enough: a terminal waits ten minutes for its login. */
  device_login: DAY,
  /**
   * How long tokens are stored after their expiry. Unused consents and registrations are deleted at
   * the same age.
   */
  oauth: DAY,
  provider_event: 30 * DAY,
  /**
   * How long the embedded engine stores finished runs, and the event ids by which it detects
   * repeated events.
   */
  engine: 14 * DAY,
} as const;

/** Deletes everything that is due. Returns the number of deleted rows of each kind. */
export async function deleteDataPastRetention() {
  const now = clock().now();
  const before = (age_ms: number) => new Date(now.getTime() - age_ms);
  return {
    idempotency_records: await removeAll(() => repository.deleteIdempotencyRecords(now)),
    email_previews: await removeAll(() => repository.clearExpiredMailContent(now)),
    request_logs: await removeAll(() => repository.deleteRequestLog(before(RETENTION_PERIODS_MS.request_log))),
    inbound_mails: await removeAll(() =>
      repository.clearRawContentOfInboundMails(before(RETENTION_PERIODS_MS.inbound_mail_raw)),
    ),
    guest_codes: await removeAll(() =>
      repository.deleteExpiredGuestEmailCodes(before(RETENTION_PERIODS_MS.guest_code)),
    ),
    device_logins: await removeAll(() => repository.deleteDeviceLogins(before(RETENTION_PERIODS_MS.device_login))),
    oauth_tokens: await removeAll(() => repository.deleteOAuthTokens(before(RETENTION_PERIODS_MS.oauth))),
    oauth_consents: await removeAll(() => repository.deleteOAuthConsents(before(RETENTION_PERIODS_MS.oauth))),
    oauth_clients: await removeAll(() => repository.deleteOAuthClients(before(RETENTION_PERIODS_MS.oauth))),
    provider_events: await removeAll(() =>
      repository.deleteMailProviderEvents(before(RETENTION_PERIODS_MS.provider_event)),
    ),
  };
}

async function removeAll(removeSome: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const removed = await removeSome();
    total += removed;
    if (removed < repository.MAX_ROWS_PER_DELETION_STATEMENT) return total;
  }
}
