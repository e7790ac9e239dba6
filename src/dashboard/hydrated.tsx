'use client';
import { type DehydratedState, HydrationBoundary } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Me } from '@/modules/accounts/schemas';
import { useMe } from './shell/me';

/**
 * Hydrates the queries that the server prefetched. Discards them when the user has switched to
 * another mode or team in another tab.
 */
export function PrefetchedQueriesProvider({
  mode,
  team_id,
  state,
  children,
}: {
  mode: Me['mode'];
  team_id: string;
  state: DehydratedState | undefined;
  children: ReactNode;
}) {
  const me = useMe();
  const same = me.mode === mode && me.team.id === team_id;
  return <HydrationBoundary state={same ? state : undefined}>{children}</HydrationBoundary>;
}
