/**
 * Serves GET /metrics: this process's counters, and the current length of the database's queues.
 * Requires `Authorization: Bearer METRICS_TOKEN`. Without that variable the page does not exist.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Gauge } from 'prom-client';
import { config } from '@/config';
import { DEAD_LETTER_FAILURE_COUNT, listDeadLetters } from '@/events/outbox';
import { systemDb } from '@/infra/db/client';
import { getDurableRunsStoppedReason } from '@/infra/durable-runs';
import { isEqualInConstantTime } from '@/infra/encryption';
import { metricsRegistry } from '@/infra/metrics';
import { readInngestConnectionStatus } from '@/infra/process/processes';
import { clock } from '@/shared/clock';

const waiting = new Gauge({
  name: 'threshold_queue_waiting',
  help: 'Due items that are waiting, counted up to 10,000: events to relay, deliveries, mails, certificates to seal, calendars, bookings to check for double bookings, files to move into the storage, files to remove from it, accounts to remove, runs of the embedded engine.',
  labelNames: ['queue'],
  registers: [metricsRegistry],
});
const oldest = new Gauge({
  name: 'threshold_queue_oldest_seconds',
  help: 'How long the oldest waiting item has been due, in seconds. 0 when none is waiting.',
  labelNames: ['queue'],
  registers: [metricsRegistry],
});

const runs_waiting = new Gauge({
  name: 'threshold_runs_waiting',
  help: 'Runs of each durable function of the embedded engine that are due and not started.',
  labelNames: ['function'],
  registers: [metricsRegistry],
});
const runs_oldest = new Gauge({
  name: 'threshold_runs_oldest_seconds',
  help: 'How long the oldest waiting run has been due, in seconds.',
  labelNames: ['function'],
  registers: [metricsRegistry],
});
const cron_age = new Gauge({
  name: 'threshold_cron_last_seconds',
  help: 'Seconds since the embedded engine last called each scheduled function.',
  labelNames: ['function'],
  registers: [metricsRegistry],
});

const dead_letters = new Gauge({
  name: 'threshold_dead_letters',
  help: 'Events that the relay gave up, counted up to 100. See `admin dead-letter list`.',
  registers: [metricsRegistry],
});

const standing = new Gauge({
  name: 'threshold_durable_work_up',
  help: '1 while durable work runs. 0 when a real Inngest server refuses the registration or events, or calls no crons.',
  registers: [metricsRegistry],
});

const contact_age = new Gauge({
  name: 'threshold_inngest_last_seconds',
  help: 'With a real Inngest server: seconds since it last called any process, since a call was last refused for its signature, and since it last refused an event.',
  labelNames: ['what'],
  registers: [metricsRegistry],
});

const COUNTED_AT_MOST = 10_000;

interface Depth {
  queue: string;
  waiting: number;
  since: Date | null;
}

/**
 * Reads the lengths of the queues. Each query reads the beginning of one partial index. The query
 * for deliveries reads one index range per endpoint.
 */
async function readDepths(now: Date): Promise<Depth[]> {
  const at = now.toISOString();
  const limit = COUNTED_AT_MOST;
  return systemDb().$queryRaw<Depth[]>`
    WITH RECURSIVE lanes(endpoint_id) AS (
      (SELECT d.endpoint_id FROM webhook_deliveries d
       WHERE d.status = 'pending' ORDER BY d.endpoint_id, d.due_at LIMIT 1)
      UNION ALL
      SELECT (SELECT d.endpoint_id FROM webhook_deliveries d
              WHERE d.status = 'pending' AND d.endpoint_id > lanes.endpoint_id
              ORDER BY d.endpoint_id, d.due_at LIMIT 1)
      FROM lanes WHERE lanes.endpoint_id IS NOT NULL
    )
    SELECT 'events' AS queue, count(*)::int AS waiting, min(due) AS since
      FROM (SELECT created_at AS due FROM events WHERE relayed_at IS NULL AND relay_failures < ${DEAD_LETTER_FAILURE_COUNT}::int LIMIT ${limit}::int) e
    UNION ALL SELECT 'deliveries', count(*)::int, min(due) FROM (
      SELECT w.due_at AS due FROM lanes CROSS JOIN LATERAL (
        SELECT d.due_at FROM webhook_deliveries d
        WHERE d.status = 'pending' AND d.endpoint_id = lanes.endpoint_id AND d.due_at <= ${at}::timestamptz
        ORDER BY d.due_at LIMIT ${limit}::int
      ) w) d
    UNION ALL SELECT 'mails', count(*)::int, min(due) FROM (
      -- One that is being sent waits too; it is due again later.
      SELECT least(due_at, ${at}::timestamptz) AS due FROM mail_messages
      WHERE status = 'queued' AND (due_at <= ${at}::timestamptz OR (attempts > 0 AND last_error IS NULL))
      ORDER BY due_at LIMIT ${limit}::int) m
    UNION ALL SELECT 'certificates', count(*)::int, min(due) FROM (
      SELECT created_at AS due FROM signatures WHERE sealed_at IS NULL AND redacted_at IS NULL
      ORDER BY created_at LIMIT ${limit}::int) s
    UNION ALL SELECT 'calendars', count(*)::int, min(due) FROM (
      SELECT next_run_at AS due FROM sync_sources
      WHERE enabled AND feed_url IS NOT NULL AND next_run_at <= ${at}::timestamptz ORDER BY next_run_at LIMIT ${limit}::int) c
    UNION ALL SELECT 'nights', count(*)::int, min(due) FROM (
      SELECT updated_at AS due FROM reservations WHERE nights_changed LIMIT ${limit}::int) n
    UNION ALL SELECT 'files', count(*)::int, min(due) FROM (
      SELECT sealed_at AS due FROM signatures
      WHERE ${config().storage_write} AND sealed_at IS NOT NULL AND (pdf IS NOT NULL OR photo IS NOT NULL) LIMIT ${limit}::int) f
    UNION ALL SELECT 'removals', count(*)::int, min(due) FROM (
      SELECT created_at AS due FROM stored_objects WHERE state <> 'kept' AND state = 'removing' LIMIT ${limit}::int) o
    UNION ALL SELECT 'accounts', count(*)::int, NULL FROM teams t
      WHERE t.plan = 'deleted' AND NOT EXISTS (SELECT 1 FROM members m WHERE m.team_id = t.id)
    UNION ALL SELECT 'runs', count(*)::int, min(due) FROM (
      SELECT run_at AS due FROM engine_jobs
      WHERE run_at <= ${at}::timestamptz AND (lease_until IS NULL OR lease_until <= ${at}::timestamptz) LIMIT ${limit}::int) r`;
}

