/** Starts the one server that all browser tests talk to, and stops it after the last. */
import { rm } from 'node:fs/promises';
import { startTestServer } from '../../src/testing/server';

/** What the specs' mail server says to be let in. */
export const INBOUND_SECRET = 'a secret of the mail server';

export default async function globalSetup(): Promise<() => Promise<void>> {
  const data_dir = process.env.E2E_DATA_DIR ?? '';
  const server = await startTestServer({
    with_pages: true,
    port: Number(process.env.E2E_PORT),
    data_dir,
    env: { INBOUND_SECRET },
  });
  return async () => {
    const code = await server.stop();
    await rm(data_dir, { recursive: true, force: true });
    if (code !== 0) throw new Error(`The server did not shut down cleanly (${code}):\n${server.output()}`);
  };
}
