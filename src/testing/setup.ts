/**
 * Before each test file. The files of a worker share its process and its modules (vitest.config.ts), so that what a file
 * before this one left in them is taken back here.
 */
import path from 'node:path';
import fc from 'fast-check';
import { resetRateLimiter } from '@/api/rest/rate-limit/process-limiter';
import { resetConfig } from '@/config';
import { inspectScopedSql } from '@/infra/db/scoped-client';
import { registry } from '@/infra/metrics';
import { openReader } from '@/infra/reader';
import { setClock } from '@/shared/clock';
import { restartIds } from '@/shared/ids';
import { loadSqlParser, unscopedTables } from './scoped-sql';

// In CI the property-based tests use one seed, so that a change is judged by itself; elsewhere each run looks further.
if (process.env.CI) fc.configureGlobal({ seed: 20261121 });

await loadSqlParser();
inspectScopedSql((scope, query) => {
  const open = unscopedTables(query, scope);
  if (open.length > 0) throw new Error(`Raw SQL is not held to the scope in ${open.join(', ')}: ${query.text}`);
});

resetConfig();
setClock(null);
restartIds();
resetRateLimiter();
registry.resetMetrics();
// The reading threads run the sources, not a bundle that may be old.
openReader({ entry: () => path.resolve('src/reading-thread/worker.dev.mjs') });
