/**
 * The permissions of members' roles. Keys and background work are limited by their scopes instead.
 * Pure.
 */
import { type Mode, ROLES, type Role, type Scope } from './scope';

/**
 * The former name of managers, before other roles existed. Rows still contain it, because the
 * previous release knows only this name.
 */
const FORMER_MANAGER = 'member';

/**
 * Returns the role with a stored name. Throws for an unknown name, so that such a member has no
 * permissions.
 */
export function parseRole(stored: string | null): Role {
  if (stored === FORMER_MANAGER || stored === null) return 'manager';
  const role = ROLES.find((each) => each === stored);
  if (!role) throw new Error(`"${stored}" is not a role.`);
  return role;
}

/** Roles that may export the team's data as files. */
export const ROLES_ALLOWED_TO_EXPORT: readonly Role[] = ['owner', 'manager'];

/**
 * Returns whether a role is one of the allowed roles. In test mode a developer counts as a manager.
 */
export const isRoleAllowed = (role: Role, mode: Mode, allowed: readonly Role[]): boolean =>
  allowed.includes(role) || (role === 'developer' && mode === 'test' && allowed.includes('manager'));

/** Roles that may connect assistants. An assistant has the permissions of its member's role. */
export const ROLES_ALLOWED_TO_CONNECT_ASSISTANTS: readonly Role[] = ['owner', 'manager', 'developer'];

/** Returns whether guests' personal data is masked for this scope. */
export const shouldMaskGuestData = ({ actor, mode }: Scope): boolean =>
  actor.kind === 'user' && actor.role === 'developer' && mode === 'live' && actor.sees_guests !== true;

/**
 * Returns whether the scope may decide where the team's data is sent. This includes keys, webhook
 * endpoints, their secrets and links, and sites that embed pages.
 */
export const canManageIntegrations = (scope: Scope): boolean =>
  scope.actor.kind !== 'user' ||
  scope.actor.role === 'owner' ||
  (scope.actor.role === 'developer' && !shouldMaskGuestData(scope));
