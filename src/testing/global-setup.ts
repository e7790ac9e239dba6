/** Prepares the databases before the workers of the unit and integration tests start. */
import { startPostgres } from '../../scripts/lib/postgres.mjs';
import { ensureTestDatabaseDumpExists, ensureTestDatabaseTemplateExists } from './database';

/**
 * Starts a PostgreSQL, unless TEST_DATABASE_URL is set. When it is set but empty, all tests run on
 * the embedded database.
 */
export default async function globalSetup(): Promise<() => void> {
  const started = process.env.TEST_DATABASE_URL === undefined ? await startPostgres() : null;
  if (started) process.env.TEST_DATABASE_URL = started.url;
  await ensureTestDatabaseDumpExists();
  if (process.env.TEST_DATABASE_URL) await ensureTestDatabaseTemplateExists(process.env.TEST_DATABASE_URL);
  return () => started?.stop();
}
