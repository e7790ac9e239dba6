/**
 * Starts a cluster. Returns its URL and a stop function, or null when no programs are found or none
 * starts.
 */
export function startPostgres(): Promise<{ url: string; stop: () => void } | null>;
