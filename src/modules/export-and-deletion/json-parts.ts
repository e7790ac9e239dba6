/** Writes rows as JSON arrays, with one row per line, in parts of limited size. Pure. */

/** A part ends after this number of characters. */
const PART = 4 * 1024 * 1024;

const plain = (_name: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);

/**
 * Yields at least one part, which is `[]` when there are no rows. `part` is the approximate length
 * of a part in characters.
 */
export async function* splitIntoJsonParts(
  rows: AsyncIterable<object>,
  part = PART,
): AsyncGenerator<{ text: string; count: number }> {
  let lines: string[] = [];
  let length = 0;
  let parts = 0;
  const take = () => {
    const text = lines.length > 0 ? `[\n${lines.join(',\n')}\n]\n` : '[]\n';
    const taken = { text, count: lines.length };
    lines = [];
    length = 0;
    parts++;
    return taken;
  };
  for await (const row of rows) {
    const line = JSON.stringify(row, plain);
    lines.push(line);
    length += line.length;
    if (length >= part) yield take();
  }
  if (lines.length > 0 || parts === 0) yield take();
}
