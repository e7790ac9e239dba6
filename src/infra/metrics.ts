/**
 * Prometheus metrics of this process for its operator. Labels contain operations, statuses and
 * kinds of outcomes, and never a team, a key or an address.
 */
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export const metricsRegistry = new Registry();

const requests = new Histogram({
  name: 'threshold_api_request_duration_seconds',
  help: 'Requests under /v1, by operation (`none` when no operation was found) and HTTP status.',
  labelNames: ['operation', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [metricsRegistry],
});

const attempts = new Counter({
  name: 'threshold_webhook_attempts_total',
  help: 'Attempts to deliver a webhook: `accepted`, `refused` (a complete response without a 2xx status), or the kind of error.',
  labelNames: ['outcome'],
  registers: [metricsRegistry],
});

export function recordRequestMetric(operation: string | null, status: number, duration_ms: number): void {
  requests.observe({ operation: operation ?? 'none', status }, duration_ms / 1_000);
}

export function recordWebhookAttemptMetric({
  accepted,
  error_kind,
}: {
  accepted: boolean;
  error_kind: string | null;
}): void {
  attempts.inc({ outcome: accepted ? 'accepted' : (error_kind ?? 'refused') });
}

const inngest = new Counter({
  name: 'threshold_inngest_requests_total',
  help: 'With a real Inngest server: `called` (it ran a function), `call_refused` (for its signature), `sent` (events that it accepted), `send_failed`.',
  labelNames: ['what'],
  registers: [metricsRegistry],
});

export function recordInngestCallMetric(what: 'called' | 'call_refused' | 'sent' | 'send_failed'): void {
  inngest.inc({ what });
}

/**
 * Starts collecting metrics of the process: memory, processor time, event loop, garbage collection.
 */
export function collectProcessMetrics(): void {
  collectDefaultMetrics({ register: metricsRegistry });
}
