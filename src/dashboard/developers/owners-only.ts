'use client';
import { useTranslations } from 'use-intl/react';
import { useMe } from '../shell/me';

/**
 * Returns whether the user may change where the team's data is sent: an owner, or a developer who
 * sees guests.
 */
export function useCanConnect(): boolean {
  const { user } = useMe();
  return user.role === 'owner' || (user.role === 'developer' && user.sees_guests);
}

/** Why the user may not change where the team's data is sent. Null when they may. */
export function useConnectionsRefusal(): string | null {
  const ui = useTranslations('ui');
  const { user } = useMe();
  const may = useCanConnect();
  if (may) return null;
  return user.role === 'developer' ? ui('needs_guest_data') : ui('owners_and_developers_only');
}

/** Why the user may not do this, as in “can share deliveries”. Null when they may. */
export function useOwnersOnlyReason(what: string): string | null {
  const t = useTranslations('developers');
  return useCanConnect() ? null : t('only_an_owner_can', { what });
}
