'use client';
import { useTranslations } from 'use-intl/react';
import { useMe } from '../shell/me';

/**
 * Whether the reader may change where the team's data goes: owners, and developers to whom guests
 * are shown.
 */
export function useMayConnect(): boolean {
  const { user } = useMe();
  return user.role === 'owner' || (user.role === 'developer' && user.sees_guests);
}

/** Why a member cannot change where the team's data goes. Null for those who may. */
export function useConnectionsRefusal(): string | null {
  const ui = useTranslations('ui');
  const { user } = useMe();
  const may = useMayConnect();
  if (may) return null;
  return user.role === 'developer' ? ui('needs_guest_data') : ui('owners_and_developers_only');
}

/** Why a member cannot do what only those may, as in “can share deliveries”. Null for those. */
export function useOwnersOnly(what: string): string | null {
  const t = useTranslations('developers');
  return useMayConnect() ? null : t('only_an_owner_can', { what });
}
