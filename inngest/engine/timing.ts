/**
 * Pure rules about time: the SDK's durations, the `Retry-After` header, and the delay between
 * attempts.
 */

const UNIT_MS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const;
const DURATION = /^(?:\d{1,12}[wdhms]){1,8}$/;

/**
 * Returns the milliseconds of a duration in the SDK's format (`1d2h30m10s`). The empty string is 0.
 * Returns null for any other text.
 */
export function parseDurationMs(text: string): number | null {
  if (text === '') return 0;
  if (!DURATION.test(text)) return null;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d{1,12})([wdhms])/g)) {
    total += Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
  }
  return total;
}

/**
 * Returns the moment of a date, or of a duration counted from `now`. Throws an Error for any other
 * text.
 */
export function parseDateOrDuration(text: string, now: Date): Date {
  const ms = parseDurationMs(text);
  if (ms !== null) return new Date(now.getTime() + ms);
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new Error(`"${text}" is neither a duration nor a date`);
  return date;
}

/**
 * Returns the moment that a `Retry-After` header names in seconds or as a date, but never a moment
 * in the past. Returns null when the header is missing or invalid.
 */
export function parseRetryAfter(header: string | null, now: Date): Date | null {
  if (!header) return null;
  const ms = /^\d+$/.test(header) ? now.getTime() + Number(header) * 1000 : Date.parse(header);
  return Number.isNaN(ms) ? null : new Date(Math.max(ms, now.getTime()));
}

/**
 * Returns the delay after consecutive failed attempts: 1 s, 4 s, 16 s, 64 s, 256 s, then 10
 * minutes. Adds up to a tenth at random, so that jobs that failed together are not retried
 * together. `random` is in [0, 1).
 */
export function computeBackoffMs(failed_attempts: number, random: number): number {
  const base = Math.min(1_000 * 4 ** Math.max(0, failed_attempts - 1), 600_000);
  return Math.round(base * (1 + random / 10));
}
