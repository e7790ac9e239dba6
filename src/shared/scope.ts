/**
 * Describes whose data a piece of work may access. The first parameter of every repository function
 * is a Scope. The scoped database client adds its team and mode to every query, so that a forgotten
 * condition cannot expose another tenant's data.
 */
export type Mode = 'live' | 'test';

/** Roles of members, in the order in which they are offered (roles.ts). */
export const ROLES = ['owner', 'manager', 'co_host', 'developer'] as const;
export type Role = (typeof ROLES)[number];

export type Actor =
  | { kind: 'api_key'; id: string; name: string }
  | {
      kind: 'user';
      id: string;
      name: string;
      role: Role;
      /** Whether an owner allows this developer to see guests' data in live mode. */
      sees_guests?: boolean;
    }
  | { kind: 'guest' }
  | { kind: 'system'; name: string };

export interface Scope {
  readonly team_id: string;
  readonly mode: Mode;
  readonly actor: Actor;
  /**
   * The only properties that a co-host may access. Absent for all other callers. The scoped client
   * enforces this limit.
   */
  readonly properties?: readonly string[];
  /** The caller's address for the audit log. Absent for background work. */
  readonly ip?: string | null;
  /** The id of the `/v1` request. It is stored in the events of the request. */
  readonly request_id?: string;
}

/** Returns a scope for background work on behalf of a team. */
export function createSystemScope(team_id: string, mode: Mode, name: string): Scope {
  return { team_id, mode, actor: { kind: 'system', name } };
}
