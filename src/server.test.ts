import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { getServerBundleOptions } from '../scripts/lib/server-bundle.mjs';

/**
 * Large packages that only a few requests or only worker threads need. Each takes tens of megabytes
 * and tenths of a second to load.
 */
const LATER = ['sharp', 'pdf-lib', 'postal-mime', '@react-pdf/renderer', '@electric-sql/pglite'];

it('the server does not load rarely needed libraries at startup', async () => {
  const { metafile } = await build({ ...getServerBundleOptions('build/server'), metafile: true, write: false });
  const importer = new Map<string, string>([['src/server.ts', '']]);
  for (const [file] of importer)
    for (const { path, kind } of metafile?.inputs[file]?.imports ?? [])
      if (kind === 'import-statement' && !importer.has(path)) importer.set(path, file);
  expect(importer.size).toBeGreaterThan(500);
  const loaded = LATER.filter((name) => importer.has(name)).map((name) => `${name} by ${importer.get(name)}`);
  expect(loaded).toEqual([]);
});
