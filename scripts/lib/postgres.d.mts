/** Starts one and returns its URL and how to stop it, or null when no programs are found or none starts. */
export function startPostgres(): Promise<{ url: string; stop: () => void } | null>;
