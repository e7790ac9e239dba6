'use client';
/** What the pages of calendars ask for and do. A change refreshes all of them: lists, runs and inbox hang together. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '../trpc';

export type Source = Outputs['sync_sources']['retrieve'];
export type Preview = Outputs['sync_sources']['preview'];
export type DryRun = Outputs['sync_sources']['try_run'];
export type SourceRun = Outputs['sync_sources']['runs']['data'][number];
export type Mail = Outputs['inbox']['list']['data'][number];
export type MailDetail = Outputs['inbox']['retrieve'];

/** Runs happen without us. */
const OFTEN_MS = 10_000;

export function useSources() {
  const trpc = useTRPC();
  return useQuery(trpc.sync_sources.list.queryOptions({ limit: 500 }, { refetchInterval: OFTEN_MS }));
}

export function useSource(id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.sync_sources.retrieve.queryOptions({ id }, { refetchInterval: OFTEN_MS }));
}

export function useRuns(id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.sync_sources.runs.queryOptions({ id }, { refetchInterval: OFTEN_MS }));
}

export function useUpcoming(id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.sync_sources.upcoming.queryOptions({ id }, { refetchInterval: OFTEN_MS }));
}

export function useMarks(id: string, enabled: boolean) {
  const trpc = useTRPC();
  return useQuery(trpc.sync_sources.marks.queryOptions({ id }, { enabled }));
}

export function useInbox(query: { waiting: boolean; sync_source_id?: string }) {
  const trpc = useTRPC();
  return useQuery(trpc.inbox.list.queryOptions(query, { refetchInterval: OFTEN_MS }));
}

export function useMail(id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.inbox.retrieve.queryOptions({ id }));
}

function useRefresh() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: trpc.sync_sources.pathKey() }),
      queryClient.invalidateQueries({ queryKey: trpc.inbox.pathKey() }),
      queryClient.invalidateQueries({ queryKey: trpc.reservations.pathKey() }),
    ]);
}

export function usePreview() {
  const trpc = useTRPC();
  return useMutation(trpc.sync_sources.preview.mutationOptions({ meta: { handlesError: true } }));
}

export function useTryRun() {
  const trpc = useTRPC();
  return useMutation(trpc.sync_sources.try_run.mutationOptions({ meta: { handlesError: true } }));
}

export function useConnect(onDone: (source: Source) => void) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  return useMutation(
    trpc.sync_sources.create.mutationOptions({
      meta: { handlesError: true },
      onSuccess: (source) => {
        void refresh();
        onDone(source);
      },
    }),
  );
}

export function useUpdateSource(options: { inForm?: boolean; onDone?: () => void } = {}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = useRefresh();
  return useMutation(
    trpc.sync_sources.update.mutationOptions({
      meta: { handlesError: options.inForm },
      onSuccess: (source) => {
        queryClient.setQueryData(trpc.sync_sources.retrieve.queryKey({ id: source.id }), source);
        options.onDone?.();
      },
      onSettled: () => refresh(),
    }),
  );
}

/** The answer is the source after its run. */
export function useRunNow(onDone: (source: { last_status: string | null; last_error: string | null }) => void) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  return useMutation(trpc.sync_sources.run.mutationOptions({ onSuccess: onDone, onSettled: () => refresh() }));
}

/** The answer is the source after the run that carries it out. */
export function useAnswer(onDone: (source: Source) => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = useRefresh();
  return useMutation(
    trpc.sync_sources.answer.mutationOptions({
      onSuccess: (source) => {
        queryClient.setQueryData(trpc.sync_sources.retrieve.queryKey({ id: source.id }), source);
        onDone(source);
      },
      onSettled: () => refresh(),
    }),
  );
}

export function useMarkStay(onDone: () => void) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  return useMutation(trpc.sync_sources.mark.mutationOptions({ onSuccess: onDone, onSettled: () => refresh() }));
}

/** The answer is the source with its rules. */
export function useWordRule(onDone: () => void, options: { inForm?: boolean } = {}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = useRefresh();
  return useMutation(
    trpc.sync_sources.set_word_rule.mutationOptions({
      meta: { handlesError: options.inForm },
      onSuccess: (source) => {
        queryClient.setQueryData(trpc.sync_sources.retrieve.queryKey({ id: source.id }), source);
        onDone();
      },
      onSettled: () => refresh(),
    }),
  );
}

export function useRemoveSource(onDone: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.sync_sources.remove.mutationOptions({
      onSuccess: async () => {
        onDone();
        // The page of the removed source is still on screen: only the list may ask again.
        await queryClient.invalidateQueries({ queryKey: trpc.sync_sources.list.pathKey() });
      },
    }),
  );
}

export function useCompleteMail(onDone: (done: { reservation_id: string }) => void) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  return useMutation(
    trpc.inbox.complete.mutationOptions({
      meta: { handlesError: true },
      onSuccess: (done) => {
        onDone(done);
        void refresh();
      },
    }),
  );
}

export function useMoveMail(verb: 'dismiss' | 'reopen', onDone: () => void) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  return useMutation(trpc.inbox[verb].mutationOptions({ onSuccess: onDone, onSettled: () => refresh() }));
}
