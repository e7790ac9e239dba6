/**
 * Notifications in members' browsers (Web Push, RFC 8030) about guests' messages. A user turns them
 * on in a browser, for the open team and until the session ends. They exist only in live mode.
 */
import { config, getAppSecret } from '@/config';
import { notifyRelay } from '@/events/nudge';
import { afterCommit } from '@/infra/db/transaction';
import { encryptSecret, hashToken } from '@/infra/encryption';
import { assertOutboundUrl } from '@/infra/outbound/url';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import type { NoticeKind } from './notice.rules';
import * as repository from './repository';
import type { BrowserSubscription, PushState } from './schemas';
import { getVapidKeys } from './vapid';

/** The purpose under which subscriptions are encrypted. */
export const BROWSER_PURPOSE = 'push-subscription';

interface SignedIn {
  id: string;
  session_id: string;
}

const owner = ({ team_id }: Scope, { id, session_id }: SignedIn) => ({ team_id, user_id: id, session_id });

/** Returns whether this session is notified, and the key for a subscription. */
export async function pushState(scope: Scope, user: SignedIn): Promise<PushState> {
  const { publicKey } = await getVapidKeys();
  return { on: (await repository.countSubscriptions(owner(scope, user))) > 0, public_key: publicKey };
}

/** Starts notifying this session's browser. Its previous user is no longer notified. */
export async function enableNotifications(
  scope: Scope,
  user: SignedIn,
  browser: BrowserSubscription,
): Promise<PushState> {
  assertOutboundUrl(browser.endpoint, { param: 'endpoint', allow_loopback: config().outbound_allow_loopback });
  await repository.replaceSubscription(owner(scope, user), {
    endpoint_hash: hashToken(browser.endpoint),
    secret: encryptSecret(getAppSecret(), BROWSER_PURPOSE, JSON.stringify(browser)),
  });
  return pushState(scope, user);
}

export async function disableNotifications(scope: Scope, user: SignedIn): Promise<PushState> {
  await repository.deleteSubscriptions(owner(scope, user));
  return pushState(scope, user);
}

/** Queues a notice for the team's browsers, in the open transaction of the change. */
export async function queueNotice(scope: Scope, reservation_id: string, kind: NoticeKind): Promise<void> {
  if (scope.mode !== 'live') return;
  await repository.insertNotice(scope, { id: newId('push_notice'), reservation_id, kind, now: clock().now() });
  afterCommit(notifyRelay);
}
