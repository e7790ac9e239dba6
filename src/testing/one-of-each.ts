/** A row in every table that has a `team_id`, whatever tables there are: for tests that none is forgotten. */
import { randomBytes } from 'node:crypto';
import { systemDb } from '@/infra/db/client';
import type { Mode } from '@/shared/scope';

interface Column {
  table: string;
  column: string;
  type: string;
}

const VALUES: Record<string, () => string> = {
  text: () => `'${randomBytes(6).toString('hex')}'`,
  timestamptz: () => 'now()',
  date: () => 'now()',
  int4: () => '1',
  int8: () => '1',
  float8: () => '1',
  bool: () => 'false',
  bytea: () => `'\\x00'`,
  jsonb: () => `'{}'`,
};

/** Fills what must not be empty; the rest keeps its default. People are not made: they have keys to other tables. */
export async function insertOneOfEach(team_id: string, mode: Mode): Promise<string[]> {
  const columns = await systemDb().$queryRaw<Column[]>`
    SELECT c.table_name AS "table", c.column_name AS "column", c.udt_name AS "type" FROM information_schema.columns c
    WHERE c.table_schema = current_schema() AND c.table_name NOT IN ('members', 'invitations')
      AND (c.column_name IN ('team_id', 'mode') OR (c.is_nullable = 'NO' AND c.column_default IS NULL))
      AND EXISTS (SELECT 1 FROM information_schema.columns t WHERE t.table_schema = current_schema()
                  AND t.table_name = c.table_name AND t.column_name = 'team_id')`;
  const tables = [...new Set(columns.map(({ table }) => table))].sort();
  for (const table of tables) {
    const own = columns.filter((item) => item.table === table);
    const values = own.map(({ column, type }) => {
      if (column === 'team_id') return `'${team_id}'`;
      if (column === 'mode') return `'${mode}'::"Mode"`;
      const make = VALUES[type] ?? (type.startsWith('_') ? () => `'{}'` : undefined);
      if (!make) throw new Error(`No value for ${table}.${column}, a ${type}.`);
      return make();
    });
    const names = own.map(({ column }) => `"${column}"`);
    await systemDb().$executeRawUnsafe(`INSERT INTO "${table}" (${names.join(', ')}) VALUES (${values.join(', ')})`);
  }
  return tables;
}

/** How often a text occurs in each table of the database; tables without it are left out. */
export async function occurrences(text: string): Promise<Record<string, number>> {
  const tables = await systemDb().$queryRaw<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename <> '_prisma_migrations'`;
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await systemDb().$queryRawUnsafe<{ n: bigint }[]>(
      `SELECT count(*) AS n FROM "${name}" t WHERE position($1 in t::text) > 0`,
      text,
    );
    if (Number(row?.n) > 0) found[name] = Number(row?.n);
  }
  return found;
}
