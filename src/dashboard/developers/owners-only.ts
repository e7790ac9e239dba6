'use client';
import { useTranslations } from 'use-intl/react';
import { useMe } from '../shell/me';

/** Why a member cannot change where the team's data goes; null for the owner. */
export function useConnectionsRefusal(): string | null {
  const ui = useTranslations('ui');
  const { user } = useMe();
  return user.role === 'owner' ? null : ui('owners_only');
}

/** Why a member cannot do what only the owner may, as in “can share deliveries”; null for the owner. */
export function useOwnersOnly(what: string): string | null {
  const t = useTranslations('developers');
  const { user } = useMe();
  return user.role === 'owner' ? null : t('only_an_owner_can', { what });
}
