/**
 * The sliding window's arithmetic, pure (DESIGN, "Rate limit").
 *
 *   usage(t) = admissions of the last 60 s, those of the last 10 s counting one half
 *
 * A request passes while usage is below the limit, so a quiet client may burst to twice the limit inside ten seconds;
 * ten seconds on, the burst counts in full. Usage can therefore rise without a request. Everything is held in half
 * requests, which are whole numbers.
 */
import type { Decision } from './limiter';

export const WINDOW_MS = 60_000;
/** Admissions younger than this count one half. */
export const BURST_MS = 10_000;

/** Usage in half requests, from how many admissions lie in the window and how many of those in its youngest part. */
export function usageInHalves(in_window: number, in_burst: number): number {
  return 2 * in_window - in_burst;
}

/**
 * The decision for an admitted request; the count includes it, and `newest_ms` is its time. What remains is what passes
 * whenever it comes: admissions of the burst count in full soon, so that room which their half leaves is not promised.
 */
export function admitted(limit: number, in_window: number, newest_ms: number): Decision {
  return {
    allowed: true,
    limit,
    remaining: Math.max(0, limit - in_window),
    reset_unix_s: resetSecond(newest_ms),
    retry_after_s: 0,
  };
}

/** The decision for a refused request. `times` are the admissions in the window, oldest first. */
export function refused(limit: number, times: readonly number[], now_ms: number): Decision {
  return {
    allowed: false,
    limit,
    remaining: 0,
    reset_unix_s: resetSecond(times.at(-1) ?? now_ms),
    retry_after_s: retryAfter(limit, times, now_ms),
  };
}

/** The full limit is there again when the newest admission has left the window. */
function resetSecond(newest_ms: number): number {
  return Math.ceil((newest_ms + WINDOW_MS) / 1000);
}

/**
 * The fewest whole seconds, at least 1, after which a request would pass if none were admitted meanwhile. Second by
 * second, since usage does not only fall: an earlier moment may pass and a later one not. After 60 s all is over.
 */
function retryAfter(limit: number, times: readonly number[], now_ms: number): number {
  let expired = 0;
  let matured = 0;
  for (let seconds = 1; ; seconds += 1) {
    const at = now_ms + seconds * 1000;
    while (expired < times.length && times[expired]! <= at - WINDOW_MS) expired += 1;
    while (matured < times.length && times[matured]! <= at - BURST_MS) matured += 1;
    const usage = usageInHalves(times.length - expired, times.length - matured);
    if (usage < 2 * limit || expired === times.length) return seconds;
  }
}
