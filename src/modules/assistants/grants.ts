/**
 * Checks authorization codes and refresh tokens before the OAuth provider exchanges them for new
 * tokens.
 */
import { hashToken } from '@/infra/encryption';
import { findMemberActingThroughAssistant } from '@/modules/accounts/session';
import { clock } from '@/shared/clock';
import { isRoleAllowed, ROLES_ALLOWED_TO_CONNECT_ASSISTANTS } from '@/shared/roles';
import type { Mode } from '@/shared/scope';
import { REFRESH_TOKEN_PREFIX } from './provider';
import * as repository from './repository';

/**
 * The time after which the member must consent again, even if the assistant kept renewing its
 * tokens.
 */
const CONFIRMED_FOR_MS = 90 * 86_400_000;

export interface OauthGrantCheckResult {
  readonly allowed: boolean;
  /**
   * Records that the authorization code was exchanged. Call it after the provider has issued the
   * tokens.
   */
  exchanged(): Promise<void>;
}

/**
 * Checks a request to the token endpoint. If a code is used a second time, the tokens from its
 * first use are deleted (RFC 6749, 4.1.2).
 */
export async function checkOauthGrantAndRevokeIfReused(form: URLSearchParams): Promise<OauthGrantCheckResult> {
  const code = form.get('code');
  const hash = code === null ? null : hashToken(code);
  const refresh = form.get('refresh_token')?.slice(REFRESH_TOKEN_PREFIX.length);
  const owner = hash
    ? await repository.findAssistantConnectionByOauthCode(hash)
    : refresh
      ? await repository.findAssistantConnectionByRefreshToken(hashToken(refresh))
      : null;
  if (!owner) {
    const used = hash && (await repository.findAssistantConnectionByUsedOauthCode(hash));
    if (used) await repository.deleteAssistantConnectionTokens(used);
    // An unknown grant is allowed here, because the provider then refuses it with the proper OAuth
    // error.
    return { allowed: true, exchanged: async () => {} };
  }
  const exchanged = async () => {
    const now = clock().now();
    if (hash) await repository.insertUsedOauthCode(hash, owner, now, new Date(now.getTime() + CONFIRMED_FOR_MS));
  };
  return { allowed: await isConnected(owner), exchanged };
}

/**
 * Returns whether the connection exists, was confirmed in the last 90 days, and belongs to a member
 * whose role may connect assistants.
 */
async function isConnected(owner: repository.AssistantConnectionIdentity): Promise<boolean> {
  const consent = await repository.findAssistantConsent(owner);
  if (!consent || clock().now().getTime() - consent.updatedAt.getTime() > CONFIRMED_FOR_MS) return false;
  const [member_id = '', mode] = owner.referenceId.split(':');
  const known = {
    user_id: owner.userId,
    member_id,
    mode: mode as Mode,
    connection_id: consent.id,
    factor_proven: consent.factor_proven,
  };
  const member = await findMemberActingThroughAssistant(known, null);
  return member !== null && isRoleAllowed(member.user.role, member.scope.mode, ROLES_ALLOWED_TO_CONNECT_ASSISTANTS);
}
