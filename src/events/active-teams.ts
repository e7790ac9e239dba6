/**
 * Detects whether several teams have work in this process. If so, a backlog is processed in small
 * pieces, so that other teams' events are not delayed. A single active team uses the whole process.
 */

/**
 * How long a team counts as active after its last event or delivery. With half a second, a backlog
 * used the whole process between two events of a team with little traffic, and delayed its next
 * event.
 */
const ACTIVE_MS = 2_000;

interface Active {
  team_id: string;
  at: number;
}

let latest: Active = { team_id: '', at: Number.NEGATIVE_INFINITY };
/** The latest activity of a team other than that of `latest`. */
let latest_other = latest;

/** Records that an event of the team is relayed or delivered. */
export function recordActiveTeam(team_id: string): void {
  if (team_id !== latest.team_id) latest_other = latest;
  latest = { team_id, at: performance.now() };
}

/** Returns whether at least two teams are active. */
export function hasSeveralActiveTeams(): boolean {
  return performance.now() - latest_other.at < ACTIVE_MS;
}
