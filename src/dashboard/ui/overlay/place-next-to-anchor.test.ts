import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeNextToAnchor } from './place-next-to-anchor';

const window = { width: 400, height: 300 };
const box = { width: 100, height: 20 };
const anchor = { left: 150, top: 100, width: 50, height: 30 };

describe('a tooltip', () => {
  it.each([
    ['top', { left: 125, top: 74 }],
    ['bottom', { left: 125, top: 136 }],
    ['left', { left: 44, top: 105 }],
    ['right', { left: 206, top: 105 }],
  ] as const)('appears at the %s of its anchor', (side, place) => {
    expect(placeNextToAnchor(anchor, box, side, window)).toEqual(place);
  });

  it('appears below an anchor at the upper edge of the window', () => {
    expect(placeNextToAnchor({ ...anchor, top: 5 }, box, 'top', window)).toEqual({ left: 125, top: 41 });
  });

  it('appears on the side with more room when neither has enough', () => {
    expect(placeNextToAnchor({ ...anchor, top: 2, height: 296 }, box, 'bottom', window)).toEqual({
      left: 125,
      top: 276,
    });
  });

  it('stays within the window, wherever its anchor is', () => {
    const place = fc.record({ left: fc.integer({ min: -50, max: 450 }), top: fc.integer({ min: -50, max: 350 }) });
    fc.assert(
      fc.property(place, fc.constantFrom('top', 'right', 'bottom', 'left'), (at, side) => {
        const { left, top } = placeNextToAnchor({ ...anchor, ...at }, box, side as 'top', window);
        expect(left).toBeGreaterThanOrEqual(4);
        expect(top).toBeGreaterThanOrEqual(4);
        expect(left + box.width).toBeLessThanOrEqual(396);
        expect(top + box.height).toBeLessThanOrEqual(296);
      }),
    );
  });
});
