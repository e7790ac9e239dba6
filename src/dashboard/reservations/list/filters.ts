/**
 * The reservation list's filters in its URL (list/list-url.ts), so that a view can be shared and
 * saved.
 */
import type { ATTENTION_FILTERS, RESERVATION_SORTS } from '@/modules/reservations/host.schemas';
import type { RESERVATION_SOURCES, RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import { buildCursorInput, type Cursor, pickAllowedValue } from '../../list/cursor';
import { addCalendarDays } from '../../ui/zone';
import { SOURCES, STATUSES } from '../labels';
import { UNSIGNED_STATUSES } from '../status-words';

type Status = (typeof RESERVATION_STATUSES)[number];
type Source = (typeof RESERVATION_SOURCES)[number];
type Attention = (typeof ATTENTION_FILTERS)[number];
type SortKey = (typeof RESERVATION_SORTS)[number];

/** The sort orders in the URL. A minus means descending. The default is newest first. */
export const LIST_SORTS = ['-created', 'created', 'checkin', '-checkin', 'guest', '-guest'] as const;
export type ListSort = (typeof LIST_SORTS)[number];
const NEWEST: ListSort = '-created';
const ATTENTION: readonly Attention[] = ['guest_replied', 'same_nights', 'address_missing', 'dates_changed'];

/** The number of days of each option, including today. */
export const ARRIVAL_RANGES = { today: 1, week: 7, month: 30 } as const;
export type ArrivalRange = keyof typeof ARRIVAL_RANGES;
const ARRIVES_NAMES = Object.keys(ARRIVAL_RANGES) as ArrivalRange[];

/** In a URL, the group has its own name, so that a status added to it later is included. */
const GROUP = 'not_signed';

/**
 * Parses `status` of a URL: `signed`, `sent,opened` or `not_signed`. Unknown values are left out.
 */
export function readStatuses(text: string | undefined): readonly Status[] | undefined {
  const named = (text ?? '')
    .split(',')
    .flatMap((name): readonly string[] => (name === GROUP ? UNSIGNED_STATUSES : [name]));
  const statuses = STATUSES.filter((status) => named.includes(status));
  return statuses.length > 0 ? statuses : undefined;
}

/** The reverse of `readStatuses`. Empty for no status and for all. */
export function writeStatuses(statuses: readonly Status[] = []): string {
  if (statuses.length === STATUSES.length) return '';
  const all = UNSIGNED_STATUSES.every((status) => statuses.includes(status));
  const others = statuses.filter((status) => !all || !UNSIGNED_STATUSES.some((each) => each === status));
  return [...(all ? [GROUP] : []), ...others].join(',');
}

export interface ReservationFilters {
  /** The search text. */
  q?: string;
  /** Reservations with any of these statuses. */
  status?: readonly Status[];
  source?: Source;
  property?: string;
  /**
   * Check-in within a number of days from today, so that a saved view stays relative. Overrides
   * `from` and `to`.
   */
  arrives?: ArrivalRange;
  /** The earliest check-in, `2026-12-24`. */
  from?: string;
  /** The latest check-in. */
  to?: string;
  attention?: Attention;
  /** Absent for newest first. */
  sort?: ListSort;
}

export const FILTER_NAMES = [
  'q',
  'status',
  'source',
  'property',
  'arrives',
  'from',
  'to',
  'attention',
  'sort',
] as const satisfies readonly (keyof ReservationFilters)[];

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const day = (value: string | undefined) =>
  value && DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

/**
 * Parses the filters of a URL. Unknown values are left out, so that an old link never causes an
 * error.
 */
export function readFilters(values: Partial<Record<(typeof FILTER_NAMES)[number], string>>): ReservationFilters {
  const sort = pickAllowedValue(LIST_SORTS, values.sort);
  const arrives = pickAllowedValue(ARRIVES_NAMES, values.arrives);
  return {
    q: values.q?.slice(0, 200),
    status: readStatuses(values.status),
    source: pickAllowedValue(SOURCES, values.source),
    property: values.property,
    arrives,
    from: arrives ? undefined : day(values.from),
    to: arrives ? undefined : day(values.to),
    attention: pickAllowedValue(ATTENTION, values.attention),
    sort: sort === NEWEST ? undefined : sort,
  };
}

/** The query string of the filters, without the question mark. */
export function writeFilters({ status, ...filters }: ReservationFilters): string {
  const params = new URLSearchParams();
  const values = { ...filters, status: writeStatuses(status) };
  for (const [name, value] of Object.entries(values)) if (value && value !== NEWEST) params.set(name, value);
  return params.toString();
}

/** Parses a sort order of the URL. */
export function readSort(sort: ListSort = NEWEST): { by: SortKey; descending: boolean } {
  const descending = sort.startsWith('-');
  return { by: (descending ? sort.slice(1) : sort) as SortKey, descending };
}

/**
 * The order after a press on a column's header: the column's default order first, then the reverse.
 */
export function toggleSort(by: SortKey, current: ListSort = NEWEST): ListSort {
  const other: ListSort = current.startsWith('-') ? by : `-${by}`;
  return readSort(current).by === by ? other : by === 'created' ? NEWEST : by;
}

/** The filters as input of `reservations.list`. `today` is like `2026-12-24`. */
export function listInput(filters: ReservationFilters, today: string) {
  const { q, status, source, property, arrives, attention, sort } = filters;
  const from = arrives ? today : filters.from;
  const to = arrives ? addCalendarDays(today, ARRIVAL_RANGES[arrives] - 1) : filters.to;
  return {
    limit: 25,
    sort: readSort(sort),
    ...(q && { search: q }),
    ...(status && { statuses: [...status] }),
    ...(source && { source }),
    ...(property && { property }),
    ...(attention && { attention }),
    ...(from && { 'checkin_date.gte': from }),
    ...(to && { 'checkin_date.lte': to }),
  };
}

/** The input for one page of the list, shared by its component and the server's prefetch. */
export const listPageInput = (filters: ReservationFilters, cursor: Cursor, today: string) => ({
  ...listInput(filters, today),
  ...buildCursorInput(cursor),
});

/** The number of filters that are set. The cursor, the order and the search do not count. */
export function countFilters({ status, source, property, arrives, from, to, attention }: ReservationFilters): number {
  return [status, source, property, arrives, from, to, attention].filter(Boolean).length;
}
