/** Caches whether this browser supports a time zone. */
const known = new Map<string, boolean>();

/** Returns the time zone of the user's computer. */
export const getBrowserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC';

/** Returns the zone if this browser supports it, otherwise UTC. */
export function getTimeZoneOrUtcIfUnsupported(zone: string | null): string {
  if (!zone) return 'UTC';
  let usable = known.get(zone);
  if (usable === undefined) {
    try {
      new Intl.DateTimeFormat('en', { timeZone: zone });
      usable = true;
    } catch {
      usable = false;
    }
    known.set(zone, usable);
  }
  return usable ? zone : 'UTC';
}

/**
 * Returns the day (`2026-12-24`) in a time zone, by default the reader's zone. The locale `sv`
 * formats days as ISO does.
 */
export const getIsoDateInTimeZone = (now: Date, zone?: string | null): string =>
  new Intl.DateTimeFormat('sv', zone === undefined ? {} : { timeZone: getTimeZoneOrUtcIfUnsupported(zone) }).format(
    now,
  );

export function addCalendarDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}
