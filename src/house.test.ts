/**
 * Tests that the architecture rules reject what they forbid (.dependency-cruiser.cjs,
 * ARCHITECTURE.md).
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import order from './modules/order.json';

const root = process.cwd();

/** A file, the forbidden line to add to it, and the rule that must reject the line. */
type Forbidden = readonly [file: string, line: string, rule: string];

const value = (from: string) => `import * as forbidden from '@/${from}';\nexport const used = forbidden;`;
const type = (from: string) => `import type * as forbidden from '@/${from}';\nexport type Used = typeof forbidden;`;

/** For each module, a file that other modules may import. */
const FILE_OF: Readonly<Record<string, string>> = {
  retention: 'service',
  signing: 'service',
  webhooks: 'schemas',
  links: 'urls',
  snapshot: 'snapshot',
  'public-log': 'service',
  trail: 'chain',
};
const fileOf = (module: string) => `modules/${module}/${FILE_OF[module] ?? 'schemas'}`;
const above = order.slice(1).map((module, index) => [module, order[index] as string] as const);

const FORBIDDEN: readonly Forbidden[] = [
  ...above.map(
    ([module, upper]): Forbidden => [
      `src/modules/${module}/x-up.ts`,
      value(fileOf(upper)),
      `modules-import-downwards: ${module}`,
    ],
  ),
  ...above.map(
    ([module]): Forbidden => [
      `src/modules/${module}/x-top.ts`,
      type(fileOf(order[0] as string)),
      `modules-import-downwards: ${module}`,
    ],
  ),
  ['src/modules/home/x-stray.ts', value('modules/stray/service'), 'every-module-is-in-the-order'],
  ['src/modules/mail/x-one.ts', type('modules/mail/x-other'), 'no-circles'],
  ['src/modules/packets/x-guest.ts', value('guest/render'), 'modules-know-nobody-above-them'],
  ['src/modules/packets/x-mask.ts', type('guest/linkify'), 'modules-know-nobody-above-them'],
  ['src/modules/accounts/x-operator.ts', value('operator/engine-runs/service'), 'modules-know-nobody-above-them'],
  [
    'src/modules/mail/x-inngest.ts',
    `import { Inngest } from 'inngest';\nexport const used = Inngest;`,
    'modules-know-nobody-above-them',
  ],
  ['src/emails/x-guest.ts', value('guest/linkify'), 'emails-know-shared-alone'],
  ['src/emails/x-module.ts', type('modules/packets/schemas'), 'emails-know-shared-alone'],
  ['src/modules/home/x-router.ts', value('modules/packets/router'), 'only-api-router-imports-routers'],
  ['src/guest/http/x-router.ts', value('modules/packets/dashboard.router'), 'only-api-router-imports-routers'],
  ['src/modules/home/x-repository.ts', value('modules/mail/repository'), 'repositories-belong-to-their-module'],
  ['src/modules/home/x-outbox.ts', value('modules/mail/outbox.repository'), 'repositories-belong-to-their-module'],
  ['src/modules/home/x-rows.ts', type('modules/reservations/timed/repository'), 'repositories-belong-to-their-module'],
  ['inngest/x-repository.ts', value('modules/certificates/repository'), 'repositories-are-not-for-the-outside'],
  [
    'src/api/x-repository.ts',
    value('modules/webhooks/delivery/queue.repository'),
    'repositories-are-not-for-the-outside',
  ],
  ['src/guest/http/x-repository.ts', value('modules/signing/repository'), 'repositories-are-not-for-the-outside'],
  [
    'src/modules/mail/x-queries.ts',
    `import { systemDb } from '@/infra/db/client';\nexport const used = systemDb;`,
    'only-repositories-query',
  ],
  [
    'src/modules/mail/x-writes.ts',
    `import { getBetterAuthDatabaseClient } from '@/modules/accounts/repository';\nexport const used = (db = getBetterAuthDatabaseClient()) => db.packet.create({} as never);`,
    'only-repositories-query',
  ],
  ['src/modules/mail/x-clock.rules.ts', value('shared/clock'), 'pure-files-stay-pure'],
  ['src/modules/reservations/rules/x-config.ts', value('config'), 'pure-files-stay-pure'],
  ['src/modules/reservations/rules/x-service.ts', value('modules/reservations/service'), 'pure-files-stay-pure'],
  ['src/modules/packets/rules/x-prisma.ts', value('generated/prisma/client'), 'pure-files-stay-pure'],
  ['src/modules/sync-sources/plan/x-fetch.ts', value('modules/sync-sources/run/fetch-feed'), 'pure-files-stay-pure'],
  [
    'src/modules/sync-sources/feed/x-fs.ts',
    `import * as fs from 'node:fs';\nexport const used = fs;`,
    'pure-files-stay-pure',
  ],
  ['src/guest/pages/x-service.ts', value('modules/signing/service'), 'pages-know-views-alone'],
  ['src/guest/components/x-config.ts', value('config'), 'pages-know-views-alone'],
  ['src/guest/x-rows.ts', type('generated/prisma/client'), 'pages-know-views-alone'],
  ['src/guest/http/x-database.ts', value('infra/db/client'), 'guests-http-has-no-queries'],
  ['src/dashboard/x-service.ts', value('modules/reservations/service'), 'dashboard-knows-rules-and-schemas-alone'],
  [
    'src/dashboard/home/x-type.ts',
    type('modules/reservations/host.service'),
    'dashboard-knows-rules-and-schemas-alone',
  ],
  ['src/dashboard/home/x-rows.ts', type('modules/home/repository'), 'dashboard-knows-rules-and-schemas-alone'],
  ['src/dashboard/home/x-guest.ts', value('guest/linkify'), 'dashboard-knows-rules-and-schemas-alone'],
  ['src/app/x-driver.ts', value('operator/backup/restore'), 'pages-open-no-database'],
  [
    'src/operator/x-pglite.ts',
    "export const used = () => import('@electric-sql/pglite');",
    'pglite-is-opened-in-one-place',
  ],
  ['src/shared/x-module.ts', type('modules/packets/schemas'), 'shared-knows-nobody'],
  ['src/infra/x-module.ts', type('modules/packets/schemas'), 'infra-knows-no-domain'],
  ['src/events/x-module.ts', type('modules/packets/schemas'), 'events-know-no-module'],
];

