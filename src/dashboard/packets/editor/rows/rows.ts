/** Functions that edit a list of rows. Pure. */

const BULLET = /^\s*(?:[-*•–—·]|\d{1,3}[.)])\s+/;

/**
 * Splits pasted text into one rule per line, without bullets and numbers. Returns null for a single
 * line, which is pasted unchanged.
 */
export function splitPastedHouseRules(text: string, most: number, longest: number): string[] | null {
  const lines = text
    .split(/\r\n|[\r\n]/)
    .map((line) => line.replace(BULLET, '').trim())
    .filter(Boolean);
  return lines.length > 1 ? lines.slice(0, most).map((line) => line.slice(0, longest)) : null;
}

/** Inserts items after the item with this id. */
export function insertListItemsAfter<T extends { id: string }>(
  items: readonly T[],
  id: string,
  more: readonly T[],
): T[] {
  const at = items.findIndex((item) => item.id === id);
  return items.toSpliced(at === -1 ? items.length : at + 1, 0, ...more);
}

/** Inserts a removed item at its old position, or at the end of a list that has become shorter. */
export function reinsertListItem<T extends { id: string }>(items: readonly T[], removed: T, at: number): readonly T[] {
  return items.some(({ id }) => id === removed.id) ? items : items.toSpliced(Math.min(at, items.length), 0, removed);
}

export const removeListItem = <T extends { id: string }>(items: readonly T[], id: string): T[] =>
  items.filter((item) => item.id !== id);

/**
 * Changes one item. The other items keep their identity, so that their rows are not re-rendered.
 */
export const editListItem = <T extends { id: string }>(items: readonly T[], id: string, part: Partial<T>): T[] =>
  items.map((item) => (item.id === id ? { ...item, ...part } : item));
