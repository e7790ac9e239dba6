/** Formats terminal output as tables, as single resources, or as JSON. */

type Row = Readonly<Record<string, unknown>>;

/**
 * Removes control characters, so that text from others cannot move the cursor or colour the screen.
 */
const plain = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ');

export function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'object') return plain(JSON.stringify(value));
  return plain(String(value));
}

/**
 * Formats a table. Columns are as wide as their widest value. The last column is cut at the
 * terminal's width.
 */
export function table(rows: readonly Row[], columns: readonly string[], width = process.stdout.columns || 160): string {
  const lines = [
    columns.map((name) => name.toUpperCase()),
    ...rows.map((row) => columns.map((name) => cell(row[name]))),
  ];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => (line[at] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd()
        .slice(0, width),
    )
    .join('\n');
}

/** Formats a resource with one field per line. */
export function facts(row: Row): string {
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  return Object.entries(row)
    .map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`)
    .join('\n');
}

export const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Prints a text. Closing the pipe early is not an error. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
