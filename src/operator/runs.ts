/** The embedded engine's runs for the operator's commands: from its tables, so that no server has to run. */
import { systemDb } from '@/infra/db/client';
import { runControl } from '@/infra/durable-runs';
import { clock } from '@/shared/clock';
import { prismaDb } from '../../inngest/engine/prisma-db';
import { listRuns, retryRun } from '../../inngest/engine/store/operations';
import type { RunEntry, RunStatus } from './engine-runs/schemas';
import { serializeRun } from './engine-runs/serializer';

/** Newest first. */
export async function listOperatorRuns(query: { status?: RunStatus; limit: number }): Promise<RunEntry[]> {
  return (await listRuns(prismaDb(systemDb()), query, clock().now())).map(serializeRun);
}

/** Sets a failed run going: at once in a running server, else when one runs again. False when there is no such failed run. */
export async function retryOperatorRun(id: string): Promise<boolean> {
  const control = runControl();
  if (control) return control.retryRun(id);
  return prismaDb(systemDb()).transaction((tx) => retryRun(tx, id, clock().now()));
}
