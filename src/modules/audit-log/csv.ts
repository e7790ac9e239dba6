/** Lines of CSV (RFC 4180) that no spreadsheet evaluates as formulas. Pure. */

/** The first characters of formulas in Excel, LibreOffice and Google Sheets, in any locale. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * The same behind a separator: a spreadsheet that separates by `;` begins a cell there, whatever
 * the quotes say.
 */
const FORMULA_INSIDE = /([;,\t\r\n][^\S\t\r\n]*)(?=[=+\-@＝＋－＠])/g;

/**
 * One cell, always quoted. A text that could be a formula begins with an apostrophe, which
 * spreadsheets do not show.
 */
export function csvCell(value: string | null): string {
  const text = value ?? '';
  // Some spreadsheets evaluate a formula after leading spaces.
  const safe = FORMULA.test(text.trimStart()) || FORMULA.test(text) ? `'${text}` : text;
  const safe_inside = safe.replace(FORMULA_INSIDE, "$1'");
  return `"${safe_inside.replaceAll('"', '""')}"`;
}

export const csvLine = (cells: readonly (string | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`;
