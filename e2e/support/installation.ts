/** The whole product as a process of its own, from the build, with a team and its test key; and a guest who signs on its pages. */

import { startTestServer, type TestServer } from '@/testing/server';
import { guest } from '../../scripts/demo/guest';

export interface Installation {
  readonly server: TestServer;
  readonly origin: string;
  readonly test_key: string;
}

/** Starts it. It needs `npm run build`. */
export async function startInstallation(): Promise<Installation> {
  const server = await startTestServer({ with_pages: true, built: true });
  const { team } = await server.admin<{ team: { id: string } }>(
    ...['team', 'create', '--name', 'Harbour Stays', '--plan', 'pro'],
    ...['--owner-email', 'owner@example.com', '--owner-password', 'a harbour of one’s own'],
  );
  const { key } = await server.admin<{ key: string }>('key', 'create', '--team', team.id, '--mode', 'test');
  return { server, origin: server.url, test_key: key };
}

/** Opens the link as a person would, and signs. */
export async function signOnPage(origin: string, signing_url: string): Promise<void> {
  const ada = guest(origin, new URL(signing_url).pathname);
  const shown = await ada.open();
  await ada.look();
  await ada.sign(shown, 'Ada Lovelace');
}
