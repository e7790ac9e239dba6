/** What is done with the rows of a list that is being written. Pure. */

const BULLET = /^\s*(?:[-*•–—·]|\d{1,3}[.)])\s+/;

/**
 * What was pasted, one rule a line, without bullets and numbers. Null for a text of one line, which
 * is pasted as it is.
 */
export function linesOf(text: string, most: number, longest: number): string[] | null {
  const lines = text
    .split(/\r\n|[\r\n]/)
    .map((line) => line.replace(BULLET, '').trim())
    .filter(Boolean);
  return lines.length > 1 ? lines.slice(0, most).map((line) => line.slice(0, longest)) : null;
}

/** The list with more right after one of it. */
export function insertAfter<T extends { id: string }>(items: readonly T[], id: string, more: readonly T[]): T[] {
  const at = items.findIndex((item) => item.id === id);
  return items.toSpliced(at === -1 ? items.length : at + 1, 0, ...more);
}

/** The list with a removed one back where it was, whatever else was changed since. */
export function putBack<T extends { id: string }>(items: readonly T[], removed: T, at: number): readonly T[] {
  return items.some(({ id }) => id === removed.id) ? items : items.toSpliced(Math.min(at, items.length), 0, removed);
}

export const without = <T extends { id: string }>(items: readonly T[], id: string): T[] =>
  items.filter((item) => item.id !== id);

/**
 * The list with one item changed; the others are the very same, so that their rows are not drawn
 * again.
 */
export const edited = <T extends { id: string }>(items: readonly T[], id: string, part: Partial<T>): T[] =>
  items.map((item) => (item.id === id ? { ...item, ...part } : item));
