/** Lines of CSV (RFC 4180) that no spreadsheet evaluates as formulas. Pure. */

/** The first characters of formulas in Excel, LibreOffice and Google Sheets, in any locale. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * The same characters after a separator. A spreadsheet that separates by `;` begins a cell there,
 * even inside quotes.
 */
const FORMULA_INSIDE = /([;,\t\r\n][^\S\t\r\n]*)(?=[=+\-@＝＋－＠])/g;

/**
 * Quotes a cell. A text that could be a formula begins with an apostrophe, which spreadsheets do
 * not show.
 */
export function formatCsvCell(value: string | null): string {
  const text = value ?? '';
  // Some spreadsheets evaluate a formula after leading spaces.
  const safe = FORMULA.test(text.trimStart()) || FORMULA.test(text) ? `'${text}` : text;
  const safe_inside = safe.replace(FORMULA_INSIDE, "$1'");
  return `"${safe_inside.replaceAll('"', '""')}"`;
}

export const formatCsvLine = (cells: readonly (string | null)[]): string => `${cells.map(formatCsvCell).join(',')}\r\n`;
