import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toReadableStackTrace } from './readable-stack';

let folder: string;
let stack: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stack-'));
  const source = join(folder, 'fails.ts');
  await writeFile(
    source,
    'interface Unused { a: 1 }\n\nfunction fails(): never {\n  throw new Error("here");\n}\nfails();\n',
  );
  const outfile = join(folder, 'built.mjs');
  await build({ entryPoints: [source], outfile, bundle: true, minify: true, sourcemap: true, format: 'esm' });
  // Runs in a separate process, because Vitest maps the stacks of its own process.
  stack = spawnSync(process.execPath, [outfile], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  }).stderr;
});
afterAll(() => rm(folder, { recursive: true }));
// Only one stack per second is mapped.
beforeEach(() => sleep(1050));

describe('a logged stack', () => {
  it('shows locations in the source files', () => {
    expect(stack).toMatch(/at .*built\.mjs:1:/);
    const told = toReadableStackTrace(stack);
    expect(told).toMatch(/fails\.ts:4:\d+/);
    expect(told).not.toMatch(/at .*built\.mjs/);
    expect(told.split('\n')).toHaveLength(stack.split('\n').length);
  });

  it('stays as it is without a source map, and shortly after a map was read', () => {
    const other = 'Error: x\n    at foo (/nowhere/a.js:1:2)\n    at node:internal/timers:5:1\n    at async <anonymous>';
    expect(toReadableStackTrace(other)).toBe(other);
    expect(toReadableStackTrace(stack)).toBe(stack);
  });

  it('is mapped quickly even if its text is hostile', () => {
    const began = performance.now();
    toReadableStackTrace(`Error: ${'\n    at a ('.repeat(1000)}${'/a'.repeat(200_000)}:1:1`);
    expect(performance.now() - began).toBeLessThan(200);
  });
});
