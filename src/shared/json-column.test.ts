import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineJsonColumn } from './json-column';

const schema = readFileSync('prisma/schema.prisma', 'utf8');
const columns = schema
  .split(/^model /m)
  .slice(1)
  .flatMap((model) => {
    const name = model.slice(0, model.indexOf(' '));
    return [...model.slice(0, model.search(/^\}/m)).matchAll(/^ {2}(\w+)\s+Json\b/gm)].map((m) => `${name}.${m[1]}`);
  });
const sources = ['src', 'inngest'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^generated/.test(file))
    .map((file) => ({ file: `${root}/${file}`, text: readFileSync(`${root}/${file}`, 'utf8') })),
);

it('every JSON column of prisma/schema.prisma has a parser, and every parser a column', () => {
  const parsers = sources.flatMap(({ text }) =>
    [...text.matchAll(/defineJsonColumn(?:<.+?>)?\(\s*'([\w.]+)'/g)].map((m) => m[1]),
  );
  expect(columns.length).toBeGreaterThan(10);
  expect(parsers.sort()).toEqual(columns.sort());
});

it('no code casts the value of a JSON column', () => {
  const names = columns.map((column) => column.split('.')[1]).join('|');
  const cast = new RegExp(
    `\\b(row|entry|record|revision|mail|endpoint|source|packet|before|current)\\.(${names})\\b\\)? as `,
  );
  expect(sources.filter(({ text }) => cast.test(text)).map(({ file }) => file)).toEqual([]);
  const through_unknown = sources.filter(({ file, text }) => /^src\/modules/.test(file) && /as unknown as/.test(text));
  expect(through_unknown.map(({ file }) => file).sort()).toEqual([
    'src/modules/certificates/document/text.tsx', // casts types of libraries
    'src/modules/certificates/seal/sealing-key.ts',
    'src/modules/export-and-deletion/export.repository.ts',
    'src/modules/forwarded-mail/mail/outlook.ts',
    'src/modules/sync-sources/feed/event.ts',
  ]);
});

const column = defineJsonColumn('Model.column', z.object({ secret: z.string(), since: z.number().default(0) }));

it('reads back what was written, and fills in fields that an older row lacks', () => {
  expect(column.read(column.write({ secret: 'a', since: 1 }))).toEqual({ secret: 'a', since: 1 });
  expect(column.read({ secret: 'a' })).toEqual({ secret: 'a', since: 0 });
});

it('rejects invalid values on read and write, naming the place but not the value', () => {
  const wrong = { secret: { of: 'hunter2' }, since: 1 };
  for (const way of [() => column.read(wrong), () => column.write(wrong as never)]) {
    expect(way).toThrow('Model.column holds what it should not: secret (invalid_type).');
    expect(way).not.toThrow(/hunter2/);
  }
});
