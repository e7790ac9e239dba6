/**
 * Converts two days from a URL to instants in the reader's time zone: the start of the first day
 * and the end of the last. Pure.
 */

function midnight(day: string | undefined, later = 0): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? [];
  if (!year) return undefined;
  return new Date(Number(year), Number(month) - 1, Number(date) + later).toISOString();
}

/** Returns the range. Ignores an invalid day, so that an old link never causes an error. */
export function parseDayRange(days: { from?: string; to?: string }): { from?: string; to?: string } {
  const from = midnight(days.from);
  const to = midnight(days.to, 1);
  return { ...(from && { from }), ...(to && { to }) };
}
