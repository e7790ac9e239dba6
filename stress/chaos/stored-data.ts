/**
 * Reads the database after the chaos run (chaos-run.ts). If the database is embedded, the server
 * must be stopped first.
 */
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Client } from 'pg';

export interface StoredEvent {
  id: string;
  type: string;
  object_id: string;
  sequence: number;
  body: string;
  relayed: boolean;
}

export interface StoredMailRow {
  id: string;
  to: string;
  template: string;
  status: string;
  attempts: number;
  reservation_id: string | null;
}

export interface StoredChaosData {
  /** Events in order of sequence. */
  events: StoredEvent[];
  mails: StoredMailRow[];
  /**
   * Reservations by the guest's address. More than one for an address means that a create ran
   * twice.
   */
  reservations: Map<string, { id: string; status: string; certificate_id: string | null }[]>;
  endpoints: { id: string; url: string; status: string }[];
  /**
   * Numbers of unfinished items: unrelayed events, pending deliveries, queued mails, unsealed
   * signatures.
   */
  unfinished: Record<string, number>;
  /** Details of unfinished deliveries and mails, for finding the cause. */
  waiting: Record<string, unknown>[];
  failed_runs: { function_id: string; error: string | null }[];
  /** Numbers of attempts and of successful attempts per endpoint and event. */
  deliveries: { endpoint_id: string; event_id: string; attempts: number; succeeded: number }[];
}

type Query = <Row>(sql: string) => Promise<Row[]>;

/**
 * Opens the database of a connection string, or the embedded database in a data directory, while
 * `work` runs.
 */
async function withDatabase<Result>(
  where: { data_dir: string; database_url?: string },
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  if (where.database_url) {
    const client = new Client({ connectionString: where.database_url });
    await client.connect();
    try {
      return await work(async (sql) => (await client.query(sql)).rows);
    } finally {
      await client.end();
    }
  }
  const pglite = await PGlite.create(join(where.data_dir, 'postgres'));
  try {
    return await work(async <Row>(sql: string) => (await pglite.query<Row>(sql)).rows);
  } finally {
    await pglite.close();
  }
}

/** Reads a team's data. */
export function readStoredChaosData(
  where: { data_dir: string; database_url?: string },
  team_id: string,
): Promise<StoredChaosData> {
  const of_team = `team_id = '${team_id}' AND mode = 'live'`;
  return withDatabase(where, async (query) => {
    const reservations: StoredChaosData['reservations'] = new Map();
    const rows = await query<{ id: string; status: string; guest_email: string; certificate_id: string | null }>(
      `SELECT id, status::text AS status, guest_email, signature_id AS certificate_id FROM reservations WHERE ${of_team}`,
    );
    for (const { guest_email, ...row } of rows) {
      reservations.set(guest_email, [...(reservations.get(guest_email) ?? []), row]);
    }
    const [unfinished] = await query<Record<string, number>>(`SELECT
      (SELECT count(*)::int FROM events WHERE ${of_team} AND relayed_at IS NULL) AS "events to relay",
      (SELECT count(*)::int FROM webhook_deliveries WHERE ${of_team} AND status = 'pending') AS "deliveries to make",
      -- A third failure waits for ten minutes, by the rules: longer than this looks on.
      (SELECT count(*)::int FROM mail_messages WHERE ${of_team} AND status = 'queued'
        AND NOT (attempts >= 3 AND last_error IS NOT NULL AND due_at > now())) AS "mails to send",
      (SELECT count(*)::int FROM reservations r WHERE ${of_team} AND r.signature_id IS NOT NULL AND NOT EXISTS
        (SELECT 1 FROM events e WHERE e.type = 'certificate.created' AND e.object_id = r.signature_id)) AS "signatures to seal"`);
    return {
      events:
        await query(`SELECT id, type, object_id, sequence::int AS sequence, body, relayed_at IS NOT NULL AS relayed
        FROM events WHERE ${of_team} ORDER BY events.sequence`),
      mails: await query(
        `SELECT id, "to", template, status, attempts, reservation_id FROM mail_messages WHERE ${of_team} ORDER BY created_at, id`,
      ),
      reservations,
      endpoints: await query(`SELECT id, url, status FROM webhook_endpoints WHERE ${of_team}`),
      unfinished: unfinished ?? {},
      waiting: [
        ...(await query<
          Record<string, unknown>
        >(`SELECT d.id, d.event_id, d.attempt_number, d.failures_before, d.due_at,
          d.lease_until, e.url, e.status, e.consecutive_failures, e.circuit_open_until, now() AS now
        FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
        WHERE d.team_id = '${team_id}' AND d.status = 'pending'`)),
        ...(await query<Record<string, unknown>>(`SELECT m.id, m.template, m.attempts, m.created_at, m.due_at,
          m.last_error, now() AS now, (SELECT json_agg(json_build_array(r.status, r.created_at, r.error))
            FROM engine_runs r WHERE r.event LIKE '%' || m.id || '%') AS runs
        FROM mail_messages m WHERE m.team_id = '${team_id}' AND m.mode = 'live' AND m.status = 'queued'`)),
      ],
      failed_runs: await query(`SELECT function_id, error FROM engine_runs WHERE status = 'failed'`),
      deliveries: await query(`SELECT endpoint_id, event_id, count(*)::int AS attempts,
          (count(*) FILTER (WHERE status = 'succeeded'))::int AS succeeded
        FROM webhook_deliveries WHERE ${of_team} GROUP BY endpoint_id, event_id`),
    };
  });
}
