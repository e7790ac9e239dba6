/**
 * Moves between stays with the arrow keys: left and right within a property, up and down to the
 * nearest stay of another property. Pure.
 */
import type { StayWithLane } from './geometry';

interface Rows<T> {
  get(property: string): { readonly bars: readonly StayWithLane<T>[] } | undefined;
}

export interface StayGridPosition<T> {
  readonly row: number;
  readonly bar: StayWithLane<T>;
}

/**
 * Returns the stay to which an arrow key moves, or null when there is none. Returns undefined for
 * other keys.
 */
export function findNeighborStay<T extends { readonly id: string; readonly property_id: string }>(
  key: string,
  id: string,
  properties: readonly { readonly id: string }[],
  rows: Rows<T>,
): StayGridPosition<T> | null | undefined {
  const way = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[key];
  if (!way) return undefined;
  const [down = 0, along = 0] = way;
  const row = properties.findIndex((property) => rows.get(property.id)?.bars.some(({ stay }) => stay.id === id));
  const bars = rows.get(properties[row]?.id ?? '')?.bars ?? [];
  const at = bars.findIndex(({ stay }) => stay.id === id);
  const here = bars[at];
  if (!here) return null;
  if (along !== 0) {
    const bar = bars[at + along];
    return bar ? { row, bar } : null;
  }
  for (let next = row + down; next >= 0 && next < properties.length; next += down) {
    const near = nearest(rows.get(properties[next]?.id ?? '')?.bars ?? [], here);
    if (near) return { row: next, bar: near };
  }
  return null;
}

function nearest<T>(bars: readonly StayWithLane<T>[], to: StayWithLane<T>): StayWithLane<T> | undefined {
  const away = (bar: StayWithLane<T>) =>
    Math.max(0, bar.from - to.to, to.from - bar.to) * 1_000 + Math.abs(bar.from - to.from);
  return bars.reduce<StayWithLane<T> | undefined>(
    (best, bar) => (!best || away(bar) < away(best) ? bar : best),
    undefined,
  );
}
