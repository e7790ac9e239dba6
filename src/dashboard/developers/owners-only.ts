'use client';
import { useTranslations } from 'use-intl/react';
import { useMe } from '../shell/me';

/**
 * Returns whether the user may change where the team's data is sent. Owners may, and developers who
 * may see guests' data.
 */
export function useCanManageIntegrations(): boolean {
  const { user } = useMe();
  return user.role === 'owner' || (user.role === 'developer' && user.sees_guests);
}

/**
 * Returns the reason why the user may not change where the team's data is sent. Returns null when
 * they may.
 */
export function useManageIntegrationsRefusalReason(): string | null {
  const ui = useTranslations('ui');
  const { user } = useMe();
  const may = useCanManageIntegrations();
  if (may) return null;
  return user.role === 'developer' ? ui('needs_guest_data') : ui('owners_and_developers_only');
}

/**
 * Returns the message “Only a team owner can …” with the action `what`, such as “share deliveries”.
 * Returns null when the user may do it too.
 */
export function useOwnersOnlyRefusalMessage(what: string): string | null {
  const t = useTranslations('developers');
  return useCanManageIntegrations() ? null : t('only_an_owner_can', { what });
}
