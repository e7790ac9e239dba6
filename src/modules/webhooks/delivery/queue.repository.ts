/**
 * The delivery queue of all teams: pending rows of webhook_deliveries. A process leases a row
 * before the attempt, so that no other process makes the same attempt. It stores the result only
 * while it holds the lease. When a process dies, its leases are released.
 */
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { leasedByDeadProcess } from '@/infra/process/processes';
import type { Mode } from '@/shared/scope';
import type { EndpointHealth } from '../endpoint-health.rules';

/** A leased attempt with all data needed to make it. */
export interface ClaimedDelivery {
  id: string;
  team_id: string;
  mode: Mode;
  event_id: string;
  endpoint_id: string;
  event_type: string;
  attempt_number: number;
  failures_before: number;
  delivery_began_at: Date;
  /** The stored body. Every attempt sends the same bytes. */
  body: string;
  url: string;
  /** The next three fields are encrypted. */
  secret: string;
  previous_secrets: unknown;
  custom_headers: string | null;
  lease_token: string;
}

type ClaimedJson = Omit<ClaimedDelivery, 'delivery_began_at'> & { delivery_began_at: string };

/** The maximum numbers of attempts in flight at an endpoint (endpoint-health.rules.ts). */
export interface InFlightAttemptLimits {
  healthy: number;
  unproven: number;
  failing: number;
}

/**
 * Selects the endpoints with pending attempts. The query skips from endpoint to endpoint in the
 * partial index. Its cost grows with the number of endpoints, not with the backlog.
 */
const LANES = Prisma.sql`
  lanes(endpoint_id) AS (
    (SELECT d.endpoint_id FROM webhook_deliveries d
     WHERE d.status = 'pending' ORDER BY d.endpoint_id, d.due_at LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint_id FROM webhook_deliveries d
            WHERE d.status = 'pending' AND d.endpoint_id > lanes.endpoint_id
            ORDER BY d.endpoint_id, d.due_at LIMIT 1)
    FROM lanes WHERE lanes.endpoint_id IS NOT NULL
  )`;

const FREE = (now: string) =>
  Prisma.sql`d.status = 'pending' AND (d.lease_until IS NULL OR d.lease_until <= ${now}::timestamptz)`;

/**
 * Equivalent to `status = 'pending'` in queries by id, but does not use the partial index. The
 * planner underestimates the number of pending rows and would otherwise scan all of them for each
 * id.
 */
const STILL_PENDING = Prisma.sql`d.status NOT IN ('succeeded', 'failed')`;

/** An endpoint, and how many of its attempts the caller has in flight. */
export interface DeliveryClaimRequest {
  endpoint_id: string;
  in_flight: number;
  /** The maximum number of attempts to lease. */
  most: number;
}

/**
 * Leases due attempts, up to the number in flight that each endpoint's health allows. After an open
 * circuit's waiting time, leases only one probe: the delivery with the most failures, because it
 * decides soonest whether the endpoint is disabled.
 */
export async function claimDueDeliveries(
  asked: readonly DeliveryClaimRequest[],
  now: Date,
  lease_until: Date,
  token: string,
  limits: InFlightAttemptLimits,
): Promise<ClaimedDelivery[]> {
  const at = now.toISOString();
  // Returns all rows as one JSON value, because decoding hundreds of rows costs more than the
  // query.
  const [result] = await systemDb().$queryRaw<{ rows: string | null }[]>(Prisma.sql`
    WITH endpoint AS (
      SELECT e.id, e.circuit_open_until IS NOT NULL AS probing,
        least(asked.most, CASE
          WHEN e.circuit_open_until IS NOT NULL THEN 1
          WHEN e.consecutive_failures > 0 THEN ${limits.failing}::int
          WHEN e.last_success_at IS NULL THEN ${limits.unproven}::int
          ELSE ${limits.healthy}::int
        END - asked.in_flight) AS room
      FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) AS asked(endpoint_id text, in_flight int, most int)
      JOIN webhook_endpoints e ON e.id = asked.endpoint_id
      WHERE e.status = 'enabled'
        AND (e.circuit_open_until IS NULL OR e.circuit_open_until <= ${at}::timestamptz)
    ),
    chosen AS MATERIALIZED (
      SELECT x.id FROM endpoint e CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND ${FREE(at)} AND d.due_at <= ${at}::timestamptz
        ORDER BY d.due_at, d.id LIMIT greatest(e.room, 0)
      ) x WHERE NOT e.probing
      UNION ALL
      SELECT x.id FROM endpoint e CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND ${FREE(at)} AND d.due_at <= ${at}::timestamptz
        ORDER BY d.failures_before DESC, d.due_at, d.id LIMIT greatest(e.room, 0)
      ) x WHERE e.probing
    ),
    picked AS (
      SELECT x.id FROM chosen CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_deliveries d
        WHERE d.id = chosen.id AND ${STILL_PENDING} AND (d.lease_until IS NULL OR d.lease_until <= ${at}::timestamptz)
        FOR UPDATE SKIP LOCKED
      ) x
    ),
    claimed AS (
      UPDATE webhook_deliveries d SET lease_token = ${token}, lease_until = ${lease_until.toISOString()}::timestamptz
      WHERE d.id = ANY (ARRAY(SELECT id FROM picked))
      RETURNING d.id, d.team_id, d.mode, d.event_id, d.endpoint_id, d.event_type, d.attempt_number, d.failures_before,
        d.delivery_began_at, d.due_at, d.lease_token
    )
    SELECT json_agg(x ORDER BY x.due_at, x.id)::text AS rows FROM (
      SELECT c.*, (SELECT ev.body FROM events ev WHERE ev.id = c.event_id) AS body,
        e.url, e.secret, e.previous_secrets, e.custom_headers
      FROM claimed c
      JOIN webhook_endpoints e ON e.id = c.endpoint_id
    ) x`);
  if (!result?.rows) return [];
  return (JSON.parse(result.rows) as ClaimedJson[]).map((row) => ({
    ...row,
    delivery_began_at: new Date(row.delivery_began_at),
  }));
}

