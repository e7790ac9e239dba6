/**
 * Runs before each test file. The files of a worker share its process and modules
 * (vitest.config.ts), so this file resets the changes that an earlier test file left in them.
 */
import path from 'node:path';
import fc from 'fast-check';
import { resetRateLimiter } from '@/api/rest/rate-limit/process-limiter';
import { resetConfig } from '@/config';
import { setScopedSqlInspector } from '@/infra/db/scoped-client';
import { metricsRegistry } from '@/infra/metrics';
import { getParserPool } from '@/infra/parser-pool';
import { getCertificateRenderPool } from '@/modules/certificates/render';
import { setClock } from '@/shared/clock';
import { resetIdSequence } from '@/shared/ids';
import { setPasswordCost } from './password-cost';
import { findUnscopedColumns, loadSqlParser } from './scoped-sql';

const HALF_AN_HOUR_MS = 1_800_000;

// In CI, property-based tests use one seed, so that only the tested change affects the result.
// Elsewhere each run tries new values.
if (process.env.CI) fc.configureGlobal({ seed: 20261121 });

await loadSqlParser();
setScopedSqlInspector((scope, query) => {
  const open = findUnscopedColumns(query, scope);
  if (open.length > 0) throw new Error(`Raw SQL is not held to the scope in ${open.join(', ')}: ${query.text}`);
});

resetConfig();
setClock(null);
resetIdSequence();
resetRateLimiter();
metricsRegistry.resetMetrics();
setPasswordCost('lowest');
// The parser threads run the sources instead of a possibly outdated bundle.
getParserPool({ entry: () => path.resolve('src/parser-worker/worker.dev.mjs'), idle_ms: HALF_AN_HOUR_MS });
// An idle thread would end between two files, and the first certificate of a thread takes seconds.
getCertificateRenderPool({ idle_ms: HALF_AN_HOUR_MS });
