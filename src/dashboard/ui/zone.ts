/** Time zones as this browser knows them. */
const known = new Map<string, boolean>();

/** The clock that this computer goes by. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC';

/** The zone if this browser knows it, else UTC. */
export function usableZone(zone: string | null): string {
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
 * The day (`2026-12-24`) that a property's calendar shows; without a zone given, that of who reads.
 * `sv` writes days as ISO does.
 */
export const dayIn = (now: Date, zone?: string | null): string =>
  new Intl.DateTimeFormat('sv', zone === undefined ? {} : { timeZone: usableZone(zone) }).format(now);

export function daysLater(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}
