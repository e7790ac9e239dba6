/**
 * Whose data a piece of work may touch. Every repository function takes a Scope first, and the scoped database
 * client adds its team and mode to every query, so that a forgotten condition cannot reach another tenant.
 */
export type Mode = 'live' | 'test';

export type Actor =
  | { kind: 'api_key'; id: string; name: string }
  | { kind: 'user'; id: string; name: string; role: 'owner' | 'member' }
  | { kind: 'guest' }
  | { kind: 'system'; name: string };

export interface Scope {
  readonly team_id: string;
  readonly mode: Mode;
  readonly actor: Actor;
  /** The address the caller called from, for the audit log; absent for background work. */
  readonly ip?: string | null;
  /** Of a request of `/v1`: events say which it was. */
  readonly request_id?: string;
}

/** A scope for background work on behalf of a team. */
export function systemScope(team_id: string, mode: Mode, name: string): Scope {
  return { team_id, mode, actor: { kind: 'system', name } };
}
