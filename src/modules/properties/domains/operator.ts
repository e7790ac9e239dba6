/** An operator's last word on a custom domain. */
import type { Mode } from '@/shared/scope';
import { releaseDomain } from './health.service';

/** Takes the domain from who has it. Returns the properties; none when nobody proved it. */
export async function releaseByOperator(domain: string, mode: Mode): Promise<{ property: string; team: string }[]> {
  const released = await releaseDomain(domain.trim().toLowerCase(), mode, 'released');
  return released.map(({ id, team_id }) => ({ property: id, team: team_id }));
}
