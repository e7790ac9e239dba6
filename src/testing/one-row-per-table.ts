/**
 * Inserts a row into every table with a `team_id`, for tests that cover all tables, including new
 * ones.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { systemDb } from '@/infra/db/client';
import type { Mode } from '@/shared/scope';

interface Column {
  table: string;
  column: string;
  type: string;
  required: boolean;
  /** The first value that a CHECK of this column allows. */
  allowed: string | null;
}

/** A foreign key between two team tables. */
export interface TenantForeignKey {
  name: string;
  table: string;
  column: string;
  parent: string;
  /** Whether the reference also compares team and mode. */
  tenant: boolean;
}

const VALUES: Record<string, () => string> = {
  text: () => `'${randomBytes(6).toString('hex')}'`,
  timestamptz: () => 'now()',
  date: () => 'now()',
  int4: () => String(randomInt(1, 60_000)),
  int8: () => '1',
  float8: () => '1',
  bool: () => 'false',
  bytea: () => `'\\x00'`,
  jsonb: () => `'{}'`,
};

/** Values for columns with a constraint involving another column. */
const SPECIAL: Record<string, string> = {
  'reservations.checkout_date': `now() + interval '1 day'`,
  'reservations.status': `'signed'`,
  'reservations.signed_at': 'now()',
  'request_logs.status': '200',
};

const run = <Row>(sql: string): Promise<Row[]> => systemDb().$queryRawUnsafe(sql);

/**
 * Returns every reference by id between two tables with `team_id` and `mode`. References to members
 * are omitted, because members belong to both modes.
 */
export const listTenantForeignKeys = () =>
  run<TenantForeignKey>(`
    SELECT conname::text AS name, conrelid::regclass::text AS "table", attname::text AS "column",
      confrelid::regclass::text AS parent, cardinality(conkey) = 3 AS tenant
    FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
    WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND attname <> 'team_id'
      AND confrelid <> 'members'::regclass
      AND EXISTS (SELECT 1 FROM pg_attribute t WHERE t.attrelid = conrelid AND t.attname = 'mode')
    ORDER BY 2, 3, 1`);

const tenantColumns = () =>
  run<Column>(`
    SELECT c.table_name AS "table", c.column_name AS "column", c.udt_name AS "type",
      c.is_nullable = 'NO' AND c.column_default IS NULL AS required,
      (SELECT substring(pg_get_constraintdef(k.oid) FROM 'ARRAY\\[''([^'']+)''') FROM pg_constraint k
       JOIN pg_attribute a ON a.attrelid = k.conrelid AND k.conkey = ARRAY[a.attnum]
       WHERE k.contype = 'c' AND k.conrelid = quote_ident(c.table_name)::regclass AND a.attname = c.column_name LIMIT 1) AS allowed
    FROM information_schema.columns c WHERE c.table_schema = current_schema()`);

function parentsFirst(tables: readonly string[], references: readonly TenantForeignKey[]): string[] {
  const done: string[] = [];
  const add = (table: string) => {
    if (done.includes(table)) return;
    for (const one of references) if (one.table === table && one.parent !== table) add(one.parent);
    done.push(table);
  };
  for (const table of tables) add(table);
  return done;
}

/**
 * Creates a member for the rows of one mode. Returns null for a deleted team, which has no members.
 */
async function makeMember(team_id: string, mode: Mode): Promise<string | null> {
  const { plan } = await systemDb().team.findUniqueOrThrow({ where: { id: team_id } });
  if (plan === 'deleted') return null;
  const tag = randomBytes(6).toString('hex');
  const id = `mem_${mode}_${tag}`;
  await systemDb().user.create({ data: { id: `user_${tag}`, name: 'Olga', email: `${tag}@example.com` } });
  await systemDb().member.create({ data: { id, organizationId: team_id, userId: `user_${tag}`, role: 'co_host' } });
  return id;
}

/**
 * Inserts the rows and returns their tables. Sets all required columns and every reference. The
 * other columns keep their defaults. The only person created is the member that the rows refer to.
 */
export async function insertOneRowPerTable(team_id: string, mode: Mode): Promise<string[]> {
  const [columns, references] = await Promise.all([tenantColumns(), listTenantForeignKeys()]);
  const tables = parentsFirst(
    [...new Set(columns.filter(({ column }) => column === 'team_id').map(({ table }) => table))].filter(
      (table) => !['members', 'invitations'].includes(table),
    ),
    references,
  );
  const member_id = await makeMember(team_id, mode);
  const ids = new Map<string, string>();
  for (const table of tables.filter((name) => member_id || name !== 'member_properties')) {
    const values = new Map<string, string>();
    for (const { column, type, allowed } of columns.filter(
      ({ table: owner, column, required }) =>
        owner === table && (required || ['team_id', 'mode'].includes(column) || `${owner}.${column}` in SPECIAL),
    )) {
      const make = VALUES[type] ?? (type.startsWith('_') ? () => `'{}'` : undefined);
      const value =
        SPECIAL[`${table}.${column}`] ?? (allowed ? `'${allowed}'` : type === 'Mode' ? `'${mode}'::"Mode"` : make?.());
      if (!value) throw new Error(`No value for ${table}.${column}, a ${type}.`);
      values.set(column, column === 'team_id' ? `'${team_id}'` : value);
    }
    for (const { column, parent } of references.filter((item) => item.table === table)) {
      const id = ids.get(parent);
      if (id) values.set(column, id);
    }
    if (values.has('member_id')) values.set('member_id', `'${member_id}'`);
    const id = values.get('id');
    if (id) ids.set(table, id);
    const names = [...values.keys()].map((column) => `"${column}"`);
    await run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${[...values.values()].join(', ')})`);
  }
  return tables.sort();
}

/** Returns how often a text occurs in each table of the database. Tables without it are omitted. */
export async function countTextOccurrencesByTable(text: string): Promise<Record<string, number>> {
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
