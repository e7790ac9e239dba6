/**
 * Builds the guest pages' stylesheet, script and fonts into build/guest. The files are minified,
 * named by content hash, compressed, and listed in manifest.json. `npm run build` runs this script.
 * `node src/guest/build-assets.mjs` runs it alone.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const repository = join(here, '..', '..');

const CONTENT_TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.woff2': 'font/woff2',
};

/**
 * Builds into `outdir` and returns the manifest. The folder is replaced at the end, so that a
 * running server never uses a partial build.
 */
export async function buildGuestAssets(outdir = join(repository, 'build', 'guest')) {
  const staging = `${outdir}.${process.pid}.tmp`;
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  const result = await build({
    absWorkingDir: repository,
    entryPoints: [join(here, 'assets', 'guest.css'), join(here, 'assets', 'guest.ts')],
    outdir: staging,
    bundle: true,
    minify: true,
    metafile: true,
    format: 'iife',
    target: ['es2020', 'chrome90', 'firefox90', 'safari14.1'],
    entryNames: '[name].[hash]',
    assetNames: '[name].[hash]',
    loader: { '.woff2': 'file' },
    logLevel: 'warning',
  });
  const entry = (name) => {
    const found = Object.entries(result.metafile.outputs).find(([, output]) => output.entryPoint?.endsWith(name));
    if (!found) throw new Error(`esbuild made nothing of ${name}`);
    return basename(found[0]);
  };
  const files = {};
  for (const name of (await readdir(staging)).sort()) {
    const extension = name.slice(name.lastIndexOf('.'));
    files[name] = { content_type: CONTENT_TYPES[extension] ?? 'application/octet-stream' };
    if (extension === '.woff2') continue;
    const content = await readFile(join(staging, name));
    await writeFile(join(staging, `${name}.gz`), await promisify(gzip)(content, { level: 9 }));
    await writeFile(join(staging, `${name}.br`), await promisify(brotliCompress)(content));
  }
  const manifest = { css: entry('guest.css'), js: entry('guest.ts'), files };
  await writeFile(join(staging, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await rm(outdir, { recursive: true, force: true });
  await rename(staging, outdir);
  return manifest;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const manifest = await buildGuestAssets();
  console.log(`Guest pages: ${manifest.css}, ${manifest.js}`);
}
