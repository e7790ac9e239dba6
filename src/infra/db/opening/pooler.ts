/**
 * Detects a pooler (such as PgBouncer) between this process and PostgreSQL. In transaction mode
 * each transaction may run on another connection, which lacks the prepared statements and session
 * locks of the previous one.
 */
import { Client } from 'pg';

/**
 * Time limit of connecting. A server that accepts connections and never answers counts as
 * unreachable.
 */
const CONNECT_MS = 5_000;

/** Returns whether a URL has Prisma's parameter for a pooler. */
export const hasConnectionUrlPoolerParameter = (connection_string: string) =>
  /[?&]pgbouncer=true(&|$)/.test(connection_string);

/**
 * Returns whether a pooler accepts the connections. A pooler reports its own process ids, whereas
 * PostgreSQL reports the id of the backend process. A pooler in session mode is treated like a
 * pooler in transaction mode, which is correct and slightly slower.
 */
export async function isBehindPooler(connection_string: string): Promise<boolean> {
  if (hasConnectionUrlPoolerParameter(connection_string)) return true;
  return withPostgresClient(connection_string, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return rows[0]?.pid !== (client as Client & { processID?: number }).processID;
  });
}

/** Opens a connection for `work` and closes it afterwards. */
export async function withPostgresClient<Result>(
  connection_string: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: connection_string, connectionTimeoutMillis: CONNECT_MS });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
