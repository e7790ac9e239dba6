'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Inputs, type Outputs, useTRPC } from '../../trpc';

export type AuditEntry = Outputs['audit_log']['list']['data'][number];

// Never from the cache alone: what was done a second ago elsewhere in the dashboard belongs in it.
const fresh = { staleTime: 0 };

export function useAuditLog(query: Inputs['audit_log']['list'], enabled: boolean) {
  const trpc = useTRPC();
  return useQuery(trpc.audit_log.list.queryOptions(query, { placeholderData: keepPreviousData, enabled, ...fresh }));
}

export function useAuditActors(enabled: boolean) {
  const trpc = useTRPC();
  return useQuery(trpc.audit_log.actors.queryOptions(undefined, { enabled, ...fresh }));
}