interface FunctionDepth extends Omit<Depth, 'queue'> {
  function: string;
  last: Date | null;
}

/** Reads, for every function of the embedded engine, its due runs and its last scheduled minute. */
async function readFunctions(now: Date): Promise<FunctionDepth[]> {
  const at = now.toISOString();
  return systemDb().$queryRaw<FunctionDepth[]>`
    SELECT f.id AS function, d.waiting, d.since, (SELECT max(minute) FROM engine_cron_ticks t WHERE t.function_id = f.id) AS last
    FROM engine_functions f CROSS JOIN LATERAL (
      SELECT count(*)::int AS waiting, min(run_at) AS since FROM (
        SELECT run_at FROM engine_jobs j
        WHERE j.function_id = f.id AND run_at <= ${at}::timestamptz AND (lease_until IS NULL OR lease_until <= ${at}::timestamptz)
        LIMIT ${COUNTED_AT_MOST}::int) due) d`;
}

async function measureFunctions(now: Date): Promise<void> {
  for (const gauge of [runs_waiting, runs_oldest, cron_age]) gauge.reset();
  if (config().inngest) return;
  const since = (moment: Date) => Math.max(0, (now.getTime() - moment.getTime()) / 1_000);
  for (const { function: name, waiting: count, since: oldest_due, last } of await readFunctions(now)) {
    runs_waiting.set({ function: name }, count);
    runs_oldest.set({ function: name }, oldest_due ? since(oldest_due) : 0);
    if (last) cron_age.set({ function: name }, since(last));
  }
}

async function measureContact(now: Date): Promise<void> {
  contact_age.reset();
  if (!config().inngest) return;
  const { called_at, call_refused_at, send_failed_at } = await readInngestConnectionStatus();
  for (const [what, moment] of Object.entries({
    called: called_at,
    call_refused: call_refused_at,
    send_failed: send_failed_at,
  }))
    if (moment) contact_age.set({ what }, Math.max(0, (now.getTime() - moment.getTime()) / 1_000));
}

async function measureQueues(): Promise<void> {
  standing.set(getDurableRunsStoppedReason() ? 0 : 1);
  const now = clock().now();
  await measureFunctions(now);
  await measureContact(now);
  dead_letters.set((await listDeadLetters()).length);
  for (const { queue, waiting: count, since } of await readDepths(now)) {
    waiting.set({ queue }, count);
    oldest.set({ queue }, since ? Math.max(0, (now.getTime() - since.getTime()) / 1_000) : 0);
  }
}

/**
 * Answers GET /metrics. Responds 404 when it is not configured, 401 without the token, and 503
 * without a database.
 */
export async function handleMetricsRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const token = config().metrics_token;
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const refuse = (status: number, text: string) =>
    void response
      .writeHead(status, {
        'Content-Type': 'text/plain; charset=utf-8',
        ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
      })
      .end(text);
  if (!token) return refuse(404, 'Not found');
  if (!isEqualInConstantTime(given, token)) return refuse(401, 'The token is missing or wrong.');
  try {
    await measureQueues();
  } catch {
    return refuse(503, 'The database cannot be reached.');
  }
  response.writeHead(200, { 'Content-Type': metricsRegistry.contentType, 'Cache-Control': 'no-store' });
  response.end(await metricsRegistry.metrics());
}
