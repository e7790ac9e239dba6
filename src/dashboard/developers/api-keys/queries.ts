'use client';
/** What the key page asks for and does. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Inputs, type Outputs, useTRPC } from '../../trpc';

export type ApiKey = Outputs['api_keys']['list']['data'][number];
export type KeyUsage = Outputs['api_keys']['usage'];
export type NewKey = Inputs['api_keys']['create'];

export function useApiKeys() {
  const trpc = useTRPC();
  return useQuery(trpc.api_keys.list.queryOptions(undefined, { refetchInterval: 15_000 }));
}

export function useKeyUsage(id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.api_keys.usage.queryOptions({ id }, { refetchInterval: 15_000 }));
}

function useRefresh() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: trpc.api_keys.pathKey() });
}

/** The answer holds the key itself. */
export function useCreateKey() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  return useMutation(
    trpc.api_keys.create.mutationOptions({ meta: { handlesError: true }, onSuccess: () => refresh() }),
  );
}

/** The answer holds the new key itself. */
export function useRotateKey() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  return useMutation(trpc.api_keys.rotate.mutationOptions({ onSettled: () => refresh() }));
}

export function useRevokeKey(onDone: () => void) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  return useMutation(trpc.api_keys.revoke.mutationOptions({ onSuccess: onDone, onSettled: () => refresh() }));
}
