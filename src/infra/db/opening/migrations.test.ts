import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPrismaAdapterForPglite } from '../driver/embedded-adapter';
import { migrateEmbeddedDatabase } from '../open';
import { applyMigrations, listMigrations } from './migrations';

const FOLDER = join(process.cwd(), 'prisma/migrations');
const LATER = '20990101000000_later';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'threshold-migrations-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function addMigration(to: string, name: string, sql: string): Promise<void> {
  await mkdir(join(to, name), { recursive: true });
  await writeFile(join(to, name, 'migration.sql'), sql);
}

it('a data migration repairs rows before it adds a constraint, and logs their number', async () => {
  const database = new PGlite();
  const notices: (string | undefined)[] = [];
  const migrate = async () =>
    applyMigrations(await createPrismaAdapterForPglite(database, ({ message }) => notices.push(message)), folder);
  await cp(FOLDER, folder, { recursive: true });
  expect(await migrate()).toEqual(await listMigrations(FOLDER));
  await database.exec(`INSERT INTO teams (id, name, slug) VALUES ('t1', ' ', 't1'), ('t2', 'Two', 't2')`);

  await addMigration(
    folder,
    LATER,
    `DO $$
     DECLARE changed bigint;
     BEGIN
       UPDATE teams SET name = 'Team' WHERE trim(name) = '';
       GET DIAGNOSTICS changed = ROW_COUNT;
       IF changed > 0 THEN RAISE NOTICE 'teams without a name: %', changed; END IF;
     END $$;
     ALTER TABLE teams ADD CONSTRAINT teams_name_check CHECK (trim(name) <> '');`,
  );
  expect(await migrate()).toEqual([LATER]);
  expect(notices).toEqual(['teams without a name: 1']);
  const { rows } = await database.query('SELECT id, name FROM teams ORDER BY id');
  expect(rows).toEqual([
    { id: 't1', name: 'Team' },
    { id: 't2', name: 'Two' },
  ]);
  await expect(database.exec(`UPDATE teams SET name = ''`)).rejects.toThrow(/teams_name_check/);

  // The previous version, which does not know the last migration, can still open the database.
  expect(await migrateEmbeddedDatabase(database)).toEqual([]);
}, 240_000);

it('a database with unknown migrations is rejected with instructions', async () => {
  const database = new PGlite();
  const other = join(folder, 'other');
  await addMigration(other, '20261121000000_init', 'CREATE TABLE teams (id text)');
  await addMigration(other, '20261123201420_required_acceptances', 'CREATE TABLE users (id text)');
  await applyMigrations(await createPrismaAdapterForPglite(database, () => {}), other);
  await expect(migrateEmbeddedDatabase(database)).rejects.toThrow(
    /not made by a release of Threshold.*20261121000000_init.*Start with an empty database or DATA_DIR/s,
  );
}, 240_000);
