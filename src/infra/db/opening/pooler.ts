/**
 * Whether a pooler stands between this process and PostgreSQL (PgBouncer and its like). In transaction mode it hands each
 * transaction to another connection, which knows neither what was prepared before nor whose lock a session holds.
 */
import { Client } from 'pg';

const CONNECT_MS = 5_000;

/** The address says so, as Prisma's own addresses do. */
export const saysPooled = (connection_string: string) => /[?&]pgbouncer=true(&|$)/.test(connection_string);

/**
 * A pooler gives its clients numbers of its own, where PostgreSQL gives the number of the process that serves them. One that
 * works in session mode is taken for one that does not: that costs a little time, and no answer.
 */
export async function isBehindPooler(connection_string: string): Promise<boolean> {
  if (saysPooled(connection_string)) return true;
  const client = new Client({ connectionString: connection_string, connectionTimeoutMillis: CONNECT_MS });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return rows[0]?.pid !== (client as Client & { processID?: number }).processID;
  } finally {
    await client.end();
  }
}
