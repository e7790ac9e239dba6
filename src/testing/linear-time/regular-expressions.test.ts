/**
 * Tests that every regular expression of the product takes linear time. `recheck` judges each
 * expression, and finds a text that makes it slow. Judging all expressions takes a minute and a
 * half, so safe expressions are listed by hash (judged-safe.txt). A run outside CI rewrites the
 * list.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { checkSync } from 'recheck/lib/browser';
import { expect, it } from 'vitest';
import { sha256Hex } from '@/shared/canonical-json';
import { type FoundRegularExpression, findRegularExpressions, hasOnlyBoundedRepetition } from './regular-expressions';

const ROOT = process.cwd();
const NOT_THE_PRODUCT = /\.test\.tsx?$|[\\/]testing[\\/]|^src[\\/]generated[\\/]/;

/** Patterns with a computed part, and sample values for it. */
const ASSEMBLED: Readonly<Record<string, readonly string[]>> = {
  'src/shared/id-kinds.ts': ['^prop_[A-Za-z0-9_-]{8,}$'],
};

const files = ['src', 'inngest']
  .flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
  )
  .filter((name) => /\.(?:tsx?|mjs)$/.test(name) && !NOT_THE_PRODUCT.test(name));

/** Describes why a pattern is slow. Returns null when it is not slow. */
function slowness({ source, flags }: Pick<FoundRegularExpression, 'source' | 'flags'>): string | null {
  if (hasOnlyBoundedRepetition(source)) return null;
  const judged = checkSync(source, flags, { timeout: 30_000 });
  if (judged.status === 'safe') return null;
  if (judged.status === 'vulnerable') return `${judged.complexity.summary}: ${judged.attack.pattern}`;
  return `not judged (${judged.error.kind})`;
}

const SAFE = new URL('judged-safe.txt', import.meta.url);
/** The version of `recheck`, because another version might judge differently. */
const JUDGE = `recheck ${createRequire(import.meta.url)('recheck/package.json').version}`;
const [known_judge, ...known_safe] = readFileSync(SAFE, 'utf8').trim().split('\n');
const safe = new Set(known_judge === JUDGE ? known_safe : []);

it('every regular expression of the product runs in linear time', async () => {
  const judged = new Map<string, string | null>();
  const slow: string[] = [];
  const unknown: string[] = [];
  const judge = (where: string, pattern: Pick<FoundRegularExpression, 'source' | 'flags'>) => {
    const key = `/${pattern.source}/${pattern.flags}`;
    const hash = sha256Hex(key);
    if (!judged.has(hash)) judged.set(hash, safe.has(hash) ? null : slowness(pattern));
    const verdict = judged.get(hash);
    if (verdict) slow.push(`${where} ${key} is ${verdict}`);
  };
  for (const file of files) {
    const { patterns, assembled } = findRegularExpressions(file, readFileSync(path.join(ROOT, file), 'utf8'));
    for (const pattern of patterns) judge(`${file}:${pattern.line}`, pattern);
    if (assembled.length === 0) continue;
    const made = ASSEMBLED[file]?.map((source) => ({ source, flags: '' })) ?? (await madeAtLoad(file));
    if (made.length === 0) unknown.push(...assembled.map((line) => `${file}:${line}`));
    for (const pattern of made) judge(file, pattern);
  }
  expect(slow).toEqual([]);
  expect(unknown, 'A pattern put together from what is given at run time cannot be judged: write it out.').toEqual([]);
  expect(judged.size).toBeGreaterThan(100);
  if (!process.env.CI) writeFileSync(SAFE, `${[JUDGE, ...[...judged.keys()].sort()].join('\n')}\n`);
}, 180_000);

/** Returns the patterns that a file builds when it is loaded. */
async function madeAtLoad(file: string): Promise<{ source: string; flags: string }[]> {
  const Original = globalThis.RegExp;
  const made: { source: string; flags: string }[] = [];
  globalThis.RegExp = new Proxy(Original, {
    construct(target, [source, flags]) {
      if (typeof source === 'string') made.push({ source, flags: flags ?? '' });
      return new target(source, flags);
    },
  });
  try {
    // Imports a separate copy, because the module may already be loaded.
    await import(/* @vite-ignore */ `${path.join(ROOT, file)}?patterns`);
  } finally {
    globalThis.RegExp = Original;
  }
  return made;
}

it.each([
  ['two adjacent repetitions', String.raw`const a = /\s*([^{}]*?)\s*\}\}/g;`],
  ['an end that is searched from every start', 'const a = text.replace(/ +$/, "");'],
  ['a repetition of repetitions', 'const a = new RegExp("^(a+)+$");'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a source file.
  ['a template of constants', 'const WORD = String.raw`(\\w+)`; const a = new RegExp(`^${WORD}*$`, "u");'],
])('%s is detected as slow', (_name, text) => {
  const [pattern] = findRegularExpressions('a.ts', text).patterns;
  expect(pattern && slowness(pattern)).toMatch(/polynomial|exponential/);
});

it('a pattern built at run time is detected', () => {
  expect(findRegularExpressions('a.ts', 'const f = (name: string) => new RegExp(name);').assembled).toEqual([1]);
});
