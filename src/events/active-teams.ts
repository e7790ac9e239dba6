/**
 * Whether several teams have work in this process. A backlog then proceeds in small pieces, so that other teams' events pass
 * it. A team that is alone has the whole process.
 */

/** A team counts as active for this long after its last event or delivery. */
const ACTIVE_MS = 500;

interface Active {
  team_id: string;
  at: number;
}

let latest: Active = { team_id: '', at: Number.NEGATIVE_INFINITY };
/** The latest of any other team. */
let latest_other = latest;

/** Records that an event of the team is relayed or delivered. */
export function noteActive(team_id: string): void {
  if (team_id !== latest.team_id) latest_other = latest;
  latest = { team_id, at: performance.now() };
}

/** Returns whether at least two teams are active. */
export function severalActive(): boolean {
  return performance.now() - latest_other.at < ACTIVE_MS;
}