/** An endpoint with pending work that no process has leased. `next_at` is when the work is due. */
export interface EndpointWithPendingDeliveries {
  id: string;
  team_id: string;
  mode: Mode;
  url: string;
  version: number;
  next_at: Date;
  wake_at: Date | null;
}

/** The time after which a requested run that has not begun is requested again. */
const LOST_MS = 30_000;

/**
 * Returns endpoints with pending work for which no run is requested, or only a run that begins too
 * late.
 */
export function findEndpointsWithoutDeliveryRun(
  now: Date,
  endpoint_ids: readonly string[] | null,
): Promise<EndpointWithPendingDeliveries[]> {
  const at = now.toISOString();
  const lost = new Date(now.getTime() - LOST_MS).toISOString();
  const lanes = endpoint_ids
    ? Prisma.sql`lanes(endpoint_id) AS (SELECT jsonb_array_elements_text(${JSON.stringify(endpoint_ids)}::jsonb))`
    : LANES;
  return systemDb().$queryRaw<EndpointWithPendingDeliveries[]>(Prisma.sql`
    WITH RECURSIVE ${lanes}
    SELECT e.id, e.team_id, e.mode::text AS mode, e.url, e.version, e.wake_at, n.next_at
    FROM lanes JOIN webhook_endpoints e ON e.id = lanes.endpoint_id
    CROSS JOIN LATERAL (
      SELECT greatest(d.due_at, e.circuit_open_until) AS next_at FROM webhook_deliveries d
      WHERE d.endpoint_id = e.id AND ${FREE(at)} ORDER BY d.due_at LIMIT 1
    ) n
    WHERE e.status = 'enabled' AND (e.wake_at IS NULL OR e.wake_at <= ${lost}::timestamptz
      OR e.wake_at > CASE WHEN n.next_at <= ${at}::timestamptz THEN ${at}::timestamptz ELSE n.next_at + interval '1 second' END)`);
}

/**
 * Stores the times of requested runs. Omits endpoints whose stored time has changed, and returns
 * the ids of the others.
 */
export async function storeStartTimesOfRequestedDeliveryRuns(
  requested: readonly { id: string; was: Date | null; wake_at: Date }[],
): Promise<Set<string>> {
  const noted = await systemDb().$queryRaw<{ id: string }[]>(Prisma.sql`
    UPDATE webhook_endpoints e SET wake_at = r.wake_at
    FROM jsonb_to_recordset(${JSON.stringify(requested)}::jsonb) AS r(id text, was timestamptz, wake_at timestamptz)
    WHERE e.id = r.id AND e.wake_at IS NOT DISTINCT FROM r.was
    RETURNING e.id`);
  return new Set(noted.map(({ id }) => id));
}

/**
 * Reschedules attempts that were created in the future. The delay between creation and due time
 * does not change.
 */
export async function rescheduleAttemptsDatedByFastClock(now: Date, skew_ms: number): Promise<void> {
  const at = now.toISOString();
  await systemDb().$executeRaw(Prisma.sql`
    UPDATE webhook_deliveries SET due_at = ${at}::timestamptz + (due_at - created_at), created_at = ${at}::timestamptz
    WHERE status = 'pending' AND created_at > ${new Date(now.getTime() + skew_ms).toISOString()}::timestamptz`);
}

