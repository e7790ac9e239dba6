#!/usr/bin/env node
/**
 * Runs the operator's commands (src/operator): `threshold-admin …` and `npm run --silent admin --
 * …`. Installs and builds only what a command needs. Reports progress on stderr, because stdout is
 * only for the result.
 */
import { loadEnvFile, PROJECT_ROOT } from './lib/project.mjs';
import { setUp } from './setup.mjs';

process.env.INIT_CWD ??= process.cwd();
process.chdir(PROJECT_ROOT);
loadEnvFile();
await setUp({ level: 'client', stream: process.stderr });
process.env.NODE_ENV ??= 'production';
await import('tsx');
await import('../src/operator/main.ts');
