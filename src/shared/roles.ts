/** What a member's role allows beyond being in the team. Keys and background work are limited by their scopes instead. */
import { refusal } from '@/shared/refusals/refusal';
import { AppError } from './errors';
import type { Scope } from './scope';

/** Who may decide where the team's data goes: webhook endpoints, their secrets and links, and sites that embed pages. */
export const mayConnect = ({ actor }: Scope): boolean => actor.kind !== 'user' || actor.role === 'owner';

/** Throws insufficient_scope. */
export function assertMayConnect(scope: Scope): void {
  if (!mayConnect(scope)) {
    throw new AppError('insufficient_scope', { message: refusal('only_the_owner') });
  }
}
