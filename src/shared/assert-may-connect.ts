import { AppError } from './errors';
import { createRefusal } from './refusals/refusal';
import { canManageIntegrations, shouldMaskGuestData } from './roles';
import type { Scope } from './scope';

/** Throws insufficient_scope for a member who may not decide where the team's data is sent. */
export function assertMemberCanManageIntegrations(scope: Scope): void {
  if (canManageIntegrations(scope)) return;
  throw new AppError('insufficient_scope', {
    message: createRefusal(shouldMaskGuestData(scope) ? 'needs_guest_data' : 'only_owners_and_developers'),
  });
}
