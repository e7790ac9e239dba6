/**
 * Sends what browsers are to be told of. The row says who is still to be told; it goes when nobody is left or a day is over.
 * A process that dies in between tells some twice: a browser shows one notification of a reservation, the last.
 */
import { appSecret, config } from '@/config';
import { decryptSecret, hashToken } from '@/infra/encryption';
import { logger } from '@/infra/logger';
import { safeFetch } from '@/infra/outbound/client';
import { OutboundError } from '@/infra/outbound/errors';
import { clock } from '@/shared/clock';
import { hostLocale } from '@/shared/language/host-language';
import * as repository from './repository';
import type { Browser } from './schemas';
import { BROWSER_PURPOSE } from './service';
import { type VapidKeys, vapidKeys } from './vapid';
import { type NoticeKind, type NoticeText, noticeText } from './words.rules';

/** A question of yesterday is in the dashboard. */
const WORTH_TELLING_MS = 86_400_000;
/** Of one team: the newest. */
const MOST_BROWSERS = 100;
const ATTEMPT_MS = 10_000;
const FIRST_RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 3_600_000;
/** Whoever tries again in time may be a little early. */
const EARLY_MS = 5_000;
/** The push service knows the subscription no more (RFC 8030, 7.3). */
const GONE = [404, 410];

export type NoticeOutcome =
  | { outcome: 'told'; browsers: number }
  | { outcome: 'too_late' | 'not_due' }
  | { outcome: 'retry'; reason: string; retry_at: Date };

type Fate = { fate: 'done' | 'gone' } | { fate: 'retry'; reason: string; wait_ms: number };

/** Makes one attempt for each browser that was not told yet. */
export async function sendNotice(id: string): Promise<NoticeOutcome> {
  const now = clock().now();
  const notice = await repository.findNotice(id);
  if (!notice) return { outcome: 'not_due' };
  const left_ms = notice.created_at.getTime() + WORTH_TELLING_MS - now.getTime();
  if (left_ms <= 0) {
    await repository.deleteNotice(id);
    return { outcome: 'too_late' };
  }
  if (notice.due_at.getTime() > now.getTime() + EARLY_MS)
    return { outcome: 'retry', reason: 'It is due later.', retry_at: notice.due_at };
  const { reservation_id, reservation } = notice;
  const about = { reservation_id, guest_name: reservation.guest_name, property_name: reservation.property.name };
  const keys = await vapidKeys();
  const browsers = await repository.findSubscriptions(notice.team_id, now, notice.told, MOST_BROWSERS);
  const fates = await Promise.all(
    browsers.map(async ({ id, secret, member }) => {
      const text = noticeText({ ...about, kind: notice.kind as NoticeKind }, hostLocale(member.user.locale) ?? 'en');
      const browser = JSON.parse(decryptSecret(appSecret(), BROWSER_PURPOSE, secret)) as Browser;
      return { id, ...(await push(browser, keys, text, { ttl_s: Math.ceil(left_ms / 1_000), reservation_id })) };
    }),
  );
  const withFate = (fate: Fate['fate']) => fates.filter((one) => one.fate === fate).map((one) => one.id);
  await repository.deleteSubscriptionsById(withFate('gone'));
  const again = fates.filter((one) => one.fate === 'retry');
  const [first] = again;
  if (!first) {
    await repository.deleteNotice(id);
    return { outcome: 'told', browsers: withFate('done').length };
  }
  const wait_ms = Math.max(
    Math.min(FIRST_RETRY_MS * 2 ** notice.attempts, LONGEST_RETRY_MS),
    ...again.map((one) => one.wait_ms),
  );
  const retry_at = new Date(now.getTime() + wait_ms);
  await repository.putOff(id, { told: [...notice.told, ...withFate('done')], retry_at });
  return { outcome: 'retry', reason: first.reason, retry_at };
}

/** Writes to a browser's push service. Never throws: it may be a stranger's server, at whatever address. */
async function push(
  browser: Browser,
  vapidDetails: VapidKeys,
  text: NoticeText,
  { ttl_s, reservation_id }: { ttl_s: number; reservation_id: string },
): Promise<Fate> {
  const { endpoint, p256dh, auth } = browser;
  try {
    const { default: web_push } = await import('web-push');
    const { headers, body } = web_push.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(text),
      {
        vapidDetails,
        TTL: ttl_s,
        urgency: 'high',
        // One that waits for a browser that is off gives way to the next of the same reservation.
        topic: hashToken(reservation_id).slice(0, 32),
      },
    );
    const { status, headers: answered } = await safeFetch(endpoint, {
      method: 'POST',
      headers: Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)])),
      body,
      timeout_ms: ATTEMPT_MS,
      max_body_bytes: 1_024,
      allow_loopback: config().outbound_allow_loopback,
    });
    if (GONE.includes(status)) return { fate: 'gone' };
    if (status === 429 || status >= 500) {
      const wait_ms = Math.min(Number(answered['retry-after'] ?? 0) * 1_000 || 0, LONGEST_RETRY_MS);
      return { fate: 'retry', reason: `The push service answered ${status}.`, wait_ms };
    }
    if (status >= 400) logger().warn({ status }, 'a push service refused a notification');
    return { fate: 'done' };
  } catch (error) {
    if (!(error instanceof OutboundError)) {
      logger().warn({ err: error }, 'a notification could not be made');
      return { fate: 'done' };
    }
    // No browser gave that address.
    if (error.kind === 'blocked_address') return { fate: 'gone' };
    return { fate: 'retry', reason: error.message, wait_ms: 0 };
  }
}

/** Runs that were asked for are lost: notices are asked for again. */
export const forgetAskedNotices = repository.forgetAsked;

/** At most so many are asked for in one go. */
const ASKED_AT_ONCE = 200;

/** Asks for a run for each due notice that has none. `ask` may be repeated for one. */
export async function askForNotices(
  ask: (notices: { notice_id: string; team_id: string; is_first: boolean }[]) => Promise<void>,
): Promise<void> {
  const now = clock().now();
  const waiting = await repository.findUnasked(now, ASKED_AT_ONCE);
  if (waiting.length === 0) return;
  await ask(waiting.map(({ id, team_id, wake_at }) => ({ notice_id: id, team_id, is_first: wake_at === null })));
  // Noted only then: who dies in between has asked twice, not never.
  await repository.noteAsked(
    waiting.map(({ id }) => id),
    now,
  );
}