export interface StoredDeliveryAttemptResult {
  id: string;
  lease_token: string;
  status: 'succeeded' | 'failed';
  status_code: number | null;
  error_kind: string | null;
  error_message: string | null;
  response_body_truncated: string | null;
  duration_ms: number;
  attempted_at: string;
  next_retry_at: string | null;
  delivered_at: string | null;
}

/** Stores the results of attempts whose lease is still held. Returns the ids of these attempts. */
export async function storeDeliveryAttemptResults(
  results: readonly StoredDeliveryAttemptResult[],
): Promise<Set<string>> {
  const rows = await systemDb().$queryRaw<{ id: string }[]>(Prisma.sql`
    UPDATE webhook_deliveries d
    SET status = r.status, status_code = r.status_code, error_kind = r.error_kind, error_message = r.error_message,
      response_body_truncated = r.response_body_truncated, duration_ms = r.duration_ms, attempted_at = r.attempted_at,
      next_retry_at = r.next_retry_at, delivered_at = r.delivered_at, lease_until = NULL, lease_token = NULL
    FROM jsonb_to_recordset(${JSON.stringify(results)}::jsonb) AS r(
      id text, lease_token text, status text, status_code int, error_kind text, error_message text,
      response_body_truncated text, duration_ms int, attempted_at timestamptz, next_retry_at timestamptz, delivered_at timestamptz)
    WHERE d.id = r.id AND d.lease_token = r.lease_token AND ${STILL_PENDING}
      AND d.id = ANY (ARRAY(SELECT jsonb_array_elements_text(${JSON.stringify(results.map(({ id }) => id))}::jsonb)))
    RETURNING d.id`);
  return new Set(rows.map((row) => row.id));
}

/** The attempt that follows a failed one. */
export interface NextDeliveryAttempt {
  id: string;
  team_id: string;
  mode: Mode;
  event_id: string;
  endpoint_id: string;
  event_type: string;
  attempt_number: number;
  failures_before: number;
  delivery_began_at: string;
  due_at: string;
  created_at: string;
}

/** Queues the next attempts. Does not change an attempt that a redelivery has already queued. */
export async function insertNextDeliveryAttempts(attempts: readonly NextDeliveryAttempt[]): Promise<void> {
  if (attempts.length === 0) return;
  await systemDb().$executeRaw(Prisma.sql`
    INSERT INTO webhook_deliveries
      (id, team_id, mode, event_id, endpoint_id, event_type, attempt_number, failures_before, delivery_began_at, trigger, due_at, created_at)
    SELECT r.id, r.team_id, r.mode::"Mode", r.event_id, r.endpoint_id, r.event_type, r.attempt_number, r.failures_before,
      r.delivery_began_at, 'retry', r.due_at, r.created_at
    FROM jsonb_to_recordset(${JSON.stringify(attempts)}::jsonb) AS r(
      id text, team_id text, mode text, event_id text, endpoint_id text, event_type text, attempt_number int,
      failures_before int, delivery_began_at timestamptz, due_at timestamptz, created_at timestamptz)
    ON CONFLICT (endpoint_id, event_id, attempt_number) DO NOTHING`);
}

/** The columns of an endpoint that attempts read and change. */
export interface EndpointColumnsChangedByAttempts extends EndpointHealth {
  id: string;
  team_id: string;
  mode: Mode;
  url: string;
  status: string;
  disabled_reason: string | null;
  disabled_at: Date | null;
  warned_at: Date | null;
}

