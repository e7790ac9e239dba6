/** Signatures whose certificate is not sealed, over all teams: what a lost event or a crash left behind. */
import { clock } from '@/shared/clock';
import { type Scope, systemScope } from '@/shared/scope';
import { findUnsealedBefore } from '../repository';

/** Younger ones are under way by their own event. */
const GRACE_MS = 2 * 60 * 1000;

export interface Unsealed {
  signature_id: string;
  scope: Scope;
}

/** The oldest `limit` of them. */
export async function findUnsealed(limit: number, grace_ms = GRACE_MS): Promise<Unsealed[]> {
  const rows = await findUnsealedBefore(new Date(clock().now().getTime() - grace_ms), limit);
  return rows.map(({ id, team_id, mode }) => ({ signature_id: id, scope: systemScope(team_id, mode, 'seal') }));
}
