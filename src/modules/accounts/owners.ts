/** Who is told what happens to a team: its owners. */
import { systemDb } from '@/infra/db/client';

/** The addresses of a team's owners, the oldest membership first. */
export async function findOwnerEmails(team_id: string): Promise<string[]> {
  const owners = await systemDb().member.findMany({
    where: { organizationId: team_id, role: 'owner' },
    select: { user: { select: { email: true } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return owners.map(({ user }) => user.email);
}
