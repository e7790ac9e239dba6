import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDatabase, systemDb } from '../client';
import { applyMigrations } from '../opening/migrations';
import { connectEmbeddedDatabase } from './connect';
import { createPrismaAdapterForPglite } from './embedded-adapter';

let pglite: PGlite;

beforeAll(async () => {
  pglite = new PGlite();
});
afterAll(closeDatabase);

it('a failed migration throws, changes nothing and does not count as applied', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'threshold-migrations-'));
  await mkdir(join(folder, '1_fails'));
  await writeFile(join(folder, '1_fails/migration.sql'), 'CREATE TABLE half (id int); SELECT 1 / 0;');
  await expect(applyMigrations(await createPrismaAdapterForPglite(pglite), folder)).rejects.toThrow();
  const { rows } = await pglite.query('SELECT to_regclass($1) AS half', ['half']);
  expect(rows).toEqual([{ half: null }]);
  const applied = await pglite.query('SELECT 1 FROM _prisma_migrations WHERE finished_at IS NOT NULL');
  expect(applied.rows).toEqual([]);
  await rm(folder, { recursive: true });
}, 240_000);

it('a failed COMMIT throws, and the next transaction works', async () => {
  await pglite.exec('CREATE TABLE late (id int PRIMARY KEY, next int REFERENCES late DEFERRABLE INITIALLY DEFERRED)');
  await connectEmbeddedDatabase(pglite);
  const insert = (id: number, next: number) =>
    systemDb().$transaction(async (tx) => {
      await tx.$executeRawUnsafe(`INSERT INTO late VALUES (${id}, ${next})`);
      return 'done';
    });
  await expect(insert(1, 7)).rejects.toMatchObject({ code: '23503' });
  expect(await insert(2, 2)).toBe('done');
  expect(await systemDb().$queryRawUnsafe('SELECT id FROM late')).toEqual([{ id: 2 }]);
});
