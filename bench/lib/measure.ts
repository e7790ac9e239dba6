/** One round of load on one server, and the statistics over rounds. */
import autocannon from 'autocannon';
import type { Case } from '../cases';

/** Enough to keep a single-threaded server and its pool of ten busy. */
export const CONNECTIONS = 16;

export interface Round {
  requests_per_s: number;
  p50_ms: number;
  p99_ms: number;
}

/** Throws when any answer was not a 2xx: a fast failure is no speed. */
export async function measure(url: string, subject: Case, duration_s: number): Promise<Round> {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: duration_s,
    requests: [{ setupRequest: (request) => ({ ...request, ...subject.next() }) }],
  });
  if (result.errors > 0 || result.timeouts > 0 || result.non2xx > 0) {
    throw new Error(
      `${subject.name} at ${url}: ${result.errors} errors, ${result.timeouts} time-outs, ${result.non2xx} failures.`,
    );
  }
  return {
    requests_per_s: result['2xx'] / result.duration,
    p50_ms: result.latency.p50,
    p99_ms: result.latency.p99,
  };
}

export interface Spread {
  min: number;
  median: number;
  max: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle] : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
  return { min: sorted[0] ?? 0, median: median ?? 0, max: sorted.at(-1) ?? 0 };
}
