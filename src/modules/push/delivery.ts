/**
 * Sends notifications to browsers. The row of a notice lists the browsers that received it. The row
 * is deleted when all browsers have received it, or after a day. If a process crashes before the
 * list is stored, some browsers receive the notice twice, but show only the latest notification of
 * a reservation.
 */
import { config, getAppSecret } from '@/config';
import { decryptSecret, hashToken } from '@/infra/encryption';
import { logger } from '@/infra/logger';
import { safeFetch } from '@/infra/outbound/client';
import { OutboundError } from '@/infra/outbound/errors';
import { clock } from '@/shared/clock';
import { findSupportedHostLocale } from '@/shared/language/host-language';
import { buildPushNotificationText, type PushNotificationKind, type PushNotificationText } from './notice.rules';
import * as repository from './repository';
import type { BrowserPushSubscription } from './schemas';
import { PUSH_SUBSCRIPTION_ENCRYPTION_PURPOSE } from './service';
import { getVapidKeys, type VapidKeys } from './vapid';

/** A notice that is older than a day is dropped. The dashboard shows the message anyway. */
const USEFUL_FOR_MS = 86_400_000;
/**
 * The maximum number of browsers that are notified per team. The newest subscriptions have
 * precedence.
 */
const MOST_BROWSERS = 100;
const ATTEMPT_MS = 10_000;
const FIRST_RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 3_600_000;
/** A notice may be sent up to this many milliseconds before it is due. */
const EARLY_MS = 5_000;
/** Status codes of push services for a subscription that no longer exists (RFC 8030, 7.3). */
const GONE = [404, 410];

export type PushNotificationOutcome =
  | { outcome: 'told'; browsers: number }
  | { outcome: 'too_late' | 'not_due' }
  | { outcome: 'retry'; reason: string; retry_at: Date };

type PushResult = { fate: 'done' | 'gone' } | { fate: 'retry'; reason: string; wait_ms: number };

/** Makes one attempt to send the notice to each browser that has not received it. */
export async function sendPushNotification(id: string): Promise<PushNotificationOutcome> {
  const now = clock().now();
  const notice = await repository.findPushNotification(id);
  if (!notice) return { outcome: 'not_due' };
  const left_ms = notice.created_at.getTime() + USEFUL_FOR_MS - now.getTime();
  if (left_ms <= 0) {
    await repository.deletePushNotification(id);
    return { outcome: 'too_late' };
  }
  if (notice.due_at.getTime() > now.getTime() + EARLY_MS)
    return { outcome: 'retry', reason: 'It is due later.', retry_at: notice.due_at };
  const { reservation_id, reservation } = notice;
  const about = { reservation_id, guest_name: reservation.guest_name, property_name: reservation.property.name };
  const keys = await getVapidKeys();
  const browsers = await repository.findPushSubscriptions(
    { team_id: notice.team_id, property_id: reservation.property_id },
    now,
    notice.told,
    MOST_BROWSERS,
  );
  const fates = await Promise.all(
    browsers.map(async ({ id, secret, member }) => {
      const text = buildPushNotificationText(
        { ...about, kind: notice.kind as PushNotificationKind },
        findSupportedHostLocale(member.user.locale) ?? 'en',
      );
      const browser = JSON.parse(
        decryptSecret(getAppSecret(), PUSH_SUBSCRIPTION_ENCRYPTION_PURPOSE, secret),
      ) as BrowserPushSubscription;
      return { id, ...(await push(browser, keys, text, { ttl_s: Math.ceil(left_ms / 1_000), reservation_id })) };
    }),
  );
  const withFate = (fate: PushResult['fate']) => fates.filter((one) => one.fate === fate).map((one) => one.id);
  await repository.deletePushSubscriptionsById(withFate('gone'));
  const again = fates.filter((one) => one.fate === 'retry');
  const [first] = again;
  if (!first) {
    await repository.deletePushNotification(id);
    return { outcome: 'told', browsers: withFate('done').length };
  }
  const wait_ms = Math.max(
    Math.min(FIRST_RETRY_MS * 2 ** notice.attempts, LONGEST_RETRY_MS),
    ...again.map((one) => one.wait_ms),
  );
  const retry_at = new Date(now.getTime() + wait_ms);
  await repository.postponePushNotification(id, { told: [...notice.told, ...withFate('done')], retry_at });
  return { outcome: 'retry', reason: first.reason, retry_at };
}

/**
 * Posts a notice to a browser's push service. Never throws. A subscription's URL may name any
 * server, so all responses and failures are handled.
 */
async function push(
  browser: BrowserPushSubscription,
  vapidDetails: VapidKeys,
  text: PushNotificationText,
  { ttl_s, reservation_id }: { ttl_s: number; reservation_id: string },
): Promise<PushResult> {
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
        // For an offline browser, the push service keeps only the latest notification with the same
        // topic.
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
      logger().warn({ err: error }, 'a notification could not be prepared');
      return { fate: 'done' };
    }
    // A real push service is never at a blocked address, such as a private one, so the subscription
    // is invalid.
    if (error.kind === 'blocked_address') return { fate: 'gone' };
    return { fate: 'retry', reason: error.message, wait_ms: 0 };
  }
}

/** Returns notices that became due after `since` and have had no attempt. */
export const findPushNotificationsDueSince = (since: Date) =>
  repository.findDuePushNotificationRows(clock().now(), since);

/** The maximum number of notices per query. The next query returns the rest. */
const OVERDUE_AT_ONCE = 1_000;

/** Returns all due notices, even if the durable engine has no run for them. */
export const findDuePushNotifications = () =>
  repository.findDuePushNotificationRows(clock().now(), null, OVERDUE_AT_ONCE);
