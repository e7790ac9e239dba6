/** How long something still lasts, in words. Pure. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** `23 h 05 min`, `4 min`, `38 s`; null when it is over. Rounded down, never promising more than there is. */
export function timeLeft(until: string, now: number): string | null {
  const left = Date.parse(until) - now;
  if (!(left > 0)) return null;
  if (left >= HOUR)
    return `${Math.floor(left / HOUR)} h ${String(Math.floor((left % HOUR) / MINUTE)).padStart(2, '0')} min`;
  if (left >= MINUTE) return `${Math.floor(left / MINUTE)} min`;
  return `${Math.max(1, Math.floor(left / 1000))} s`;
}
