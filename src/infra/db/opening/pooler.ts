/**
 * Detects a pooler (such as PgBouncer) between this process and PostgreSQL. In transaction mode
 * each transaction gets another connection, which has neither the prepared statements nor the
 * session locks of the last one.
 */
import { Client } from 'pg';

/** A server that accepts connections and never answers counts as unreachable. */
const CONNECT_MS = 5_000;

/** Returns whether a URL has Prisma's mark for a pooler. */
export const hasPoolerMark = (connection_string: string) => /[?&]pgbouncer=true(&|$)/.test(connection_string);

/**
 * Returns whether a pooler answers the connection. A pooler reports process numbers of its own,
 * whereas PostgreSQL reports the number of the backend process. A pooler in session mode is treated
 * like one in transaction mode, which is correct and slightly slower.
 */
export async function isBehindPooler(connection_string: string): Promise<boolean> {
  if (hasPoolerMark(connection_string)) return true;
  return withClient(connection_string, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return rows[0]?.pid !== (client as Client & { processID?: number }).processID;
  });
}

/** Opens a connection for `work` and closes it afterwards. */
export async function withClient<Result>(
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
