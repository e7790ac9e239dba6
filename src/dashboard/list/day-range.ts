/**
 * Two days of a list's address as moments: from the beginning of the first to the end of the last,
 * on the reader's clock. Pure.
 */

function midnight(day: string | undefined, later = 0): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? [];
  if (!year) return undefined;
  return new Date(Number(year), Number(month) - 1, Number(date) + later).toISOString();
}

/** A day that is none is left out: an old link shows something, never an error. */
export function dayRange(days: { from?: string; to?: string }): { from?: string; to?: string } {
  const from = midnight(days.from);
  const to = midnight(days.to, 1);
  return { ...(from && { from }), ...(to && { to }) };
}