/** Allowed lines that resemble the forbidden lines. */
const ALLOWED: readonly (readonly [file: string, line: string])[] = [
  ['src/modules/home/y-down.ts', value('modules/links/urls')],
  ['src/modules/mail/y-own.ts', value('modules/mail/repository')],
  ['src/modules/packets/rules/y-pure.ts', value('shared/calendar-day')],
  ['src/guest/http/y-service.ts', value('modules/signing/service')],
  ['src/guest/pages/y-view.ts', type('modules/signing/packet-view')],
  ['src/dashboard/y-rules.ts', value('modules/packets/rules/lifecycle')],
];

/** Extra files, which exist so that some of the forbidden lines above have something to import. */
const HELPERS: readonly (readonly [file: string, line: string])[] = [
  ['src/modules/stray/service.ts', 'export const stray = 1;'],
  ['src/modules/mail/x-other.ts', type('modules/mail/x-one')],
];

interface Violation {
  from: string;
  rule: { name: string };
}

let copy: string;
let refused: Map<string, Set<string>>;

beforeAll(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'threshold-house-'));
  const source = (file: string) => !/\.test\.tsx?$|[\\/]fixtures[\\/]/.test(file);
  for (const folder of ['src', 'inngest']) {
    await cp(path.join(root, folder), path.join(copy, folder), { recursive: true, filter: source });
  }
  for (const file of ['tsconfig.json', 'package.json', '.dependency-cruiser.cjs']) {
    await cp(path.join(root, file), path.join(copy, file));
  }
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  for (const [file, line] of [...ALLOWED, ...HELPERS, ...FORBIDDEN]) {
    await mkdir(path.dirname(path.join(copy, file)), { recursive: true });
    await writeFile(path.join(copy, file), `${line}\n`);
  }
  const checker = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const run = promisify(execFile)(
    process.execPath,
    [checker, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src', 'inngest'],
    { cwd: copy, maxBuffer: 200 * 1024 * 1024 },
  );
  // The command exits with the number of violations, so a rejected run still contains the output.
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  const { violations } = (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary;
  refused = new Map();
  for (const { from, rule } of violations) refused.set(from, (refused.get(from) ?? new Set()).add(rule.name));
});

afterAll(() => rm(copy, { recursive: true, force: true }));

describe('the architecture lint', () => {
  it.each(FORBIDDEN)('refuses %s', (file, _line, rule) => {
    expect([...(refused.get(file) ?? [])]).toContain(rule);
  });

  it.each(ALLOWED)('allows %s', (file) => {
    expect([...(refused.get(file) ?? [])]).toEqual([]);
  });

  it('has no rule without a case in this test', () => {
    const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
      forbidden: { name: string }[];
    };
    const tried = new Set(FORBIDDEN.map(([, , rule]) => rule));
    expect(forbidden.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
  });

  it('reports no violation in the existing sources', () => {
    const added = new Set<string>(FORBIDDEN.map(([file]) => file));
    expect([...refused.keys()].filter((file) => !added.has(file))).toEqual([]);
  });
});

describe('the order of the modules', () => {
  it('names every module', async () => {
    const entries = await readdir(path.join(root, 'src/modules'), { withFileTypes: true, recursive: true });
    const files = entries.filter((entry) => entry.isFile() && entry.parentPath !== path.join(root, 'src/modules'));
    const folder = ({ parentPath }: { parentPath: string }) =>
      path.relative(path.join(root, 'src/modules'), parentPath).split(path.sep)[0];
    const modules = [...new Set(files.map(folder))];
    expect([...order].sort()).toEqual(modules.sort());
  });

  it('is the same in ARCHITECTURE.md', async () => {
    const text = await readFile(path.join(root, 'ARCHITECTURE.md'), 'utf8');
    const [, shown = ''] = /## The order of the modules[\s\S]*?```\n([\s\S]*?)```/.exec(text) ?? [];
    expect(shown.split('\n').flatMap((line) => line.split(/\s{2,}/)[0]?.trim() || [])).toEqual(order);
  });
});

