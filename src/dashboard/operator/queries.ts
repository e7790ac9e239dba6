'use client';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { readError } from '../read-error';
import { type Inputs, type Outputs, useTRPC } from '../trpc';
import { toast } from '../ui/overlay/toaster';

export type Run = Outputs['runs']['list']['data'][number];
export type RunDetail = Outputs['runs']['retrieve'];

/** Runs come and go by the second. */
const LIVE_MS = 5_000;

export function useOverview() {
  const trpc = useTRPC();
  return useQuery(trpc.runs.overview.queryOptions(undefined, { refetchInterval: LIVE_MS }));
}

export function useRuns(query: Inputs['runs']['list'], enabled: boolean) {
  const trpc = useTRPC();
  return useQuery(
    trpc.runs.list.queryOptions(query, { enabled, placeholderData: keepPreviousData, refetchInterval: LIVE_MS }),
  );
}

export function useRun(id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.runs.retrieve.queryOptions({ id }, { refetchInterval: LIVE_MS }));
}

/** Retries or cancels a run, and shows what became of it. */
export function useRunChange(what: 'retry' | 'cancel', done: string) {
  const trpc = useTRPC();
  const client = useQueryClient();
  return useMutation(
    trpc.runs[what].mutationOptions({
      onSuccess: ({ changed }) => {
        if (changed) toast.success(done);
        else toast.error('It is no longer in a state for that.');
        return client.invalidateQueries({ queryKey: trpc.runs.pathKey() });
      },
      onError: (error) => {
        toast.error(readError(error).message);
      },
    }),
  );
}
