/**
 * Notifications in members' browsers (Web Push, RFC 8030) about guests' messages. A user turns
 * notifications on in a browser, for the open team. They end with the session. Live mode only.
 */
import { config, getAppSecret } from '@/config';
import { notifyEventRelay } from '@/events/process-listeners';
import { runAfterCommit } from '@/infra/db/transaction';
import { encryptSecret, hashToken } from '@/infra/encryption';
import { assertOutboundUrlAllowed } from '@/infra/outbound/url';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import type { PushNotificationKind } from './notice.rules';
import * as repository from './repository';
import type { BrowserPushSubscription, PushNotificationStatus } from './schemas';
import { getVapidKeys } from './vapid';

/** The encryption purpose for stored subscriptions. */
export const PUSH_SUBSCRIPTION_ENCRYPTION_PURPOSE = 'push-subscription';

interface SignedIn {
  id: string;
  session_id: string;
}

const owner = ({ team_id }: Scope, { id, session_id }: SignedIn) => ({ team_id, user_id: id, session_id });

/**
 * Returns whether this session receives notifications, and the public key that a subscription
 * needs.
 */
export async function getPushNotificationStatus(scope: Scope, user: SignedIn): Promise<PushNotificationStatus> {
  const { publicKey } = await getVapidKeys();
  return { on: (await repository.countPushSubscriptions(owner(scope, user))) > 0, public_key: publicKey };
}

/**
 * Subscribes this session's browser. Ends the subscriptions of other sessions in the same browser.
 */
export async function enablePushNotifications(
  scope: Scope,
  user: SignedIn,
  browser: BrowserPushSubscription,
): Promise<PushNotificationStatus> {
  assertOutboundUrlAllowed(browser.endpoint, { param: 'endpoint', allow_loopback: config().outbound_allow_loopback });
  await repository.replacePushSubscription(owner(scope, user), {
    endpoint_hash: hashToken(browser.endpoint),
    secret: encryptSecret(getAppSecret(), PUSH_SUBSCRIPTION_ENCRYPTION_PURPOSE, JSON.stringify(browser)),
  });
  return getPushNotificationStatus(scope, user);
}

export async function disablePushNotifications(scope: Scope, user: SignedIn): Promise<PushNotificationStatus> {
  await repository.deletePushSubscriptions(owner(scope, user));
  return getPushNotificationStatus(scope, user);
}

/**
 * Queues a notice to the browsers of the team's members, in the open transaction of the change that
 * it reports.
 */
export async function queuePushNotification(
  scope: Scope,
  reservation_id: string,
  kind: PushNotificationKind,
): Promise<void> {
  if (scope.mode !== 'live') return;
  await repository.insertPushNotification(scope, {
    id: newId('push_notice'),
    reservation_id,
    kind,
    now: clock().now(),
  });
  runAfterCommit(notifyEventRelay);
}
