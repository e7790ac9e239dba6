/**
 * Detects whether several teams have work in this process. If so, a backlog is processed in small
 * pieces, so that other teams' events are not delayed. A single active team uses the whole process.
 */

/**
 * How long a team counts as active after its last event or delivery. When this was half a second, a
 * team with little traffic became inactive between two of its events. Another team's backlog then
 * used the whole process and delayed the second event.
 */
const ACTIVE_MS = 2_000;

interface Active {
  team_id: string;
  at: number;
}

let latest: Active = { team_id: '', at: Number.NEGATIVE_INFINITY };
/** The latest activity of a team other than the team of `latest`. */
let latest_other = latest;

/** Records that an event of the team is relayed or delivered. */
export function recordTeamWithRecentEvent(team_id: string): void {
  if (team_id !== latest.team_id) latest_other = latest;
  latest = { team_id, at: performance.now() };
}

/** Returns whether at least two teams are active. */
export function hasSeveralTeamsWithRecentEvents(): boolean {
  return performance.now() - latest_other.at < ACTIVE_MS;
}
