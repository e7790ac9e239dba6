/**
 * Parses dates in the formats of spreadsheets. A year must have four digits, because a two-digit
 * year is ambiguous. Pure.
 */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Parses 2026-12-24, 2026/12/24, 24.12.2026, 24 Dec 2026, December 24, 2026, 24/12/2026 and
 * 24-12-2026 into `2026-12-24`. In the last two formats, `day_first` decides the order of day and
 * month if both orders are possible. Ignores a time after the date. Returns null for other text.
 */
export function parseImportDate(text: string, day_first: boolean): string | null {
  const value = text.trim().replace(/[T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?( ?[AP]M|Z)?$/i, '');
  const year_first = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(value);
  if (year_first) return dayOf(year_first[1], year_first[2], year_first[3]);
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(value);
  if (dotted) return dayOf(dotted[3], dotted[2], dotted[1]);
  const slashed = /^(\d{1,2})[-/](\d{1,2})[-/](\d{4})$/.exec(value);
  if (slashed) {
    const [, first, second, year] = slashed;
    const chosen = day_first ? dayOf(year, second, first) : dayOf(year, first, second);
    return chosen ?? (day_first ? dayOf(year, first, second) : dayOf(year, second, first));
  }
  const named =
    /^(?<day>\d{1,2})[ -]?(?<month>[a-z]{3})[a-z]*\.?,?[ -]?(?<year>\d{4})$/i.exec(value) ??
    /^(?<month>[a-z]{3})[a-z]*\.? (?<day>\d{1,2})(st|nd|rd|th)?,? (?<year>\d{4})$/i.exec(value);
  if (!named?.groups) return null;
  const month = MONTHS.indexOf((named.groups.month ?? '').toLowerCase()) + 1;
  return dayOf(named.groups.year, String(month), named.groups.day);
}

/** Returns null for dates that do not exist (30 February, year 0). */
function dayOf(year = '', month = '', day = ''): string | null {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  return year === '0000' || Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? null : text;
}
