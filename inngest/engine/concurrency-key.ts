/**
 * Reads a function's key, which is a value at a path in its event. Limits and cancellations apply
 * to runs with the same key.
 */

const PATH = /^event((?:\.[A-Za-z_][A-Za-z0-9_]*)+)$/;

/** Parses a path such as `event.data.team_id`. Throws an Error for any other text. */
export function parseEventDataPath(source: string): string[] {
  const path = PATH.exec(source)?.[1];
  if (!path) throw new Error(`unsupported key "${source}": only a path like event.data.x is supported`);
  return path.slice(1).split('.');
}

/**
 * Returns the event's value at the path, as JSON. Returns null when the event has no such value.
 */
export function readEventValueAtPath(event: unknown, path: readonly string[]): string | null {
  let value: unknown = event;
  for (const name of path) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return null;
    value = (value as Record<string, unknown>)[name];
  }
  return JSON.stringify(value);
}
