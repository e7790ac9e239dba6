/** Queries on terminals that wait for a key. They are nobody's until somebody says yes, so they are above the tenant. */
import type { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';

export const insertLogin = (data: Prisma.DeviceLoginUncheckedCreateInput) => systemDb().deviceLogin.create({ data });

export const findByDeviceCode = (device_code_hash: string) =>
  systemDb().deviceLogin.findUnique({
    where: { device_code_hash },
    include: {
      member: { select: { userId: true, organizationId: true, role: true, user: { select: { name: true } } } },
    },
  });

const waiting = (user_code_hash: string, now: Date) => ({
  user_code_hash,
  member_id: null,
  refused_at: null,
  expires_at: { gt: now },
});

/** One that nobody answered yet. */
export const findWaiting = (user_code_hash: string, now: Date) =>
  systemDb().deviceLogin.findFirst({ where: waiting(user_code_hash, now) });

/** The member's id while he is an owner of the team. */
export async function findOwner(team_id: string, user_id: string): Promise<string | null> {
  const where = { organizationId: team_id, userId: user_id, role: 'owner' };
  return (await systemDb().member.findFirst({ where, select: { id: true } }))?.id ?? null;
}

/** Answers one; null when somebody did before, or its time is over. */
export async function answerWaiting(
  user_code_hash: string,
  now: Date,
  answer: { member_id: string; scopes: string[]; key_days: number } | { refused_at: Date },
) {
  const [row] = await systemDb().deviceLogin.updateManyAndReturn({ where: waiting(user_code_hash, now), data: answer });
  return row ?? null;
}

/** Notes a question that came in time; false for one that came too soon, which makes the next wait longer. */
export async function notePoll(
  { device_code_hash, interval_s }: { device_code_hash: string; interval_s: number },
  now: Date,
  longer_by_s: number,
): Promise<boolean> {
  // Two questions a little closer than they were sent are the network's doing.
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

/** Takes it away: of several who take it at once, true for one. */
export async function takeLogin(device_code_hash: string): Promise<boolean> {
  return (await systemDb().deviceLogin.deleteMany({ where: { device_code_hash } })).count === 1;
}
