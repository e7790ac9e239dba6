/**
 * The dashboard's browser bundles contain no Node modules. An indirect import of node:crypto once
 * made the bundler add a polyfill to every page.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const dashboard = readdirSync('src/dashboard', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => `src/dashboard/${file}`);

it('no component imports a Node.js module', async () => {
  const node = new Set([...builtinModules, ...builtinModules.map((name) => `node:${name}`)]);
  const { metafile } = await build({
    entryPoints: dashboard,
    outdir: 'unused',
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    format: 'esm',
    logLevel: 'silent',
    packages: 'external',
    external: [...node],
    alias: { '@': './src' },
    jsx: 'automatic',
  });
  const found = Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
    imports.filter(({ path }) => node.has(path)).map(({ path }) => `${file} -> ${path}`),
  );
  expect(Object.keys(metafile.inputs)).toContain('src/shared/schemas.ts');
  expect(found).toEqual([]);
});

it('every lazy import is retried until it loads', () => {
  const once = dashboard.filter((file) =>
    /\b(dynamic|lazy)\((?!\(\) =>\s*retryImport\()/.test(readFileSync(file, 'utf8')),
  );
  expect(once).toEqual([]);
});
