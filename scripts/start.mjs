/**
 * `npm start`: makes the checkout ready, then becomes the server: it runs in this very process, so that signals, the
 * exit code and `kill` mean the server. `npm run dev` serves from the sources and starts again when they change.
 */

import { serveAndWatch } from './lib/dev-server.mjs';
import { endWithNpm } from './lib/end-with-npm.mjs';
import { loadEnvFile, ROOT } from './lib/project.mjs';
import { quietEnvironment } from './lib/run.mjs';
import { setUp } from './setup.mjs';

process.chdir(ROOT);
loadEnvFile();
endWithNpm();

if (process.argv.includes('--dev')) {
  await setUp({ level: 'dev', dev: true });
  process.exitCode = await serveAndWatch();
} else {
  await setUp({ level: 'build' });
  process.env.NODE_ENV ??= 'production';
  for (const [name, value] of Object.entries(quietEnvironment)) process.env[name] ??= value;
  await import('../build/server/server.mjs');
}
