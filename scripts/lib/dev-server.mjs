/**
 * The server from its sources, started again whenever one of them changes: esbuild bundles in a fraction of a second what a
 * loader reads file by file. Pages are Next's, which follows their changes without a restart.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { inProject, ROOT } from './project.mjs';
import { quietEnvironment } from './run.mjs';
import { serverBundle } from './server-bundle.mjs';

const OUT = 'build/dev-server';

/** Serves until a signal or until the server ends by itself; resolves to the exit code. */
export async function serveAndWatch() {
  await rm(inProject(OUT), { recursive: true, force: true });
  // Only where everything is installed.
  const { context } = await import('esbuild');
  const server = new Restarted();
  const onEnd = {
    name: 'restart',
    setup: (build) => build.onEnd(({ errors }) => void (errors.length || server.start())),
  };
  const bundle = await context({ ...serverBundle(OUT), plugins: [onEnd] });
  await bundle.watch();
  // A Ctrl-C reaches the server too, which finishes its requests.
  process.on('SIGINT', () => void server.stop());
  process.on('SIGTERM', () => void server.stop());
  const code = await server.ended;
  await bundle.dispose();
  return code;
}

class Restarted {
  #child = null;
  #restarts = Promise.resolve();
  #end;
  /** The code of a server that ended unasked, or was stopped. */
  ended = new Promise((resolve) => {
    this.#end = resolve;
  });

  /** The next server, when the one before has closed its database. */
  start() {
    this.#restarts = this.#restarts.then(async () => {
      const before = this.#child;
      this.#child = null;
      if (before) {
        process.stdout.write('\n  A source changed: starting again …\n');
        await end(before);
      }
      const child = spawn(process.execPath, ['--enable-source-maps', `${OUT}/server.mjs`], {
        cwd: ROOT,
        env: { ...process.env, ...quietEnvironment, NODE_ENV: 'development' },
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      this.#child = child;
      // One that fails waits for the source that mends it.
      child.on('exit', (code) => child === this.#child && code === 0 && this.#end(0));
    });
  }

  async stop() {
    await this.#restarts;
    const child = this.#child;
    this.#child = null;
    if (child) await end(child);
    this.#end(child?.exitCode ?? 0);
  }
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
