/**
 * Runs migrations with the WebAssembly build of Prisma's schema engine, which needs no download. It
 * uses the usual `prisma/migrations` folder and `_prisma_migrations` table. The server at start,
 * the CLI and tests use it.
 */
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import { logger } from '@/infra/logger';

const filters = { externalTables: [], externalEnums: [] };

async function instantiateEngine() {
  const resolve = createRequire(join(process.cwd(), 'package.json')).resolve;
  const wasm_path = resolve('@prisma/schema-engine-wasm').replace(/schema_engine\.js$/, 'schema_engine_bg.wasm');
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg' as string);
  const module = await WebAssembly.compile(new Uint8Array(await readFile(wasm_path)));
  const instance = await WebAssembly.instantiate(module, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return bindings;
}

// The engine is loaded once per process. The bindings module has a single instance, and a second
// load would replace the instance while it is in use.
let instantiated: ReturnType<typeof instantiateEngine> | undefined;

async function openEngine(factory: SqlMigrationAwareDriverAdapterFactory, schema_file: string | null) {
  instantiated ??= instantiateEngine();
  const bindings = await instantiated;
  const datamodels = schema_file ? [[schema_file, await readFile(schema_file, 'utf8')]] : undefined;
  return bindings.SchemaEngine.new({ datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(factory));
}

async function readMigrations(directory: string) {
  const names = (await readdir(directory, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  const migrationDirectories = await Promise.all(
    names.map(async (name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok', value: await readFile(join(directory, name, 'migration.sql'), 'utf8') },
      },
    })),
  );
  const lockfile = { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' };
  return { names, list: { baseDir: directory, lockfile, shadowDbInitScript: '', migrationDirectories } };
}

/** Logs a notice of a migration. Migrations report corrected data with `RAISE NOTICE`. */
export function logMigrationNotice(notice: { message?: string | undefined }): void {
  logger().info({ notice: notice.message }, 'migration');
}

/** Returns the names of the migrations in the folder, in order. */
export async function listMigrations(directory: string): Promise<string[]> {
  return (await readMigrations(directory)).names;
}

/**
 * Throws when the database was not created by these migrations. Accepts later migrations that this
 * version does not know. Later migrations only add to the schema, so that the previous version can
 * still run while a new version is rolled out.
 */
export function assertSameMigrationHistory(applied: ReadonlySet<string>, names: readonly string[]): void {
  if (applied.size === 0 || applied.has(names[0] ?? '')) return;
  throw new Error(
    `The database was not made by a release of Threshold (its migrations are ${[...applied].sort()[0]} and ${applied.size - 1} others, and ${names[0]} is not among them). ` +
      'It cannot be migrated. Start with an empty database or DATA_DIR.',
  );
}

/** Applies the missing migrations and returns their names. */
export async function applyMigrations(
  factory: SqlMigrationAwareDriverAdapterFactory,
  directory: string,
): Promise<string[]> {
  const engine = await openEngine(factory, null);
  try {
    const { list } = await readMigrations(directory);
    const result = await engine.applyMigrations({ migrationsList: list, filters });
    return result.appliedMigrationNames;
  } finally {
    engine.free();
  }
}

/**
 * Returns the SQL for the differences between the folder's migrations and the schema file. Empty
 * when there are none.
 */
export async function diffMigrations(
  factory: SqlMigrationAwareDriverAdapterFactory,
  directory: string,
  schema_file: string,
): Promise<string> {
  const engine = await openEngine(factory, schema_file);
  try {
    const { list } = await readMigrations(directory);
    const result = await engine.diff({
      from: { tag: 'migrations', ...list },
      to: { tag: 'schemaDatamodel', files: [{ path: schema_file, content: await readFile(schema_file, 'utf8') }] },
      script: true,
      exitCode: null,
      shadowDatabaseUrl: null,
      filters,
    });
    return result.stdout ?? '';
  } finally {
    engine.free();
  }
}
