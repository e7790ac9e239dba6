'use client';
import { useMe } from '../shell/me';

/** Why a member cannot do what only the owner may; null for the owner. */
export function useOwnersOnly(what: string): string | null {
  const { user } = useMe();
  return user.role === 'owner' ? null : `Only an owner of the account can ${what}. Ask one of them.`;
}
