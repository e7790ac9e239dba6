/**
 * `npm run migrate`: applies the migrations to DATABASE_URL or to the embedded database. `npm run
 * migrate -- create NAME`: writes a migration that leads from the state after all existing
 * migrations to the schema in prisma/schema.prisma.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { migrateDatabase } from '@/infra/db/open';
import { diffMigrations } from '@/infra/db/opening/migrations';

const [verb, name] = process.argv.slice(2);
const folder = join(process.cwd(), 'prisma/migrations');

if (verb === 'create') {
  if (!name || !/^[a-z0-9_]+$/.test(name)) throw new Error('Usage: npm run migrate -- create name_in_snake_case');
  const scratch = new PGlite();
  const diff = await diffMigrations(new PrismaPGlite(scratch), folder, join(process.cwd(), 'prisma/schema.prisma'));
  // Prisma's schema cannot describe partial indexes, expression indexes, and foreign keys with
  // names that begin with `tenant_`. Prisma's diff would therefore drop them. This filter
  // recognises them by their names and keeps them. Prisma ignores CHECKs.
  const sql = diff
    .replace(/-- DropIndex\nDROP INDEX "(?:partial|expression)_[^\n]*\n*/g, '')
    .replace(/-- DropForeignKey\nALTER TABLE "[^"]*" DROP CONSTRAINT "tenant_[^\n]*\n*/g, '');
  await scratch.close();
  if (!sql.trim() || sql.includes('This is an empty migration')) {
    console.log('The migrations already lead to the schema.');
  } else {
    const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
    const directory = join(folder, `${stamp}_${name}`);
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'migration.sql'), sql);
    console.log(
      `Wrote ${join('prisma/migrations', `${stamp}_${name}`, 'migration.sql')}. Read it before you commit it.`,
    );
  }
} else {
  const applied = await migrateDatabase();
  console.log(applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'Nothing to apply.');
}
process.exit(0);
