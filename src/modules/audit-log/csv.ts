/** Lines of CSV (RFC 4180) that a spreadsheet shows and never calculates. Pure. */

/** What makes Excel, LibreOffice and Google Sheets take a cell for a formula; the full-width forms count in some locales. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** One cell, always quoted. A text that could be a formula begins with an apostrophe, which spreadsheets do not show. */
export function csvCell(value: string | null): string {
  const text = value ?? '';
  // Spaces before the sign do not keep every spreadsheet from calculating.
  const safe = FORMULA.test(text.trimStart()) || FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

export const csvLine = (cells: readonly (string | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`;
