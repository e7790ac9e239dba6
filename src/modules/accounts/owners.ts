/** Who is told what happens to a team: its owners. */
import { findOwners } from './repository';

/** The addresses of a team's owners, the oldest membership first. */
export async function findOwnerEmails(team_id: string): Promise<string[]> {
  return (await findOwners(team_id)).map(({ user }) => user.email);
}
