/** Runs one round of load on one server, and computes statistics over several rounds. */
import autocannon from 'autocannon';
import type { BenchCase } from '../cases';
import type { BenchServer } from './server-process';

/**
 * Number of connections. They keep a single-threaded server and its pool of ten database
 * connections busy.
 */
export const BENCH_CONNECTION_COUNT = 16;

export interface BenchRoundResult {
  requests_per_s: number;
  p50_ms: number;
  p99_ms: number;
  /**
   * The server's processor time per request in microseconds. NaN where it is unknown. Unlike the
   * other values it does not depend on other work on the machine.
   */
  cpu_us: number;
}

/**
 * Measures a case. Throws unless all responses are 2xx, because failures are faster and would
 * distort the result.
 */
export async function measureBenchCase(
  server: BenchServer,
  subject: BenchCase,
  duration_s: number,
): Promise<BenchRoundResult> {
  const cpu_before = server.cpu_ms();
  const result = await autocannon({
    url: server.url,
    connections: BENCH_CONNECTION_COUNT,
    duration: duration_s,
    requests: [{ setupRequest: (request) => ({ ...request, ...subject.next() }) }],
  });
  const cpu_after = server.cpu_ms();
  if (result.errors > 0 || result.timeouts > 0 || result.non2xx > 0) {
    throw new Error(
      `${subject.name} by the ${server.name}: ${result.errors} errors, ${result.timeouts} time-outs, ${result.non2xx} failures.`,
    );
  }
  return {
    requests_per_s: result['2xx'] / result.duration,
    p50_ms: result.latency.p50,
    p99_ms: result.latency.p99,
    cpu_us: cpu_before === null || cpu_after === null ? Number.NaN : ((cpu_after - cpu_before) * 1000) / result['2xx'],
  };
}

export interface MinMedianAndMax {
  min: number;
  median: number;
  max: number;
}

export function computeMinMedianAndMax(values: readonly number[]): MinMedianAndMax {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle] : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
  return { min: sorted[0] ?? 0, median: median ?? 0, max: sorted.at(-1) ?? 0 };
}
