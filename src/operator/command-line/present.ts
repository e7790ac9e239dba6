/**
 * Formats a command's result for people at a terminal: a list as a table, any other result as
 * lines. Pure.
 */

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Removes control characters, because names and addresses chosen by tenants must not move the
 * cursor or colour the terminal.
 */
const plain = (text: string) => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');

function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cell).join(', ');
  if (isFields(value)) return plain(JSON.stringify(value));
  // Shows times in UTC, to the second.
  return plain(String(value)).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2');
}

function table(rows: readonly Fields[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [
    names.map((name) => name.toUpperCase().replaceAll('_', ' ')),
    ...rows.map((row) => names.map((name) => cell(row[name]))),
  ];
  const widths = names.map((_, index) => Math.max(...lines.map((line) => [...(line[index] ?? '')].length)));
  return lines.map((line) =>
    line
      .map((text, index) => text + ' '.repeat((widths[index] ?? 0) - [...text].length))
      .join('  ')
      .trimEnd(),
  );
}

/** Flattens `{team: {id}}` to `team.id`. */
function flat(fields: Fields, prefix = ''): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    isFields(value) ? flat(value, `${prefix}${name}.`) : [[`${prefix}${name}`, cell(value)]],
  );
}

/** Returns the result as text that ends with a line break. */
export function formatCommandResult(result: unknown): string {
  if (!isFields(result)) return `${cell(result)}\n`;
  const { data, ...others } = result;
  const rows = Array.isArray(data) ? data.filter(isFields) : null;
  const rest = flat(rows ? others : result);
  const width = Math.max(0, ...rest.map(([name]) => name.length));
  const lines = [
    ...(rows ? (rows.length > 0 ? table(rows) : ['None.']) : []),
    ...(rows && rest.length > 0 ? [''] : []),
    ...rest.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
  ];
  return `${lines.join('\n')}\n`;
}
