/** Writes CSV (RFC 4180) in which no cell is evaluated as a formula. Pure. */

/** The first characters of formulas in Excel, LibreOffice and Google Sheets, in any locale. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * The same characters after a separator. A spreadsheet that uses `;` as the separator starts a new
 * cell there, even inside quotes.
 */
const FORMULA_INSIDE = /([;,\t\r\n][^\S\t\r\n]*)(?=[=+\-@＝＋－＠])/g;

/**
 * Quotes a cell. Prefixes text that could be a formula with an apostrophe, which spreadsheets hide.
 */
export function formatCsvCell(value: string | null): string {
  const text = value ?? '';
  // Some spreadsheets ignore leading spaces and evaluate the formula after them.
  const safe = FORMULA.test(text.trimStart()) || FORMULA.test(text) ? `'${text}` : text;
  const safe_inside = safe.replace(FORMULA_INSIDE, "$1'");
  return `"${safe_inside.replaceAll('"', '""')}"`;
}

export const formatCsvLine = (cells: readonly (string | null)[]): string => `${cells.map(formatCsvCell).join(',')}\r\n`;
