/**
 * What this process counts for whoever operates it, in Prometheus' format. Labels are operations, statuses and kinds of
 * outcomes: never a team, a key or an address.
 */
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export const registry = new Registry();

const requests = new Histogram({
  name: 'threshold_api_request_duration_seconds',
  help: 'Requests under /v1, by operation (`none` when no operation was found) and HTTP status.',
  labelNames: ['operation', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
});

const attempts = new Counter({
  name: 'threshold_webhook_attempts_total',
  help: 'Attempts to deliver a webhook: `accepted`, `refused` (a complete answer that was no 2xx), or the kind of error.',
  labelNames: ['outcome'],
  registers: [registry],
});

/** Counts an answered request under `/v1`. */
export function observeRequest(operation: string | null, status: number, duration_ms: number): void {
  requests.observe({ operation: operation ?? 'none', status }, duration_ms / 1_000);
}

/** Counts an attempt to deliver a webhook. */
export function countAttempt({ accepted, error_kind }: { accepted: boolean; error_kind: string | null }): void {
  attempts.inc({ outcome: accepted ? 'accepted' : (error_kind ?? 'refused') });
}

const inngest = new Counter({
  name: 'threshold_inngest_requests_total',
  help: 'With a real Inngest server: `called` (it ran a function), `call_refused` (by its signature), `sent` (events it took), `send_failed`.',
  labelNames: ['what'],
  registers: [registry],
});

/** Counts a request between this process and a real Inngest server. */
export function countInngest(what: 'called' | 'call_refused' | 'sent' | 'send_failed'): void {
  inngest.inc({ what });
}

/** Starts watching the process itself: memory, processor time, event loop, garbage collection. */
export function watchProcess(): void {
  collectDefaultMetrics({ register: registry });
}
