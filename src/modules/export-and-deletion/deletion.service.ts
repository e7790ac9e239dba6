/**
 * Deletes a team permanently (docs/your-data.md). First a transaction ends the access of all people
 * and keys. Then the team's rows are removed in small batches. After a crash the removal continues.
 */

import { logger } from '@/infra/logger';
import { countAttemptOrThrowOverLimit, resetAttemptCount } from '@/modules/accounts/attempt-counters/attempts';
import { verifyPassword } from '@/modules/accounts/sign-in/password';
import {
  checkIdentityProof,
  findPasswordHash,
  hasSessionSkippedSecondFactor,
  type SessionIdentityProofFields,
} from '@/modules/accounts/sign-in/proof';
import { hasSecondFactor, verifySecondFactorCode } from '@/modules/accounts/sign-in/second-factor';
import { runWithBruteForceDelay } from '@/modules/accounts/sign-in/sign-in-guard';
import { recordTeamAuditEntry } from '@/modules/audit-log/service';
import { AppError } from '@/shared/errors';
import { createRefusal, type Refusal } from '@/shared/refusals/refusal';
import * as repository from './deletion.repository';
import type { TeamDeletionPreview } from './schemas';

export interface TeamDeletionRequester {
  team_id: string;
  user: { id: string; name: string; email: string };
  ip: string | null;
  /**
   * The current session. If it was opened very recently, it can prove the user's identity without a
   * password.
   */
  opened: SessionIdentityProofFields;
}

const REFUSED = 'team.deletion_refused';
export const MAX_TEAM_DELETION_ATTEMPTS = 5;
const TRIES_MS = 15 * 60_000;

/** Returns what the deletion would remove, and the number of legal holds that prevent it. */
export const previewTeamDeletion = (team_id: string): Promise<TeamDeletionPreview> =>
  repository.countTeamDataForDeletionPreview(team_id);

/**
 * Deletes the team. Throws invalid_field (`name`, `password`, `code`), rate_limit_exceeded after
 * five wrong tries in 15 minutes, legal_hold, and resource_missing when the team is already being
 * deleted.
 */
export async function deleteTeam(
  doer: TeamDeletionRequester,
  input: { name: string; password?: string; code?: string },
): Promise<void> {
  const team = await repository.findTeamName(doer.team_id);
  if (input.name.trim() !== team.trim()) {
    throw new AppError('invalid_field', { param: 'name', message: createRefusal('type_the_teams_name', { team }) });
  }
  await assertItIsHim(doer, input);
  const outcome = await repository.closeTeam(doer.team_id, doer.user.id);
  if (outcome === 'missing')
    throw new AppError('resource_missing', { message: createRefusal('account_is_being_deleted') });
  if (outcome === 'held') throw new AppError('legal_hold', { message: createRefusal('something_is_held') });
  logger().info({ team_id: doer.team_id, user_id: doer.user.id }, 'a team was deleted by its owner');
}

/** Starts removing rows and does not wait. A durable function completes the removal. */
export function beginTeamRemoval(): void {
  void removeDeletedTeams().catch((error) => logger().error({ err: error }, 'a deleted team could not be removed yet'));
}

const TOO_MANY = createRefusal('too_many_wrong_passwords');
const SIGN_IN_AGAIN = createRefusal('prove_it_is_you');

/**
 * Checks the identity of the owner who deletes the team. Accepts a very recent sign-in with a
 * passkey or a company account. Otherwise requires the password, and a code if an authenticator app
 * is set up. Tries are counted before the comparison, so that parallel tries are counted too.
 * Success resets the count.
 */
async function assertItIsHim(
  doer: TeamDeletionRequester,
  { password, code }: { password?: string; code?: string },
): Promise<void> {
  const { user, opened } = doer;
  const unproven = () => new AppError('invalid_field', { param: 'password', message: SIGN_IN_AGAIN });
  if (password === undefined) {
    if ((await checkIdentityProof(opened, undefined, verifyPassword)) !== 'right') throw unproven();
    return;
  }
  const hash = await findPasswordHash(user.id);
  const has_second_factor = await hasSecondFactor(user.id);
  // An account whose only second factor is a passkey has no code, so the session must have used the
  // passkey.
  if (hash === null || (!has_second_factor && (await hasSessionSkippedSecondFactor(opened)))) throw unproven();
  if (has_second_factor && !code)
    throw new AppError('missing_required_field', { param: 'code', message: createRefusal('enter_a_second_factor') });
  const tries = `team_deletion:${doer.team_id}:${user.id}`;
  await countAttemptOrThrowOverLimit(tries, MAX_TEAM_DELETION_ATTEMPTS, TRIES_MS, TOO_MANY);
  const right = () => verifyPassword(hash, password);
  if (!(await guessed(doer, 'password', right))) await refuse(doer, 'password', createRefusal('password_is_wrong'));
  if (has_second_factor && !(await guessed(doer, 'code', () => verifySecondFactorCode(user.id, code ?? '')))) {
    await refuse(doer, 'code', createRefusal('code_is_not_right'));
  }
  await resetAttemptCount(tries);
}

const guessed = ({ user, ip }: TeamDeletionRequester, kind: 'password' | 'code', check: () => Promise<boolean>) =>
  runWithBruteForceDelay({ kind, email: user.email, ip }, async () => {
    const result = await check();
    return { result, proof: result ? 'right' : 'wrong' };
  });

async function refuse({ team_id, user, ip }: TeamDeletionRequester, param: string, message: Refusal): Promise<never> {
  await recordTeamAuditEntry({ team_id, actor: user.id, actor_name: user.name, action: REFUSED, ip });
  throw new AppError('invalid_field', { param, message });
}

/**
 * Removes the rows of deleted teams. Deletes a team's own row only after a pass that found no rows,
 * because running requests and jobs may still write some. Returns the teams that are completely
 * removed.
 */
export async function removeDeletedTeams(): Promise<string[]> {
  const gone: string[] = [];
  for (const { id } of await repository.findDeletedTeams()) {
    if ((await repository.removeAllRowsOfDeletedTeam(id)) > 0) continue;
    await repository.deleteTeamRow(id);
    gone.push(id);
  }
  return gone;
}
