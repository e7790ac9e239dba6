/**
 * Reads and writes the reservation list's filters in the URL (list/list-url.ts), so that users can
 * share and save a view.
 */
import type { RESERVATION_ATTENTION_FILTERS, RESERVATION_SORTS } from '@/modules/reservations/host.schemas';
import type { RESERVATION_SOURCES, RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import { buildListInputFromCursor, type Cursor, pickAllowedValue } from '../../list/cursor';
import { addCalendarDays } from '../../ui/zone';
import { ORDERED_RESERVATION_STATUSES, RESERVATION_SOURCE_FILTER_VALUES } from '../labels';
import { UNSIGNED_STATUSES } from '../status-words';

type Status = (typeof RESERVATION_STATUSES)[number];
type Source = (typeof RESERVATION_SOURCES)[number];
type Attention = (typeof RESERVATION_ATTENTION_FILTERS)[number];
type SortKey = (typeof RESERVATION_SORTS)[number];

/** The sort orders in the URL. A minus means descending. The default is newest first. */
export const RESERVATION_SORT_ORDERS = ['-created', 'created', 'checkin', '-checkin', 'guest', '-guest'] as const;
export type ReservationSortOrder = (typeof RESERVATION_SORT_ORDERS)[number];
const NEWEST: ReservationSortOrder = '-created';
const ATTENTION: readonly Attention[] = ['guest_replied', 'same_nights', 'address_missing', 'dates_changed'];

/** The number of days for each option, including today. */
export const ARRIVAL_RANGE_LENGTHS_IN_DAYS = { today: 1, week: 7, month: 30 } as const;
export type ArrivalRange = keyof typeof ARRIVAL_RANGE_LENGTHS_IN_DAYS;
const ARRIVES_NAMES = Object.keys(ARRIVAL_RANGE_LENGTHS_IN_DAYS) as ArrivalRange[];

/**
 * The name in the URL for all unsigned statuses. Saved views stay correct when a status is added to
 * this group.
 */
const GROUP = 'not_signed';

/** Parses `status` in a URL: `signed`, `sent,opened` or `not_signed`. Ignores unknown values. */
export function parseStatusFilter(text: string | undefined): readonly Status[] | undefined {
  const named = (text ?? '')
    .split(',')
    .flatMap((name): readonly string[] => (name === GROUP ? UNSIGNED_STATUSES : [name]));
  const statuses = ORDERED_RESERVATION_STATUSES.filter((status) => named.includes(status));
  return statuses.length > 0 ? statuses : undefined;
}

/**
 * The reverse of `parseStatusFilter`. Returns an empty text when no status or every status is
 * selected.
 */
export function formatStatusFilter(statuses: readonly Status[] = []): string {
  if (statuses.length === ORDERED_RESERVATION_STATUSES.length) return '';
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
   * Limits check-in to a number of days from today. A saved view therefore stays relative to the
   * current day. Overrides `from` and `to`.
   */
  arrives?: ArrivalRange;
  /** The earliest check-in: `2026-12-24`. */
  from?: string;
  /** The latest check-in. */
  to?: string;
  attention?: Attention;
  /** Undefined means newest first. */
  sort?: ReservationSortOrder;
}

export const RESERVATION_FILTER_NAMES = [
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
 * Parses the filters in a URL. Ignores unknown values, so that an old link never causes an error.
 */
export function parseReservationFilters(
  values: Partial<Record<(typeof RESERVATION_FILTER_NAMES)[number], string>>,
): ReservationFilters {
  const sort = pickAllowedValue(RESERVATION_SORT_ORDERS, values.sort);
  const arrives = pickAllowedValue(ARRIVES_NAMES, values.arrives);
  return {
    q: values.q?.slice(0, 200),
    status: parseStatusFilter(values.status),
    source: pickAllowedValue(RESERVATION_SOURCE_FILTER_VALUES, values.source),
    property: values.property,
    arrives,
    from: arrives ? undefined : day(values.from),
    to: arrives ? undefined : day(values.to),
    attention: pickAllowedValue(ATTENTION, values.attention),
    sort: sort === NEWEST ? undefined : sort,
  };
}

/** Returns the filters as a query string, without the question mark. */
export function formatReservationFilters({ status, ...filters }: ReservationFilters): string {
  const params = new URLSearchParams();
  const values = { ...filters, status: formatStatusFilter(status) };
  for (const [name, value] of Object.entries(values)) if (value && value !== NEWEST) params.set(name, value);
  return params.toString();
}

/** Parses a sort order from the URL. */
export function parseReservationSortOrder(sort: ReservationSortOrder = NEWEST): { by: SortKey; descending: boolean } {
  const descending = sort.startsWith('-');
  return { by: (descending ? sort.slice(1) : sort) as SortKey, descending };
}

/**
 * Returns the sort order after a click on a column's header. The first click uses the column's
 * default order, and the next click reverses it.
 */
export function toggleReservationSortOrder(by: SortKey, current: ReservationSortOrder = NEWEST): ReservationSortOrder {
  const other: ReservationSortOrder = current.startsWith('-') ? by : `-${by}`;
  return parseReservationSortOrder(current).by === by ? other : by === 'created' ? NEWEST : by;
}

/**
 * Converts the filters to the input of `reservations.list`. The format of `today` is `2026-12-24`.
 */
export function buildReservationListInput(filters: ReservationFilters, today: string) {
  const { q, status, source, property, arrives, attention, sort } = filters;
  const from = arrives ? today : filters.from;
  const to = arrives ? addCalendarDays(today, ARRIVAL_RANGE_LENGTHS_IN_DAYS[arrives] - 1) : filters.to;
  return {
    limit: 25,
    sort: parseReservationSortOrder(sort),
    ...(q && { search: q }),
    ...(status && { statuses: [...status] }),
    ...(source && { source }),
    ...(property && { property }),
    ...(attention && { attention }),
    ...(from && { 'checkin_date.gte': from }),
    ...(to && { 'checkin_date.lte': to }),
  };
}

/**
 * Returns the input for one page of the list. The server's prefetch and the component must use the
 * same input.
 */
export const buildReservationListPageInput = (filters: ReservationFilters, cursor: Cursor, today: string) => ({
  ...buildReservationListInput(filters, today),
  ...buildListInputFromCursor(cursor),
});

/**
 * Returns the number of filters that are set. The cursor, the order and the search do not count.
 */
export function countSetReservationFilters({
  status,
  source,
  property,
  arrives,
  from,
  to,
  attention,
}: ReservationFilters): number {
  return [status, source, property, arrives, from, to, attention].filter(Boolean).length;
}
