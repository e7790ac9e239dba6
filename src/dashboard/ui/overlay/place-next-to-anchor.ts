/** Positions a small box next to the element that it explains. Pure. */
export type PlacementSide = 'top' | 'right' | 'bottom' | 'left';

export interface BoxSize {
  width: number;
  height: number;
}

interface Placed extends BoxSize {
  left: number;
  top: number;
}

const GAP = 6;
/** The minimum distance to the window's edge in pixels. */
const MARGIN = 4;
const OPPOSITE: Record<PlacementSide, PlacementSide> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' };

/**
 * Places the box on the wanted side, or on the opposite side when there is no room. The box is
 * always within the window.
 */
export function placeNextToAnchor(
  anchor: Placed,
  box: BoxSize,
  wanted: PlacementSide,
  window: BoxSize,
): { left: number; top: number } {
  const space: Record<PlacementSide, number> = {
    top: anchor.top,
    bottom: window.height - anchor.top - anchor.height,
    left: anchor.left,
    right: window.width - anchor.left - anchor.width,
  };
  const needed = (wanted === 'top' || wanted === 'bottom' ? box.height : box.width) + GAP + MARGIN;
  const side = space[wanted] < needed && space[OPPOSITE[wanted]] > space[wanted] ? OPPOSITE[wanted] : wanted;
  const across = {
    left: anchor.left + (anchor.width - box.width) / 2,
    top: anchor.top + (anchor.height - box.height) / 2,
  };
  const at = {
    top: { ...across, top: anchor.top - box.height - GAP },
    bottom: { ...across, top: anchor.top + anchor.height + GAP },
    left: { ...across, left: anchor.left - box.width - GAP },
    right: { ...across, left: anchor.left + anchor.width + GAP },
  }[side];
  const within = (value: number, size: number, room: number) => Math.max(MARGIN, Math.min(value, room - size - MARGIN));
  return { left: within(at.left, box.width, window.width), top: within(at.top, box.height, window.height) };
}
