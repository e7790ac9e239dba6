/** Before the workers of the unit and integration tests start. */
import { prepareDump } from './database';

export default async function globalSetup(): Promise<void> {
  if (!process.env.TEST_DATABASE_URL) await prepareDump();
}