/** Locks endpoints, ordered by id, until the end of the transaction. Returns them by id. */
export async function lockEndpoints(ids: readonly string[]): Promise<Map<string, EndpointColumnsChangedByAttempts>> {
  const rows = await systemDb().$queryRaw<EndpointColumnsChangedByAttempts[]>(Prisma.sql`
    SELECT id, team_id, mode::text AS mode, url, status, consecutive_failures, failing_since, disabled_reason, disabled_at,
      warned_at, circuit_open_until, last_delivery_at, last_success_at
    FROM webhook_endpoints WHERE id IN (SELECT jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
    ORDER BY id FOR NO KEY UPDATE`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Saves the columns that attempts changed. Disabling an endpoint also increments its version. */
export async function saveEndpointColumnsChangedByAttempts(
  endpoints: readonly EndpointColumnsChangedByAttempts[],
  now: Date,
): Promise<void> {
  await systemDb().$executeRaw(Prisma.sql`
    UPDATE webhook_endpoints e
    SET consecutive_failures = r.consecutive_failures, failing_since = r.failing_since, warned_at = r.warned_at,
      circuit_open_until = r.circuit_open_until, last_delivery_at = r.last_delivery_at, last_success_at = r.last_success_at,
      disabled_reason = r.disabled_reason, disabled_at = r.disabled_at,
      version = e.version + CASE WHEN e.status <> r.status THEN 1 ELSE 0 END,
      updated_at = CASE WHEN e.status <> r.status THEN ${now.toISOString()}::timestamptz ELSE e.updated_at END,
      status = r.status
    FROM jsonb_to_recordset(${JSON.stringify(endpoints)}::jsonb) AS r(
      id text, status text, consecutive_failures int, failing_since timestamptz, disabled_reason text, disabled_at timestamptz,
      warned_at timestamptz, circuit_open_until timestamptz, last_delivery_at timestamptz, last_success_at timestamptz)
    WHERE e.id = r.id`);
}

/**
 * Clears the stored times of requested runs for these endpoints, or for all endpoints when `ids` is
 * null.
 */
export async function clearStartTimesOfRequestedDeliveryRuns(ids: readonly string[] | null): Promise<void> {
  await systemDb().webhookEndpoint.updateMany({
    where: { wake_at: { not: null }, ...(ids && { id: { in: [...ids] } }) },
    data: { wake_at: null },
  });
}

/**
 * Releases the leases of dead processes. Also clears all stored requests for runs, because a dead
 * process may have stored a request without starting the run.
 */
export async function releaseAttemptLeasesOfDeadProcesses(): Promise<void> {
  await clearStartTimesOfRequestedDeliveryRuns(null);
  await systemDb().$executeRaw(Prisma.sql`
    UPDATE webhook_deliveries SET lease_until = NULL, lease_token = NULL
    WHERE status = 'pending' AND lease_until IS NOT NULL AND ${leasedByDeadProcess('lease_token')}`);
}

/**
 * Reschedules the retries at a test clock's properties after the clock was advanced. Each retry
 * becomes due earlier by the time by which the clock was advanced. Returns the number of retries.
 * One statement moves the retries and records the advance, so that an advance is not applied twice.
 */
export function bringForwardRetriesOfTestClock(test_clock_id: string, now: Date): Promise<number> {
  // Returns the earlier time, but no earlier than `now`.
  const nearer = (column: string, by: string) =>
    Prisma.sql`least(${Prisma.raw(column)}, greatest(${Prisma.raw(`${column} - ${by}`)}, ${now.toISOString()}::timestamptz))`;
  return systemDb().$executeRaw(Prisma.sql`
    WITH clock AS (SELECT id, retries_time FROM test_clocks WHERE id = ${test_clock_id} FOR UPDATE),
    moved AS (
      UPDATE test_clocks c SET retries_time = c.frozen_time FROM clock
      WHERE c.id = clock.id AND c.frozen_time > clock.retries_time
      RETURNING c.id, c.team_id, c.mode, c.frozen_time - clock.retries_time AS by
    ),
    waiting AS (
      SELECT d.id, d.endpoint_id, d.event_id, d.attempt_number, moved.by
      FROM moved JOIN webhook_deliveries d ON d.team_id = moved.team_id AND d.mode = moved.mode
      JOIN events e ON e.id = d.event_id
      JOIN properties p ON p.test_clock_id = moved.id AND p.id IN (
        e.object_id,
        (SELECT property_id FROM reservations WHERE id = e.object_id),
        (SELECT property_id FROM signatures WHERE id = e.object_id),
        (SELECT property_id FROM packets WHERE id = e.object_id),
        (SELECT property_id FROM sync_sources WHERE id = e.object_id))
      WHERE d.status = 'pending' AND d.trigger = 'retry' AND d.lease_until IS NULL
    ),
    -- An open circuit is shortened too.
    circuits AS (
      UPDATE webhook_endpoints w SET circuit_open_until = ${nearer('w.circuit_open_until', 'x.by')}
      FROM (SELECT DISTINCT endpoint_id, by FROM waiting) x WHERE w.id = x.endpoint_id
    ),
    shown AS (
      UPDATE webhook_deliveries d SET next_retry_at = ${nearer('d.next_retry_at', 'w.by')} FROM waiting w
      WHERE d.endpoint_id = w.endpoint_id AND d.event_id = w.event_id AND d.attempt_number = w.attempt_number - 1
    )
    UPDATE webhook_deliveries d SET due_at = ${nearer('d.due_at', 'w.by')} FROM waiting w WHERE d.id = w.id`);
}