/** Flattens npm overrides: `"inngest": { "a": "npm:b" }` becomes `[a, npm:b]`. */
const stoodIn = (overrides: object): [string, string][] =>
  Object.entries(overrides).flatMap(([name, by]) => (typeof by === 'string' ? [[name, by]] : stoodIn(by)));

it('packages that a small stub replaces are not installed in full', async () => {
  const { overrides } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const { packages } = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8'));
  const absent = Object.keys(packages).filter((folder) => /^packages\/absent\//.test(folder));
  const small = [
    ...absent.map((folder) => packages[folder].name),
    ...stoodIn(overrides).flatMap(([name, by]) => (by.startsWith('npm:@pkgr/core@') ? [name] : [])),
  ];
  expect(small).toEqual(expect.arrayContaining(['@prisma/studio-core', '@prisma/dev', 'prettier', 'recheck-jar']));
  const large = Object.entries<{ name?: string; link?: boolean }>(packages).filter(
    ([folder, { name, link }]) =>
      small.some((one) => folder.endsWith(`node_modules/${one}`)) && !link && name !== '@pkgr/core',
  );
  // If this fails after a Prisma update, add stubs for its new packages to packages/absent.
  expect(large.map(([folder]) => folder)).toEqual([]);
});

it('every file that ARCHITECTURE.md or a folder’s README names exists', async () => {
  const folders = ['src', 'inngest', 'scripts', 'e2e', 'stress', 'docs', 'prisma', 'examples'];
  folders.push('packages/client/src', 'packages/cli/src');
  const found = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true })));
  const files = found.flatMap((names, index) =>
    names.map((name) => `/${folders[index]}/${name.replaceAll('\\', '/')}`),
  );
  const texts = ['/ARCHITECTURE.md', ...files.filter((file) => /^\/(src|inngest)\/.*\.md$/.test(file))];
  const missing = await Promise.all(
    texts.map(async (text) => {
      const named = (await readFile(path.join(root, text), 'utf8')).matchAll(/`([\w./()[\]-]+\.(?:tsx?|mjs))`/g);
      return [...named]
        .map(([, name = '']) => name.replace(/^(\.\.?\/)+/, ''))
        .filter((name) => !files.some((file) => file.endsWith(`/${name}`)))
        .map((name) => `${text}: ${name}`);
    }),
  );
  expect(missing.flat()).toEqual([]);
});

it('the compiler settings of the benchmark’s usual stack refer to existing files', async () => {
  const folder = 'stress/bench/baselines/usual-stack';
  const settings = JSON.parse(await readFile(path.join(folder, 'tsconfig.json'), 'utf8'));
  const aliases: string[] = Object.values<string[]>(settings.compilerOptions.paths).flat();
  const missing = [settings.extends, ...aliases.map((alias) => alias.replace('/*', ''))].filter(
    (file) => !existsSync(path.join(folder, file)),
  );
  expect(missing).toEqual([]);
});

describe('the prose linter', () => {
  const run = promisify(execFile);
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'prose-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const lint = async (name: string, text: string) => {
    const file = path.join(folder, name);
    await writeFile(file, text);
    return run(process.execPath, ['scripts/lint-prose.mjs', file]).then(
      () => '',
      ({ stderr }: { stderr: string }) => stderr,
    );
  };

  it.each([
    ['a forbidden word', 'words.md', 'The runner mends what is left.\n', ':1 A word that makes readers stumble: mends'],
    ['a chain of semicolons', 'chain.md', '# Title\n\nIt reads; it writes; it ends.\n', ':3 One idea in a sentence'],
    ['a long line', 'long.md', `${'word '.repeat(21)}\n`, ':1 Line length'],
    [
      'a doc comment that ends with “; null when …”',
      'a.ts',
      'export const a = 1;\n/** The row; null when there is none. */\n',
      ':2 Write “',
    ],
    ['a long doc comment', 'b.ts', `/** ${'word '.repeat(21)}*/\n`, ':1 Line length'],
    ['a forbidden word in the API reference', 'docs/openapi.json', '{\n"summary": "Whoever calls"\n}\n', ':2 A word'],
  ])('finds %s, and reports its line', async (_what, name, text, found) => {
    await mkdir(path.join(folder, 'docs'), { recursive: true });
    expect(await lint(name, text)).toContain(found);
  });

  it('ignores code, tables and quotations', async () => {
    const row = `| ${'cell; '.repeat(30)} |\n`;
    expect(await lint('good.md', `Call \`mend\` as “whoever” says.\n\n| a |\n|---|\n${row}`)).toBe('');
    expect(await lint('good.ts', `const mend = '; null';\n// Whoever reads this.\n`)).toBe('');
  });
});
