/**
 * Checks codes and refresh tokens before the provider exchanges them. The provider issues the
 * tokens.
 */
import { hashToken } from '@/infra/encryption';
import { findAssistantMember } from '@/modules/accounts/session';
import { clock } from '@/shared/clock';
import { ASSISTANT_ROLES, hasRole } from '@/shared/roles';
import type { Mode } from '@/shared/scope';
import { REFRESH_PREFIX } from './provider';
import * as repository from './repository';

/** The member must confirm again after this time, however often tokens were renewed. */
const CONFIRMED_FOR_MS = 90 * 86_400_000;

export interface InspectedGrant {
  readonly allowed: boolean;
  /** Records the exchange of a code. Call it after the provider has exchanged the grant. */
  exchanged(): Promise<void>;
}

/**
 * Checks a request to the token endpoint. A code that is used twice ends the tokens of its first
 * use (RFC 6749, 4.1.2).
 */
export async function inspectGrant(form: URLSearchParams): Promise<InspectedGrant> {
  const code = form.get('code');
  const hash = code === null ? null : hashToken(code);
  const refresh = form.get('refresh_token')?.slice(REFRESH_PREFIX.length);
  const owner = hash
    ? await repository.findCodeOwner(hash)
    : refresh
      ? await repository.findRefreshOwner(hashToken(refresh))
      : null;
  if (!owner) {
    const used = hash && (await repository.findUsedCode(hash));
    if (used) await repository.deleteTokens(used);
    // The provider refuses the grant with the protocol's error.
    return { allowed: true, exchanged: async () => {} };
  }
  const exchanged = async () => {
    const now = clock().now();
    if (hash) await repository.insertUsedCode(hash, owner, now, new Date(now.getTime() + CONFIRMED_FOR_MS));
  };
  return { allowed: await isConnected(owner), exchanged };
}

/**
 * Returns whether the connection exists, was confirmed in the last 90 days, and belongs to a member
 * who may have assistants.
 */
async function isConnected(owner: repository.GrantOwner): Promise<boolean> {
  const consent = await repository.findConsent(owner);
  if (!consent || clock().now().getTime() - consent.updatedAt.getTime() > CONFIRMED_FOR_MS) return false;
  const [member_id = '', mode] = owner.referenceId.split(':');
  const known = {
    user_id: owner.userId,
    member_id,
    mode: mode as Mode,
    connection_id: consent.id,
    factor_proven: consent.factor_proven,
  };
  const member = await findAssistantMember(known, null);
  return member !== null && hasRole(member.user.role, member.scope.mode, ASSISTANT_ROLES);
}
