'use client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type BulkAction, MAX_BULK_CALL_RESERVATIONS } from '@/modules/reservations/bulk/bulk-limits.rules';
import { type ProcedureOutputs, useTRPC, useTRPCClient } from '../../trpc';
import type { BulkActionPreviewRow } from '../../types';

type Told = ProcedureOutputs['reservations']['bulk']['rows'][number];

/**
 * Applies an action in batches and collects the results. After a failed batch, the action can run
 * again: reservations that are already done are reported as unchanged, and no guest is mailed
 * twice.
 */
export function useBatchedReservationAction() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const [told, setTold] = useState<readonly Told[]>([]);
  const run = useMutation({
    mutationKey: trpc.reservations.bulk.mutationKey(),
    meta: { handlesError: true },
    mutationFn: async ({ action, rows }: { action: BulkAction; rows: readonly BulkActionPreviewRow[] }) => {
      const done = new Set(told.map(({ id }) => id));
      const left = rows.filter(({ id }) => !done.has(id));
      const all = [...told];
      for (let at = 0; at < left.length; at += MAX_BULK_CALL_RESERVATIONS) {
        const batch = left
          .slice(at, at + MAX_BULK_CALL_RESERVATIONS)
          .map(({ id, to, sent_at }) => ({ id, to, sent_at }));
        all.push(...(await client.reservations.bulk.mutate({ action, rows: batch })).rows);
        setTold([...all]);
      }
      return all;
    },
  });
  return { run, told };
}
