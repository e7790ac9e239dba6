/** Queries on device logins. A login belongs to no team until an owner approves it. */
import type { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';

export const insertDeviceLogin = (data: Prisma.DeviceLoginUncheckedCreateInput) =>
  systemDb().deviceLogin.create({ data });

export const findDeviceLoginByDeviceCode = (device_code_hash: string) =>
  systemDb().deviceLogin.findUnique({
    where: { device_code_hash },
    include: {
      member: {
        select: { userId: true, organizationId: true, role: true, sees_guests: true, user: { select: { name: true } } },
      },
    },
  });

const waiting = (user_code_hash: string, now: Date) => ({
  user_code_hash,
  member_id: null,
  refused_at: null,
  expires_at: { gt: now },
});

/** Finds an unexpired login that no owner has approved or refused yet. */
export const findPendingDeviceLogin = (user_code_hash: string, now: Date) =>
  systemDb().deviceLogin.findFirst({ where: waiting(user_code_hash, now) });

/**
 * Returns the user's membership, which determines the user's permissions, or null when the user is
 * not a member.
 */
export const findTeamMembership = (team_id: string, user_id: string) =>
  systemDb().member.findFirst({
    where: { organizationId: team_id, userId: user_id },
    select: { id: true, role: true, sees_guests: true },
  });

/** Stores the owner's answer. Returns null when the login was already answered or has expired. */
export async function approveOrRefuseDeviceLogin(
  user_code_hash: string,
  now: Date,
  answer: { member_id: string; scopes: string[]; key_days: number } | { refused_at: Date },
) {
  const [row] = await systemDb().deviceLogin.updateManyAndReturn({ where: waiting(user_code_hash, now), data: answer });
  return row ?? null;
}

/** Records a poll. If the poll came too early, lengthens the polling interval and returns false. */
export async function recordDeviceLoginPoll(
  { device_code_hash, interval_s }: { device_code_hash: string; interval_s: number },
  now: Date,
  longer_by_s: number,
): Promise<boolean> {
  // Allows polls one second early, because network delay can bring two polls closer together.
  const before = new Date(now.getTime() - (interval_s - 1) * 1000);
  const { count } = await systemDb().deviceLogin.updateMany({
    where: { device_code_hash, OR: [{ polled_at: null }, { polled_at: { lte: before } }] },
    data: { polled_at: now },
  });
  if (count === 1) return true;
  await systemDb().deviceLogin.updateMany({
    where: { device_code_hash },
    data: { interval_s: { increment: longer_by_s }, polled_at: now },
  });
  return false;
}

/** Deletes the login. Of several concurrent calls, only one returns true. */
export async function deleteDeviceLogin(device_code_hash: string): Promise<boolean> {
  return (await systemDb().deviceLogin.deleteMany({ where: { device_code_hash } })).count === 1;
}
