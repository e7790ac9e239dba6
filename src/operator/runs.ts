/**
 * Reads the embedded engine's runs for the operator's commands, from the engine's tables, so that
 * no server has to run.
 */

import { config } from '@/config';
import { systemDb } from '@/infra/db/client';
import { getDurableRunController } from '@/infra/durable-runs';
import { clock } from '@/shared/clock';
import { createSqlDbFromPrismaClient } from '../../inngest/engine/prisma-db';
import { listRuns, retryRun } from '../../inngest/engine/store/operations';
import type { DurableRunListItem, DurableRunStatus } from './engine-runs/schemas';
import { serializeDurableRun } from './engine-runs/serializer';

/**
 * Lists runs in the order of the operator's page. Throws when a real Inngest server does the work.
 */
export async function listDurableRunsForOperator(query: {
  status?: DurableRunStatus;
  limit: number;
}): Promise<DurableRunListItem[]> {
  assertEmbedded();
  return (await listRuns(createSqlDbFromPrismaClient(systemDb()), query, clock().now())).map(serializeDurableRun);
}

/**
 * Restarts a failed run: at once in a running server, otherwise at the next start. Returns false
 * when there is no such failed run.
 */
export async function retryFailedDurableRun(id: string): Promise<boolean> {
  assertEmbedded();
  const control = getDurableRunController();
  if (control) return control.retryRun(id);
  return createSqlDbFromPrismaClient(systemDb()).transaction((tx) => retryRun(tx, id, clock().now()));
}

/**
 * Throws when a real Inngest server does the work, because an empty list would suggest that there
 * are no runs.
 */
function assertEmbedded(): void {
  const { inngest } = config();
  if (!inngest) return;
  const where = inngest.base_url ?? (inngest.dev ? 'http://localhost:8288' : 'https://app.inngest.com');
  throw new Error(`Inngest does the durable work of this installation: its runs are at ${where}/runs.`);
}
