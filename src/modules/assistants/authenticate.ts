/** Authenticates AI assistants by their OAuth access token. */
import { intersectGrantedAndRoleScopes } from '@/api/trpc/role-scopes';
import { hashToken } from '@/infra/encryption';
import { findMemberActingThroughAssistant } from '@/modules/accounts/session';
import type { ApiPrincipal } from '@/modules/api-keys/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { isRoleAllowed, ROLES_ALLOWED_TO_CONNECT_ASSISTANTS } from '@/shared/roles';
import type { Mode } from '@/shared/scope';
import { ACCESS_TOKEN_PREFIX } from './provider';
import { findAccessToken } from './repository';

const TOKEN = new RegExp(`^Bearer +${ACCESS_TOKEN_PREFIX}([A-Za-z]{32})$`, 'i');

/**
 * Returns whether an `Authorization` header contains an assistant's access token, not an API key.
 */
export const hasAssistantAccessToken = (header: string | undefined): boolean =>
  header?.toLowerCase().startsWith(`bearer ${ACCESS_TOKEN_PREFIX}`) ?? false;

/**
 * Returns the member for whom the assistant calls, limited to the member's current role. Throws
 * api_key_invalid.
 */
export async function authenticateAssistant(header: string | undefined, ip: string | null): Promise<ApiPrincipal> {
  const [, token] = TOKEN.exec(header ?? '') ?? [];
  const row = token ? await findAccessToken(hashToken(token), clock().now()) : null;
  const [member_id = '', mode] = row?.reference_id.split(':') ?? [];
  const known = row && { ...row, member_id, mode: mode as Mode };
  const member = known && (await findMemberActingThroughAssistant(known, ip));
  if (!row || !member || !isRoleAllowed(member.user.role, member.scope.mode, ROLES_ALLOWED_TO_CONNECT_ASSISTANTS))
    throw new AppError('api_key_invalid', { message: 'The access token is unknown, has expired or was revoked.' });
  const { scope, user, plan } = member;
  const assistant = row.client_name ?? row.client_id;
  // The scopes are limited here, because idempotent replays and the list of tools use them too.
  const scopes = intersectGrantedAndRoleScopes(row.scopes, user.role, scope.mode);
  return { key_id: null, assistant, scope, user, plan, scopes, deprecated: false };
}
