/** Starts the server that all browser tests share, and stops it after the last one. */
import { rm } from 'node:fs/promises';
import { startTestServer } from '../../src/testing/server';

/** The secret with which the specs authenticate as a mail server. */
export const INBOUND_SECRET = 'a secret of the mail server';

export default async function globalSetup(): Promise<() => Promise<void>> {
  const data_dir = process.env.E2E_DATA_DIR ?? '';
  const server = await startTestServer({
    with_pages: true,
    port: Number(process.env.E2E_PORT),
    data_dir,
    built: true,
    env: {
      INBOUND_SECRET,
      INBOUND_AUTHSERV_ID: 'mx.threshold.example',
      // Trusts loopback as a proxy, so that tests can choose the client address from which they
      // sign in.
      TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
      WEBHOOK_RETRY_DELAYS_S: '0.3,0.3,0.3,0.3,0.5,0.5,0.5,0.5,1',
    },
  });
  return async () => {
    const code = await server.stop();
    await rm(data_dir, { recursive: true, force: true });
    if (code !== 0) throw new Error(`The server did not shut down cleanly (${code}):\n${server.output()}`);
  };
}
