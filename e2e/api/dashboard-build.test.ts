/**
 * Tests `npm start` on a checkout without a built dashboard. The server responds while the build
 * runs, and serves the dashboard's pages afterwards without a restart. The test decides when the
 * build ends. Needs the build that `npm test` creates.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { hasNextJsBuild, startTestServer, type TestServer } from '@/testing/server';
import { waitUntil } from '../../inngest/engine/testing/harness';

let server: TestServer | undefined;
let folder = '';
afterEach(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Starts a server as scripts/start.mjs does. Its dashboard build runs until a file named `end`
 * exists in the folder, and then succeeds or fails.
 */
async function startBuilding(end: 'done' | 'failed') {
  folder = await mkdtemp(join(tmpdir(), 'threshold-dashboard-'));
  const script = `
    import { existsSync } from 'node:fs';
    import { relative } from 'node:path';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { startDashboardBuild } from './scripts/lib/dashboard-build.mjs';
    let builds = 0;
    // Not fresh until the build ends, as with one whose files are missing.
    const outputs = [relative(process.cwd(), process.env.BUILD_END)];
    async function run({ onOutput }) {
      console.log('build ' + ++builds);
      onOutput('Compiling the pages\\n\\n');
      while (!existsSync(process.env.BUILD_END)) await sleep(20);
      if (${end === 'failed'}) throw Object.assign(new Error('next build failed (1).'), { output: 'No such module' });
    }
    startDashboardBuild(process.stdout, [[
      { name: 'dashboard-build-test', label: 'Building the dashboard', inputs: [], outputs, run },
    ]]);
    await import('./build/server/server.mjs');`;
  const file = join(folder, 'end');
  server = await startTestServer({
    with_pages: true,
    program: ['--input-type=module', '--eval', script],
    env: { BUILD_END: file },
  });
  return { server, finish: () => writeFile(file, '') };
}

const statusOf = async (url: string) => (await fetch(url)).status;

it.skipIf(!hasNextJsBuild())(
  'API, guest pages and documentation respond during a dashboard build, which needs no restart afterwards',
  async () => {
    const { server, finish } = await startBuilding('done');
    const { url } = server;
    // The account and its keys are printed before the build ends.
    await waitUntil(async () => server.output().includes('Your account is in'), 15_000);
    const paths = ['/v1/properties', '/docs', '/sign/no-such-link', '/readyz'];
    expect(await Promise.all(paths.map((path) => statusOf(url + path)))).toEqual([401, 200, 404, 200]);
    const page = await fetch(`${url}/sign-in`);
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '3']);
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await page.text()).toContain('Compiling the pages');
    await finish();
    await waitUntil(async () => (await statusOf(`${url}/sign-in`)) === 200, 60_000);
    expect(await (await fetch(`${url}/sign-in`)).text()).toContain('_next');
    expect(server.output().match(/build \d/g)).toEqual(['build 1']);
    expect(server.output()).toContain('✓ Building the dashboard');
    expect(await server.stopProcess()).toBe(0);
  },
  120_000,
);

it.skipIf(!hasNextJsBuild())(
  'a failed build is reported on the terminal and on the page, and the API still responds',
  async () => {
    const { server, finish } = await startBuilding('failed');
    await finish();
    await waitUntil(async () => server.output().includes('could not be built. Everything else is served'), 15_000);
    expect(server.output()).toContain('No such module');
    const page = await fetch(`${server.url}/`);
    expect([page.status, (await page.text()).includes('could not be built')]).toEqual([503, true]);
    expect(await statusOf(`${server.url}/v1/properties`)).toBe(401);
    expect(await server.stopProcess()).toBe(0);
  },
);
