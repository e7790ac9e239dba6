/**
 * Compares the migrations of this version with the migrations that were applied to the database.
 */
import { join } from 'node:path';
import { systemDb } from '@/infra/db/client';
import { listMigrations } from '@/infra/db/opening/migrations';

export interface MigrationState {
  wanted: number;
  /** Migrations that were started but not finished. */
  failed: string[];
  missing: string[];
  /** Migrations of a newer version. */
  newer: string[];
}

let wanted: Promise<string[]> | undefined;

export async function getMigrationState(): Promise<MigrationState> {
  wanted ??= listMigrations(join(process.cwd(), 'prisma/migrations'));
  const names = await wanted;
  const rows = await systemDb().$queryRaw<{ name: string; done: boolean }[]>`
    SELECT migration_name AS name, finished_at IS NOT NULL AS done FROM _prisma_migrations WHERE rolled_back_at IS NULL`;
  const applied = new Set(rows.map(({ name }) => name));
  const failed = rows.flatMap(({ name, done }) => (done ? [] : [name]));
  return {
    wanted: names.length,
    failed,
    missing: names.filter((name) => !applied.has(name)),
    newer: [...applied].filter((name) => !names.includes(name)),
  };
}
