/** Queries on browsers that are to be told, and on what they are to be told of. Browsers are people's, above the tenant. */
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

export const countSubscriptions = (owner: Owner) => systemDb().pushSubscription.count({ where: ofOwner(owner) });

/** Nobody else is told in this browser any more. Of who is no member nothing is kept. */
export async function replaceSubscription(owner: Owner, browser: { endpoint_hash: string; secret: string }) {
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
    // With an id of its own: what the browser before it answers late does not end this one.
    const row = { ...of, ...browser, id: newId('push_subscription'), created_at: clock().now() };
    // One statement: turned on twice at once, it is on.
    await systemDb().pushSubscription.upsert({ where: { session_id_member_id: of }, create: row, update: row });
  });
}

export const deleteSubscriptions = (owner: Owner) => systemDb().pushSubscription.deleteMany({ where: ofOwner(owner) });

export const deleteSubscriptionsById = (ids: readonly string[]) =>
  systemDb().pushSubscription.deleteMany({ where: { id: { in: [...ids] } } });

/** In these is a member of the team signed in now. */
export const findSubscriptions = (team_id: string, now: Date, told: readonly string[], limit: number) =>
  systemDb().pushSubscription.findMany({
    where: { id: { notIn: [...told] }, member: { organizationId: team_id }, session: { expiresAt: { gt: now } } },
    include: { member: { select: { user: { select: { locale: true } } } } },
    orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
    take: limit,
  });

/** Within the transaction of what it tells of. */
export const insertNotice = (scope: Scope, row: { id: string; reservation_id: string; kind: string; now: Date }) => {
  const { now, ...data } = row;
  return scopedDb(scope).pushNotice.createMany({
    data: [{ ...data, due_at: now, created_at: now }] as Prisma.PushNoticeCreateManyInput[],
  });
};

/** With who it is about, as they are called now. */
export const findNotice = (id: string) =>
  systemDb().pushNotice.findUnique({
    where: { id },
    include: { reservation: { select: { guest_name: true, property: { select: { name: true } } } } },
  });

/** Another attempt at a later time, which the run that made this one makes too. */
export const putOff = (id: string, { told, retry_at }: { told: readonly string[]; retry_at: Date }) =>
  systemDb().pushNotice.updateMany({
    where: { id },
    data: { told: [...told], attempts: { increment: 1 }, due_at: retry_at, wake_at: retry_at },
  });

export const deleteNotice = (id: string) => systemDb().pushNotice.deleteMany({ where: { id } });

/** A run that came to nothing is asked for again after so long. */
const LOST_MS = 5 * 60_000;

/** Due notices for which no run was asked, the longest due first. */
export const findUnasked = (now: Date, limit: number) =>
  systemDb().pushNotice.findMany({
    where: {
      due_at: { lte: now },
      OR: [{ wake_at: null }, { wake_at: { lte: new Date(now.getTime() - LOST_MS) } }],
    },
    select: { id: true, team_id: true, wake_at: true },
    orderBy: [{ due_at: 'asc' }, { id: 'asc' }],
    take: limit,
  });

/** Every run that was asked for counts as lost. */
export const forgetAsked = () =>
  systemDb().pushNotice.updateMany({ where: { wake_at: { not: null } }, data: { wake_at: new Date(0) } });

export const noteAsked = (ids: readonly string[], now: Date) =>
  systemDb().pushNotice.updateMany({ where: { id: { in: [...ids] } }, data: { wake_at: now } });

const KEY = 'push';

export const findKey = async (): Promise<string | null> =>
  (await systemDb().installationKey.findUnique({ where: { name: KEY } }))?.secret ?? null;

/** Of two processes that make one, one's stays. */
export const insertKey = (secret: string, public_pem: string) =>
  systemDb().installationKey.createMany({
    data: [{ name: KEY, secret, public_pem, created_at: clock().now() }],
    skipDuplicates: true,
  });
