/** Types for the parts of autocannon that the benchmarks use. The package contains no types. */
declare module 'autocannon' {
  interface AutocannonRequest {
    method?: string;
    path?: string;
    body?: string;
    headers?: Record<string, string>;
    setupRequest?: (request: AutocannonRequest) => AutocannonRequest;
  }
  interface AutocannonResult {
    /** The duration in seconds. */
    duration: number;
    errors: number;
    timeouts: number;
    non2xx: number;
    requests: { total: number };
    '2xx': number;
    /** The latency in milliseconds. */
    latency: { p50: number; p99: number; average: number };
  }
  export default function autocannon(options: {
    url: string;
    connections: number;
    duration: number;
    requests: AutocannonRequest[];
  }): Promise<AutocannonResult>;
}
