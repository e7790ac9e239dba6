/** Before the workers of the unit and integration tests start: their databases. */
import { startPostgres } from '../../scripts/lib/postgres.mjs';
import { prepareDump } from './database';

/** Starts a PostgreSQL unless TEST_DATABASE_URL names one, or is empty: then all tests run on the embedded database. */
export default async function globalSetup(): Promise<() => void> {
  const started = process.env.TEST_DATABASE_URL === undefined ? await startPostgres() : null;
  if (started) process.env.TEST_DATABASE_URL = started.url;
  await prepareDump();
  return () => started?.stop();
}
