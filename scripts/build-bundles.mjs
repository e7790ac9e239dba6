/**
 * Bundles the server, or its two workers with the argument `workers`, into build/. A bundle starts
 * faster than TypeScript sources.
 */
import { rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { PROJECT_ROOT, resolveProjectPath } from './lib/project.mjs';
import { getServerBundleOptions } from './lib/server-bundle.mjs';

const workers = {
  absWorkingDir: PROJECT_ROOT,
  entryPoints: {
    'certificates/render-worker': 'src/modules/certificates/render-worker.ts',
    'parser-worker/worker': 'src/parser-worker/worker.ts',
  },
  outdir: 'build',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  jsx: 'automatic',
  tsconfig: 'tsconfig.json',
  // pdfkit finds its standard fonts relative to its own package.json.
  external: ['pdfkit'],
  // Selects React's production build, which is faster.
  define: { 'process.env.NODE_ENV': '"production"' },
  // Some libraries are CommonJS and load Node's modules with `require`, which this banner defines.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);",
  },
  logLevel: 'warning',
  logOverride: { 'direct-eval': 'silent' },
  legalComments: 'none',
};

if (process.argv[2] === 'workers') {
  await build(workers);
} else {
  await rm(resolveProjectPath('build/server'), { recursive: true, force: true });
  await build(getServerBundleOptions('build/server'));
}
