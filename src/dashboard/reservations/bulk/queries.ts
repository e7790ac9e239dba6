'use client';
/** One action on several reservations: what it would do, and doing it a few at a time. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { BULK_BATCH, type BulkAction } from '@/modules/reservations/bulk/bulk-limits.rules';
import { type Outputs, useTRPC, useTRPCClient } from '../../trpc';

export type BulkPreview = Outputs['reservations']['preview_bulk'];
export type PreviewRow = BulkPreview['rows'][number];
type Told = Outputs['reservations']['bulk']['rows'][number];

export function usePreviewBulk() {
  const trpc = useTRPC();
  return useMutation(trpc.reservations.preview_bulk.mutationOptions({ meta: { handlesError: true } }));
}

/**
 * Acts on what was shown, batch after batch, and gathers what came of each. Where a batch gets lost, run it again: what
 * had arrived is told as nothing left to do, and nobody is mailed twice.
 */
export function useActOnSeveral() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const [told, setTold] = useState<readonly Told[]>([]);
  const run = useMutation({
    meta: { handlesError: true },
    mutationFn: async ({ action, rows }: { action: BulkAction; rows: readonly PreviewRow[] }) => {
      const done = new Set(told.map(({ id }) => id));
      const left = rows.filter(({ id }) => !done.has(id));
      const all = [...told];
      for (let at = 0; at < left.length; at += BULK_BATCH) {
        const batch = left.slice(at, at + BULK_BATCH).map(({ id, to, sent_at }) => ({ id, to, sent_at }));
        all.push(...(await client.reservations.bulk.mutate({ action, rows: batch })).rows);
        setTold([...all]);
      }
      return all;
    },
    onSettled: () => {
      for (const queryKey of [trpc.reservations.pathKey(), trpc.home.pathKey(), trpc.mail.list.pathKey()])
        void queryClient.invalidateQueries({ queryKey });
    },
  });
  return { run, told };
}
