/**
 * `npm run demo`: runs the specification's arrival-release recipe over real HTTP, like a partner
 * (scripts/demo/main.ts). With `--kill`, the server is killed with SIGKILL and restarted after
 * every step.
 */
import { loadEnvFile, PROJECT_ROOT } from './lib/project.mjs';
import { setUp } from './setup.mjs';

process.chdir(PROJECT_ROOT);
loadEnvFile();
await setUp({ level: process.env.BASE_URL ? 'client' : 'build' });
await import('tsx');
await import('./demo/main.ts');
