/** Bundles the reading thread into build/reading-thread/worker.mjs, as the certificates' thread is (build-worker.mjs there). */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');

await build({
  entryPoints: [path.join(here, 'worker.ts')],
  outfile: path.join(root, 'build/reading-thread/worker.mjs'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  tsconfig: path.join(root, 'tsconfig.json'),
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);",
  },
  logLevel: 'warning',
  legalComments: 'none',
});
