/**
 * Queries on subscribed browsers and their notices. A subscription belongs to a user's session in a
 * team.
 */
import type { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { scopedDb } from '@/infra/db/scoped-client';
import { inSystemTransaction } from '@/infra/db/transaction';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';

interface Owner {
  team_id: string;
  user_id: string;
  session_id: string;
}

const ofOwner = ({ team_id, user_id, session_id }: Owner) => ({
  session_id,
  member: { organizationId: team_id, userId: user_id },
});

export const countPushSubscriptions = (owner: Owner) => systemDb().pushSubscription.count({ where: ofOwner(owner) });

/**
 * Stores a browser's subscription. Deletes the subscriptions of other sessions for the same
 * browser. Stores nothing for a user who is not a member.
 */
export async function replacePushSubscription(owner: Owner, browser: { endpoint_hash: string; secret: string }) {
  await inSystemTransaction(async () => {
    const { team_id, user_id, session_id } = owner;
    const { endpoint_hash } = browser;
    await systemDb().pushSubscription.deleteMany({ where: { endpoint_hash, session_id: { not: session_id } } });
    const member = await systemDb().member.findFirst({
      where: { organizationId: team_id, userId: user_id },
      select: { id: true },
    });
    if (!member) return;
    const of = { session_id, member_id: member.id };
    // The new id prevents a late "gone" response about the previous subscription from deleting this
    // subscription.
    const row = { ...of, ...browser, id: newId('push_subscription'), created_at: clock().now() };
    // A single upsert, because concurrent calls are possible.
    await systemDb().pushSubscription.upsert({ where: { session_id_member_id: of }, create: row, update: row });
  });
}

export const deletePushSubscriptions = (owner: Owner) =>
  systemDb().pushSubscription.deleteMany({ where: ofOwner(owner) });

export const deletePushSubscriptionsById = (ids: readonly string[]) =>
  systemDb().pushSubscription.deleteMany({ where: { id: { in: [...ids] } } });

/**
 * Returns the subscribed browsers of members who may see the property's guests. Sessions that have
 * expired are skipped.
 */
export const findPushSubscriptions = (
  { team_id, property_id }: { team_id: string; property_id: string },
  now: Date,
  told: readonly string[],
  limit: number,
) =>
  systemDb().pushSubscription.findMany({
    where: {
      id: { notIn: [...told] },
      member: {
        organizationId: team_id,
        OR: [
          { role: { notIn: ['co_host', 'developer'] } },
          { role: 'co_host', properties: { some: { property_id } } },
          { role: 'developer', sees_guests: true },
        ],
      },
      session: { expiresAt: { gt: now } },
      // Skips sessions that the team's sign-in rules refuse (accounts/sign-in/team-rules.rules.ts).
      AND: [
        {
          OR: [
            { member: { organization: { require_company_account: false } } },
            { session: { signedInWith: 'company_account' } },
          ],
        },
        {
          OR: [
            { member: { organization: { require_second_factor: false } } },
            { session: { signedInWith: { in: ['password_and_factor', 'passkey', 'company_account'] } } },
          ],
        },
      ],
    },
    include: { member: { select: { user: { select: { locale: true } } } } },
    orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
    take: limit,
  });

/** Inserts a notice in the open transaction of the change that it reports. */
export const insertPushNotification = (
  scope: Scope,
  row: { id: string; reservation_id: string; kind: string; now: Date },
) => {
  const { now, ...data } = row;
  return scopedDb(scope).pushNotice.createMany({
    data: [{ ...data, due_at: now, created_at: now }] as Prisma.PushNoticeCreateManyInput[],
  });
};

/** Returns a notice with the current names of its guest and property. */
export const findPushNotification = (id: string) =>
  systemDb().pushNotice.findUnique({
    where: { id },
    include: { reservation: { select: { guest_name: true, property_id: true, property: { select: { name: true } } } } },
  });

/** Records which browsers received the notice, and schedules the next attempt. */
export const postponePushNotification = (id: string, { told, retry_at }: { told: readonly string[]; retry_at: Date }) =>
  systemDb().pushNotice.updateMany({
    where: { id },
    data: { told: [...told], attempts: { increment: 1 }, due_at: retry_at },
  });

export const deletePushNotification = (id: string) => systemDb().pushNotice.deleteMany({ where: { id } });

/**
 * Returns due notices. The notice that has been due longest is first. With `since`, returns only
 * notices that became due after it and have had no attempt.
 */
export const findDuePushNotificationRows = (now: Date, since: Date | null, limit?: number) =>
  systemDb().pushNotice.findMany({
    where: { due_at: { lte: now, ...(since && { gt: since }) }, ...(since && { attempts: 0 }) },
    select: { id: true, team_id: true, due_at: true },
    orderBy: [{ due_at: 'asc' }, { id: 'asc' }],
    ...(limit && { take: limit }),
  });

const KEY = 'push';

export const findVapidKey = async (): Promise<string | null> =>
  (await systemDb().installationKey.findUnique({ where: { name: KEY } }))?.secret ?? null;

/**
 * Inserts the installation's key. If two processes create a key at the same time, the first one is
 * used.
 */
export const insertVapidKey = (secret: string, public_pem: string) =>
  systemDb().installationKey.createMany({
    data: [{ name: KEY, secret, public_pem, created_at: clock().now() }],
    skipDuplicates: true,
  });
