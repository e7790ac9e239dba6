/**
 * Defines which operations of `/v1` a member may call, in the dashboard and through an assistant.
 * The permissions are expressed as the scopes that an API key would need.
 */
import { API_KEY_SCOPE_NAMES, type GrantedScopes, isScopeGranted, type RequiredScope } from '@/modules/api-keys/scopes';
import type { Mode, Role } from '@/shared/scope';

const CO_HOST: readonly RequiredScope[] = [
  'properties:read',
  'packets:read',
  'reservations:write',
  'reservations:send',
  'certificates:read',
  'sync_sources:read',
];

/**
 * All scopes except the scopes for certificates and text messages, which consist only of guest
 * data.
 */
const DEVELOPER: readonly RequiredScope[] = [
  'properties:read',
  'packets:read',
  'reservations:read',
  'sync_sources:read',
  'webhooks:write',
  'events:read',
  'request_logs:read',
  'test_clocks:write',
];

const SCOPES: Readonly<Record<Role, GrantedScopes>> = {
  owner: 'all',
  manager: 'all',
  co_host: CO_HOST,
  developer: DEVELOPER,
};

/** Returns the scopes of a role. In test mode a developer has the permissions of a manager. */
export const getRoleScopes = (role: Role, mode: Mode): GrantedScopes =>
  SCOPES[role === 'developer' && mode === 'test' ? 'manager' : role];

/** Returns the scopes that both the grant and the member's role include. */
export const intersectGrantedAndRoleScopes = (granted: GrantedScopes, role: Role, mode: Mode): RequiredScope[] =>
  API_KEY_SCOPE_NAMES.filter(
    (scope) => isScopeGranted(granted, scope) && isScopeGranted(getRoleScopes(role, mode), scope),
  );
