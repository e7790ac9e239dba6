/**
 * Converts the database's `date` (a Date at midnight UTC) to the API's `2026-12-24`. No time zone
 * is involved.
 */
export function convertDatabaseDateToIsoDay(day: Date): string {
  return day.toISOString().slice(0, 10);
}

/** Converts `2026-12-24` to the database's `date`. */
export function parseCalendarDay(text: string): Date {
  return new Date(`${text}T00:00:00.000Z`);
}
