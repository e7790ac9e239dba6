import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assignStayLanes,
  buildStayLaneLayout,
  computeDayWidth,
  convertDateToEpochDay,
  formatEpochDay,
  getChunkIndexesCoveringRange,
  getMondayOnOrBefore,
  getMonthStart,
  getStayBarPosition,
  getVisibleIndexRange,
  ROW_HEIGHT_PX,
} from './geometry';

const stay = (id: string, checkin_date: string, checkout_date: string) => ({ id, checkin_date, checkout_date });

describe('days', () => {
  it('convert between numbers and texts, and weeks begin on Mondays', () => {
    expect(formatEpochDay(convertDateToEpochDay('2026-11-22'))).toBe('2026-11-22');
    // 2026-11-22 is a Sunday.
    expect(formatEpochDay(getMondayOnOrBefore(convertDateToEpochDay('2026-11-22')))).toBe('2026-11-16');
    expect(formatEpochDay(getMondayOnOrBefore(convertDateToEpochDay('2026-11-16')))).toBe('2026-11-16');
  });

  it('months begin on the first, across the end of a year too', () => {
    expect(formatEpochDay(getMonthStart(convertDateToEpochDay('2026-11-22')))).toBe('2026-11-01');
    expect(formatEpochDay(getMonthStart(convertDateToEpochDay('2026-11-22'), 2))).toBe('2027-01-01');
    expect(formatEpochDay(getMonthStart(convertDateToEpochDay('2027-01-31'), -1))).toBe('2026-12-01');
  });

  it('have a readable minimum width on a narrow screen, and fill a wide one', () => {
    expect(computeDayWidth('month', 100)).toBe(26);
    expect(computeDayWidth('month', 3_100)).toBe(100);
  });
});

describe('the visible range', () => {
  it('includes a margin around the viewport, and never exceeds the list', () => {
    expect(getVisibleIndexRange(0, 400, 40, 200, 5)).toEqual({ from: 0, to: 15 });
    expect(getVisibleIndexRange(4_000, 400, 40, 200, 5)).toEqual({ from: 95, to: 115 });
    expect(getVisibleIndexRange(7_990, 400, 40, 200, 5)).toEqual({ from: 190, to: 200 });
    expect(getVisibleIndexRange(0, 400, 40, 0, 5)).toEqual({ from: 0, to: 0 });
  });

  it('is covered by whole chunks', () => {
    expect(getChunkIndexesCoveringRange({ from: 55, to: 113 }, 56)).toEqual([0, 1, 2]);
    expect(getChunkIndexesCoveringRange({ from: 56, to: 112 }, 56)).toEqual([1]);
    expect(getChunkIndexesCoveringRange({ from: 5, to: 5 }, 56)).toEqual([0]);
  });
});

describe('lanes', () => {
  it('a departure and an arrival on the same day share a lane; overlapping stays get separate ones', () => {
    const placed = assignStayLanes([
      stay('c', '2026-12-05', '2026-12-09'),
      stay('a', '2026-12-01', '2026-12-04'),
      stay('b', '2026-12-04', '2026-12-06'),
    ]);
    expect(placed.map(({ stay, lane, lanes }) => [stay.id, lane, lanes])).toEqual([
      ['a', 0, 1],
      ['b', 0, 2],
      ['c', 1, 2],
    ]);
  });

  it('no two stays of a lane overlap, and none is lost', () => {
    const day = fc.integer({ min: 20_000, max: 20_040 });
    const stays = fc.array(fc.tuple(day, fc.integer({ min: 1, max: 10 })), { maxLength: 30 });
    fc.assert(
      fc.property(stays, (nights) => {
        const given = nights.map(([from, count], index) =>
          stay(`${index}`, formatEpochDay(from), formatEpochDay(from + count)),
        );
        const placed = assignStayLanes(given);
        expect(placed.map(({ stay: { id } }) => id).sort()).toEqual(given.map(({ id }) => id).sort());
        for (const a of placed) {
          expect(a.lane).toBeLessThan(a.lanes);
          for (const b of placed) {
            if (a !== b && a.lane === b.lane) expect(a.from >= b.to || b.from >= a.to).toBe(true);
          }
        }
        const { bars, hidden } = buildStayLaneLayout(given);
        expect(bars.length + hidden).toBe(given.length);
      }),
    );
  });

  it.each([1, 2, 3, 7])('%i overlapping stays fit within their row', (lanes) => {
    for (let lane = 0; lane < Math.min(lanes, 3); lane++) {
      const { top, height } = getStayBarPosition({ lane, lanes });
      expect(top).toBeGreaterThanOrEqual(2);
      expect(top + height).toBeLessThanOrEqual(ROW_HEIGHT_PX - 2);
      // A readable name needs 12 pixels, plus two borders of one pixel and some space.
      expect(height).toBeGreaterThanOrEqual(lanes > 2 ? 16 : 24);
    }
  });
});
