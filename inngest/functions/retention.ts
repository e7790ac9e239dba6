import { tidyDatabase } from '@/infra/db/housekeeping';
import { clearRedacted } from '@/modules/certificates/privacy/erasure';
import { stampLog } from '@/modules/certificates/seal/log-timestamp';
import { cosignLog } from '@/modules/public-log/witnesses';
import { applyRetention, RETENTION_MS } from '@/modules/retention/service';
import { pruneRuns } from '@/modules/sync-sources/run/due';
import { clock } from '@/shared/clock';
import type { InngestClient } from '../client';

/** Removes what is kept no longer, every hour, tidies the embedded database after it, and has the public log stamped and cosigned. */
export const retention = (
  client: InngestClient,
  pruneEngine: ((older_than: Date) => Promise<{ runs: number; events: number }>) | null,
) =>
  client.createFunction(
    { id: 'retention', retries: 2, concurrency: 1, triggers: [{ cron: '17 * * * *' }] },
    async ({ step }) => ({
      ...(await step.run('product', () => applyRetention())),
      engine: await step.run('engine', async () =>
        pruneEngine ? pruneEngine(new Date(clock().now().getTime() - RETENTION_MS.engine)) : null,
      ),
      calendar_runs: await step.run('calendar runs', () => pruneRuns()),
      // After it: what was just removed is what leaves most behind.
      database: await step.run('database', () => tidyDatabase()),
      redacted: await step.run('redacted', () => clearRedacted()),
      // Last: these two wait for servers of others.
      log_stamped: await step.run('log', () => stampLog()),
      log_cosigned: await step.run('log witnesses', () => cosignLog()),
    }),
  );
