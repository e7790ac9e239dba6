/**
 * `npm start`: prepares the checkout and runs the server in this process, so that signals, the exit
 * code and `kill` apply to the server. The dashboard is built while the server already runs. `npm
 * run dev` serves from the sources and restarts when they change.
 */
import { startDashboardBuild } from './lib/dashboard-build.mjs';
import { exitWhenNpmExits } from './lib/end-with-npm.mjs';
import { loadEnvFile, PROJECT_ROOT, resolveProjectPath } from './lib/project.mjs';
import { quietEnvironment, runInTerminal } from './lib/run.mjs';
import { setUp } from './setup.mjs';

process.chdir(PROJECT_ROOT);
loadEnvFile();
exitWhenNpmExits();

if (process.argv.includes('--dev')) {
  await setUp({ level: 'dev', dev: true });
  const watch = [resolveProjectPath('node_modules/tsx/dist/cli.mjs'), 'watch', '--clear-screen=false', 'src/server.ts'];
  process.exitCode = await runInTerminal(process.execPath, watch, { env: { NODE_ENV: 'development' } });
} else {
  await setUp({ level: 'serve' });
  process.env.NODE_ENV ??= 'production';
  for (const [name, value] of Object.entries(quietEnvironment)) process.env[name] ??= value;
  startDashboardBuild(process.stdout);
  await import('../build/server/server.mjs');
}
