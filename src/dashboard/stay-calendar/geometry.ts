/**
 * Computes the layout of the calendar: days as numbers (days since 1970), lanes, and the visible
 * range. Pure.
 */

const DAY_MS = 86_400_000;

export const convertDateToEpochDay = (day: string): number => Math.round(Date.parse(day) / DAY_MS);
export const formatEpochDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** The remainder of a Monday's day number when divided by seven. */
const MONDAY = 4;
export const getMondayOnOrBefore = (day: number): number => day - ((day - MONDAY) % 7);

/** Returns the first day of the month that is `months` after the month of `day`. */
export function getMonthStart(day: number, months = 0): number {
  const [year = 0, month = 1] = formatEpochDay(day).split('-').map(Number);
  return Math.round(Date.UTC(year, month - 1 + months, 1) / DAY_MS);
}

/** A range from `from` (included) to `to` (excluded). */
export interface IndexRange {
  readonly from: number;
  readonly to: number;
}

export const STAY_CALENDAR_VIEW_DAYS = { weeks: 14, month: 31, quarter: 92 } as const;
export type StayCalendarView = keyof typeof STAY_CALENDAR_VIEW_DAYS;

/** The minimum width of a day in pixels. Days are wider when the window has room. */
const NARROWEST: Record<StayCalendarView, number> = { weeks: 44, month: 26, quarter: 9 };
export const computeDayWidth = (view: StayCalendarView, width: number): number =>
  Math.max(NARROWEST[view], Math.floor(width / STAY_CALENDAR_VIEW_DAYS[view]));

/**
 * Returns the range of visible items and some items around it. The range is rounded to multiples of
 * `step`, so that it rarely changes while scrolling.
 */
export function getVisibleIndexRange(
  offset: number,
  length: number,
  size: number,
  count: number,
  step: number,
): IndexRange {
  const first = Math.floor(offset / size / step - 1) * step;
  const last = Math.ceil((offset + length) / size / step + 1) * step;
  return { from: Math.max(0, Math.min(first, count)), to: Math.max(0, Math.min(last, count)) };
}

/** Returns the indexes of the pieces of length `size` that cover a range. */
export function getChunkIndexesCoveringRange({ from, to }: IndexRange, size: number): number[] {
  const first = Math.floor(from / size);
  return Array.from({ length: Math.max(0, Math.ceil(to / size) - first) }, (_, index) => first + index);
}

interface Nights {
  readonly id: string;
  readonly checkin_date: string;
  readonly checkout_date: string;
}

export interface StayWithLane<T> {
  readonly stay: T;
  readonly from: number;
  readonly to: number;
  /** The index of the stay's lane from the top. Overlapping stays have different lanes. */
  readonly lane: number;
  /** The number of lanes that the overlapping stays need. */
  readonly lanes: number;
}

/**
 * Sorts the stays of one property by date and assigns lanes. Stays that share nights get different
 * lanes.
 */
export function assignStayLanes<T extends Nights>(stays: readonly T[]): StayWithLane<T>[] {
  const sorted = [...stays]
    .map((stay) => ({
      stay,
      from: convertDateToEpochDay(stay.checkin_date),
      to: convertDateToEpochDay(stay.checkout_date),
    }))
    .sort((a, b) => a.from - b.from || a.to - b.to || (a.stay.id < b.stay.id ? -1 : 1));
  const placed: StayWithLane<T>[] = [];
  let group: { stay: T; from: number; to: number; lane: number }[] = [];
  let ends: number[] = [];
  const close = () => {
    for (const one of group) placed.push({ ...one, lanes: ends.length });
    group = [];
    ends = [];
  };
  for (const one of sorted) {
    if (ends.every((end) => end <= one.from)) close();
    const free = ends.findIndex((end) => end <= one.from);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = one.to;
    group.push({ ...one, lane });
  }
  close();
  return placed;
}

/**
 * The height in pixels. Two bars of 24 pixels fit into a row, or three bars with readable names.
 */
export const ROW_HEIGHT_PX = 54;

/** The maximum number of stays shown for the same nights. Further stays are only counted. */
export const MAX_STAY_LANES_PER_PROPERTY = 3;

export interface StayLaneLayout<T> {
  readonly bars: readonly StayWithLane<T>[];
  /** The number of stays that are not shown, because all lanes are taken. */
  readonly hidden: number;
}

export function buildStayLaneLayout<T extends Nights>(stays: readonly T[]): StayLaneLayout<T> {
  const placed = assignStayLanes(stays);
  const bars = placed.filter(({ lane }) => lane < MAX_STAY_LANES_PER_PROPERTY);
  return { bars, hidden: placed.length - bars.length };
}

/** Returns the top and height of a bar within its row, in pixels. */
export function getStayBarPosition({ lane, lanes }: Pick<StayWithLane<unknown>, 'lane' | 'lanes'>) {
  const shown = Math.min(lanes, MAX_STAY_LANES_PER_PROPERTY);
  const margin = shown === 1 ? 8 : 2;
  const height = Math.floor((ROW_HEIGHT_PX - 2 * margin - (shown - 1)) / shown);
  return { top: margin + lane * (height + 1), height };
}
