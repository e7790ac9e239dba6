'use client';
/** What the page of test clocks asks for and does. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '../../trpc';

export type Clock = Outputs['test_clocks']['list']['data'][number];

/** Looked at again and again while one is being advanced. */
export function useClocks(enabled: boolean) {
  const trpc = useTRPC();
  return useQuery(
    trpc.test_clocks.list.queryOptions(
      {},
      {
        enabled,
        refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => status === 'advancing') ? 500 : 15_000),
      },
    ),
  );
}

/** Time changes everything that is shown. */
function useRefresh() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries();
}

export function useCreateClock(onDone: () => void) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  return useMutation(
    trpc.test_clocks.create.mutationOptions({ meta: { handlesError: true }, onSuccess: onDone, onSettled: refresh }),
  );
}

export function useAdvanceClock(onDone: () => void) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  return useMutation(
    trpc.test_clocks.advance.mutationOptions({ meta: { handlesError: true }, onSuccess: onDone, onSettled: refresh }),
  );
}

export function useDeleteClock(onDone: () => void) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  return useMutation(trpc.test_clocks.delete.mutationOptions({ onSuccess: onDone, onSettled: refresh }));
}

/** Has a property go by a clock, or by the real time again. */
export function useBindClock() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  return useMutation(trpc.properties.update.mutationOptions({ onSettled: refresh }));
}
