/**
 * Starts a cluster. Returns its URL and a stop function. Returns null when PostgreSQL is not
 * installed or does not start.
 */
export function startPostgres(): Promise<{ url: string; stop: () => void } | null>;
