/**
 * `npm run image -- <folder>`: copies only the files that serving needs into a folder: the built
 * server, the operator's command, the workers, the pages, and each package's files that they load.
 * The Dockerfile's second stage contains this folder. e2e/image runs the demonstration in it.
 */
import { cp, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PROJECT_ROOT } from './lib/project.mjs';
import { setUp } from './setup.mjs';

const [target] = process.argv.slice(2);
if (!target) {
  process.stderr.write('Usage: npm run image -- <folder>\n');
  process.exit(2);
}
process.chdir(PROJECT_ROOT);
await setUp({ level: 'build' });
await import('tsx');
const { listFontFiles } = await import('../src/modules/certificates/document/fonts.ts');

/** Entry files of the processes. All files that they load are copied. */
const ENTRIES = [
  'build/server/server.mjs',
  'build/server/operator.mjs',
  'build/certificates/render-worker.mjs',
  'build/parser-worker/worker.mjs',
];
/** Files and folders that are read by path, and therefore copied completely. */
const WHOLE = [
  'build',
  'prisma',
  'docs',
  'public',
  'src/docs/assets',
  '.next',
  'node_modules/@prisma/schema-engine-wasm',
  // pdfkit selects a font by its name at run time.
  'node_modules/pdfkit/js/standard-fonts',
  // Next loads this package when it reads its configuration, but does not use it.
  'node_modules/next/dist/compiled/webpack',
];
const FILES = [
  'LICENSE',
  'THIRD-PARTY-NOTICES.md',
  'package.json',
  'next.config.mjs',
  'node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2',
  ...listFontFiles(),
];
/** Files that only building, development or other platforms need. */
const NEVER = [
  'node_modules/next/dist/compiled/babel*/**',
  'node_modules/next/dist/compiled/@vercel/og/**',
  'node_modules/next/dist/compiled/next-server/*.dev.js',
  'node_modules/next/dist/compiled/react*/**/*.development.js',
  'node_modules/next/dist/server/dev/**',
  'node_modules/next/dist/build/swc/**',
  'node_modules/@next/swc*/**',
  'node_modules/@swc/core*/**',
  'node_modules/typescript/**',
  'node_modules/esbuild/**',
  'node_modules/vite/**',
  'node_modules/@esbuild/**',
  'node_modules/**/*.map',
  'node_modules/**/*.d.ts',
  'node_modules/**/*.md',
];
/**
 * Returns whether a file is omitted. Next's lists of traced files are omitted because only this
 * script reads them, and the screenshots because only the README uses them.
 */
const isLeftOut = (file) =>
  /^build\/sync-sources\/|^\.next\/(cache|trace|types|diagnostics)|\.nft\.json$|^docs\/screenshots/.test(file);

const { nodeFileTrace } = createRequire(import.meta.url)('next/dist/compiled/@vercel/nft');
const { fileList } = await nodeFileTrace(ENTRIES, { base: PROJECT_ROOT, processCwd: PROJECT_ROOT, ignore: NEVER });

const files = new Set([...FILES, ...fileList]);
for (const list of await tracedByNext()) for (const file of list) files.add(file);
for (const file of await alsoOfNewerNode([...files])) files.add(file);
await rm(target, { recursive: true, force: true });
for (const folder of WHOLE)
  await cp(folder, path.join(target, folder), {
    verbatimSymlinks: true,
    recursive: true,
    filter: (from) => !isLeftOut(path.relative(PROJECT_ROOT, path.resolve(from))) && !from.endsWith('.map'),
  });
const sizes = new Map();
for (const file of files) {
  if (!FILES.includes(file) && !file.startsWith('node_modules/')) continue;
  // npm 10 installs it next to the native build of the platform, and Next lists it.
  if (file.startsWith('node_modules/@img/sharp-wasm32/')) continue;
  if (WHOLE.some((folder) => file.startsWith(`${folder}/`))) continue;
  if ((await stat(file)).isDirectory()) continue;
  const to = path.join(target, file);
  await mkdir(path.dirname(to), { recursive: true });
  await cp(file, to, { dereference: true });
  const part = file
    .split('/')
    .slice(0, file.includes('/@') ? 3 : 2)
    .join('/');
  sizes.set(part, (sizes.get(part) ?? 0) + (await stat(to)).size);
}
for (const folder of WHOLE) sizes.set(folder, await sizeOf(path.join(target, folder)));

const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
const mb = (size) => `${(size / 1e6).toFixed(1).padStart(7)} MB`;
for (const [part, size] of [...sizes].sort((a, b) => b[1] - a[1]).slice(0, 20)) console.log(`${mb(size)}  ${part}`);
console.log(`${mb(total)}  in all, in ${target}`);

/**
 * Some packages load different files on newer versions of Node. The trace contains only the files
 * for the current version. Returns all code files of these packages.
 */
async function alsoOfNewerNode(traced) {
  const more = [];
  for (const file of traced.filter((name) => /^node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(name))) {
    if (!(await readFile(file, 'utf8')).includes('"module-sync"')) continue;
    const folder = path.dirname(file);
    const names = await readdir(folder, { recursive: true });
    more.push(...names.filter((name) => /\.[cm]?js$/.test(name)).map((name) => path.join(folder, name)));
  }
  return more;
}

/** Returns the files that Next's lists name for its pages and its server. */
async function tracedByNext() {
  const lists = [];
  for (const found of await readdir('.next', { recursive: true })) {
    if (!found.endsWith('.nft.json') || found.startsWith('cache')) continue;
    const from = path.dirname(path.join('.next', found));
    const { files } = JSON.parse(await readFile(path.join('.next', found), 'utf8'));
    lists.push(files.map((file) => path.relative(PROJECT_ROOT, path.resolve(from, file))));
  }
  return lists;
}

async function sizeOf(folder) {
  let size = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) size += (await stat(path.join(entry.parentPath, entry.name))).size;
  return size;
}
