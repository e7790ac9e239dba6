/**
 * Tests the Caddy configuration of docs/deploy.md in front of the real server while the Inngest
 * server is unavailable. Caddy must still serve the site, and must still forward Inngest's requests
 * to the functions. Needs Debian's `caddy`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort, startTestServer, type TestServer } from '@/testing/server';

function hasCaddy(): boolean {
  try {
    execFileSync('caddy', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
const SKIP_REASON = 'no `caddy` on this machine (apt-get install caddy)';
if (!hasCaddy()) console.warn(`behind-proxy.test.ts is skipped: ${SKIP_REASON}`);

/**
 * Returns the documented Caddy configuration with three changes for the test: no certificates, one
 * instance, and fast health checks.
 */
async function caddyfile(port: number, upstream: number): Promise<string> {
  const documented = /\n\(app\) \{\n[\s\S]*?\n\}\n/.exec(await readFile('docs/deploy.md', 'utf8'))?.[0];
  if (!documented) throw new Error('docs/deploy.md has no `(app)` block.');
  const app = documented
    .replace(/reverse_proxy [^{]*\{/, `reverse_proxy 127.0.0.1:${upstream} {`)
    .replace(/health_interval \S+/, 'health_interval 200ms')
    .replace(/lb_try_duration \S+/, 'lb_try_duration 500ms');
  return `{\n\tadmin off\n\tauto_https off\n}\n${app}\nhttp://localhost:${port} {\n\tbind 127.0.0.1\n\timport app\n}\n`;
}

describe.skipIf(!hasCaddy())('behind Caddy, as documented, with an absent Inngest server', () => {
  let folder: string;
  let server: TestServer;
  let caddy: ChildProcess;
  let origin: string;
  const ask = (path: string, init?: RequestInit) => fetch(`${origin}${path}`, init);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'threshold-caddy-'));
    const [port, absent] = [await findFreePort(), await findFreePort()];
    origin = `http://localhost:${port}`;
    server = await startTestServer({
      env: {
        APP_URL: origin,
        INNGEST_BASE_URL: `http://127.0.0.1:${absent}`,
        INNGEST_EVENT_KEY: 'event-key',
        INNGEST_SIGNING_KEY: 'signkey-prod-0123456789abcdef0123456789abcdef',
      },
    });
    await writeFile(join(folder, 'Caddyfile'), await caddyfile(port, Number(new URL(server.url).port)));
    caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
      stdio: 'ignore',
      env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    });
  }, 180_000);
  afterAll(async () => {
    caddy?.kill('SIGTERM');
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('API, guest pages and functions are reachable, and /readyz warns of the missing registration', async () => {
    const warned = async () => (JSON.parse(await (await fetch(`${server.url}/readyz`)).text()).warnings ?? []).join();
    await expect.poll(warned, { timeout: 60_000 }).toContain('did not register');
    const listens = () =>
      ask('/healthz').then(
        () => true,
        () => false,
      );
    await expect.poll(listens, { timeout: 30_000 }).toBe(true);
    // Waits for several rounds of the proxy's health checks.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect((await ask('/readyz')).status).toBe(200);
    expect((await ask('/v1/properties')).status).toBe(401);
    expect((await ask(`/sign/${'a'.repeat(32)}`)).status).toBeLessThan(500);
    expect((await ask('/api/inngest', { method: 'POST', body: '{}' })).status).not.toBe(503);
  }, 120_000);
});
