/**
 * Each page loads exactly the messages that its components use. A missing message would be shown as
 * its key.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { SHARED_MESSAGE_NAMESPACES } from './namespaces';

const IMPORT = /(?:from|import\()\s*'([^']+)'/g;
const SAYS = /useTranslations\('(\w+)'\)/g;
const CARRIES = /(?:<ServerTranslationsProvider\s+of=\{|defineTranslatedPage\(\s*'\w+',\s*)\[([^\]]*)\]/g;

function resolve(from: string, name: string): string | null {
  if (!name.startsWith('.') && !name.startsWith('@/')) return null;
  const base = name.startsWith('@/') ? join('src', name.slice(2)) : join(dirname(from), name);
  return [`${base}.tsx`, `${base}.ts`].find(existsSync) ?? null;
}

/** Returns `entry` and every file of the interface that it imports, directly or indirectly. */
function reached(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  for (const [, name = ''] of readFileSync(entry, 'utf8').matchAll(IMPORT)) {
    const file = resolve(entry, name);
    if (file && /^src\/(dashboard|app)\//.test(file)) reached(file, seen);
  }
  return seen;
}

const said = (entry: string) =>
  [...reached(entry)].flatMap((file) => [...readFileSync(file, 'utf8').matchAll(SAYS)].map(([, name = '']) => name));
const carried = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(CARRIES)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []);

const entries = readdirSync('src/app', { recursive: true, encoding: 'utf8' })
  .filter((file) => /(^|\/)(page|layout|not-found|error)\.tsx$/.test(file))
  .map((file) => `src/app/${file}`);

/** Returns the layouts around the page, outermost first. */
const around = (entry: string): string[] =>
  entries.filter((file) => file.endsWith('/layout.tsx') && file !== entry && entry.startsWith(`${dirname(file)}/`));

it.each(entries)('%s loads exactly the messages that it uses', (entry) => {
  const outside = new Set<string>([...SHARED_MESSAGE_NAMESPACES, ...around(entry).flatMap(carried)]);
  const own = carried(entry);
  const needed = [...new Set(said(entry))].filter((name) => !outside.has(name)).sort();
  expect([...own].sort()).toEqual(needed);
});
