/** Queries on members' saved views. */
import { systemDb } from '@/infra/db/client';
import { Prisma } from '@/infra/db/scoped-client';
import { inSystemTransaction } from '@/infra/db/transaction';
import { memberSavedViewsJsonColumn, type StoredSavedView } from './schemas';

/** Returns the member's views. A user who is not a member has none. */
export async function findSavedViews(team_id: string, user_id: string): Promise<StoredSavedView[]> {
  const row = await systemDb().member.findFirst({
    where: { organizationId: team_id, userId: user_id },
    select: { saved_views: true },
  });
  return row ? memberSavedViewsJsonColumn.read(row.saved_views) : [];
}

/**
 * Changes the views while their row is locked, so that two windows do not overwrite each other's
 * changes.
 */
export function changeSavedViews(
  team_id: string,
  user_id: string,
  change: (views: StoredSavedView[]) => StoredSavedView[],
): Promise<StoredSavedView[]> {
  return inSystemTransaction(async () => {
    const [row] = await systemDb().$queryRaw<{ id: string; saved_views: unknown }[]>(Prisma.sql`
      SELECT id, saved_views FROM members WHERE team_id = ${team_id} AND user_id = ${user_id} FOR UPDATE`);
    if (!row) return [];
    const views = change(memberSavedViewsJsonColumn.read(row.saved_views));
    await systemDb().member.update({
      where: { id: row.id },
      data: { saved_views: memberSavedViewsJsonColumn.write(views) },
    });
    return views;
  });
}
