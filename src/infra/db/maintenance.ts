/**
 * What a PostgreSQL server does by itself and the embedded one does not: it has no autovacuum, so dead rows of the
 * queues would pile up and the planner would never learn how large the tables are.
 */
import { database } from './client';

/** Vacuums and analyses the embedded database, table by table, so that nobody waits long. Does nothing on a server. */
export async function maintainEmbedded(): Promise<{ tables: number }> {
  const { pglite } = database();
  if (!pglite) return { tables: 0 };
  const { rows } = await pglite.query<{ name: string }>(
    'SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1',
  );
  for (const { name } of rows) await pglite.exec(`VACUUM (ANALYZE) ${name}`);
  return { tables: rows.length };
}
