/**
 * Many due calendars on a few hosts, some of which never respond. Real servers on the loopback
 * interface serve them. Tests and benchmarks only.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { systemDb } from '@/infra/db/client';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import { encryptFeedUrl } from '../service';
import { renderTestCalendarFeed } from './feed-server';

/**
 * The number of server addresses that the healthy calendars share. It is small, because channels
 * serve their calendars from few addresses.
 */
const HEALTHY_HOSTS = 5;

export interface CalendarFeedServers {
  /**
   * Makes all calendars due and waits until each has been polled. Returns the duration. `silent`
   * includes the calendars that never respond.
   */
  ask(among: { silent: boolean }, wake: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Starts the servers. Every fourth silent calendar shares a host with healthy calendars, and the
 * remaining silent calendars have one host each.
 */
export async function startCalendarFeedServers(
  scope: Scope,
  property_id: string,
  count: { healthy: number; silent: number },
): Promise<CalendarFeedServers> {
  const asked = new Map<string, number>();
  const body = renderTestCalendarFeed([{ uid: 'a@a', from: '2099-01-01', to: '2099-01-03' }]);
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.set(path, performance.now());
    if (!path.startsWith('/silent')) response.writeHead(200, { 'content-type': 'text/calendar' }).end(body);
  });
  // All addresses of 127.0.0.0/8 are this machine, and each counts as a separate host.
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const healthyHost = (n: number) => `127.0.1.${1 + (n % HEALTHY_HOSTS)}`;
  const source = (host: string, path: string) => ({
    id: newId('sync_source'),
    team_id: scope.team_id,
    mode: scope.mode,
    property_id,
    kind: 'channel_a_ical',
    feed_url: encryptFeedUrl(`http://${host}:${port}${path}`),
    enabled: false,
    created_at: new Date(),
    updated_at: new Date(),
  });
  const silent = Array.from({ length: count.silent }, (_, n) =>
    source(n % 4 === 3 ? healthyHost(n) : `127.0.2.${1 + n}`, `/silent/${n}`),
  );
  const healthy = Array.from({ length: count.healthy }, (_, n) => source(healthyHost(n), `/healthy/${n}`));
  await systemDb().syncSource.createMany({ data: [...silent, ...healthy] });
  const ids = { silent: silent.map(({ id }) => id), healthy: healthy.map(({ id }) => id) };
  return {
    async ask(among, wake) {
      // Waits for runs in progress, because they would overwrite the due time.
      const running = { id: { in: ids.healthy }, running_token: { not: null } };
      while ((await systemDb().syncSource.count({ where: running })) > 0) await pause(50);
      asked.clear();
      const due = { enabled: true, next_run_at: new Date(), consecutive_failures: 0 };
      await systemDb().syncSource.updateMany({ data: { enabled: false, running_until: null } });
      await systemDb().syncSource.updateMany({ where: { id: { in: ids.healthy } }, data: due });
      // The silent calendars have waited longest, so they come first.
      const before = new Date(Date.now() - 60_000);
      const first = { ...due, next_run_at: before };
      if (among.silent) await systemDb().syncSource.updateMany({ where: { id: { in: ids.silent } }, data: first });
      const expected = count.healthy + (among.silent ? count.silent : 0);
      const started = performance.now();
      await wake();
      while (asked.size < expected) {
        if (performance.now() - started > 120_000) throw new Error(`Only ${asked.size} of ${expected} were asked.`);
        await pause(10);
      }
      return Math.max(...asked.values()) - started;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
