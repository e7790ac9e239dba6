/** The reservation list's filters and cursor, kept in the URL so that a view can be shared and survives going back. */
import type { ATTENTION_FILTERS, RESERVATION_SORTS } from '@/modules/reservations/host.schemas';
import { RESERVATION_SOURCES, RESERVATION_STATUSES } from '@/modules/reservations/schemas';

type Status = (typeof RESERVATION_STATUSES)[number];
type Source = (typeof RESERVATION_SOURCES)[number];
type Attention = (typeof ATTENTION_FILTERS)[number];
type SortKey = (typeof RESERVATION_SORTS)[number];

/** As in the URL: a minus is descending. The newest first goes without saying. */
export const SORTS = ['-created', 'created', 'checkin', '-checkin', 'guest', '-guest'] as const;
export type Sort = (typeof SORTS)[number];
const NEWEST: Sort = '-created';
const ATTENTION: readonly Attention[] = ['guest_replied', 'same_nights', 'address_missing', 'dates_changed'];

export interface ReservationFilters {
  /** What was typed into the search. */
  q?: string;
  status?: Status;
  source?: Source;
  property?: string;
  /** Check-in on or after, `2026-12-24`. */
  from?: string;
  /** Check-in on or before. */
  to?: string;
  attention?: Attention;
  /** Absent is the newest first. */
  sort?: Sort;
  /** Ids the page begins after or ends before. */
  after?: string;
  before?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const oneOf = <T extends string>(values: readonly T[], value: string | null) => values.find((item) => item === value);
const day = (value: string | null) =>
  value && DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

/** Reads the filters of a URL. What is not understood is left out: an old link shows more, never an error. */
export function readFilters(params: URLSearchParams): ReservationFilters {
  const text = (name: string) => params.get(name)?.trim() || undefined;
  const sort = oneOf(SORTS, params.get('sort'));
  return {
    q: text('q')?.slice(0, 200),
    status: oneOf(RESERVATION_STATUSES, params.get('status')),
    source: oneOf(RESERVATION_SOURCES, params.get('source')),
    property: text('property'),
    from: day(params.get('from')),
    to: day(params.get('to')),
    attention: oneOf(ATTENTION, params.get('attention')),
    sort: sort === NEWEST ? undefined : sort,
    after: text('after'),
    before: text('after') ? undefined : text('before'),
  };
}

/** The query string of the filters, without the question mark. */
export function writeFilters(filters: ReservationFilters): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value && value !== NEWEST) params.set(name, value);
  return params.toString();
}

/** What a sort of the URL means. */
export function readSort(sort: Sort = NEWEST): { by: SortKey; descending: boolean } {
  const descending = sort.startsWith('-');
  return { by: (descending ? sort.slice(1) : sort) as SortKey, descending };
}

/** What a press on a column's header leads to: its own order first, then the other way round. */
export function toggleSort(by: SortKey, current: Sort = NEWEST): Sort {
  const other: Sort = current.startsWith('-') ? by : `-${by}`;
  return readSort(current).by === by ? other : by === 'created' ? NEWEST : by;
}

/** The filters as `reservations.list` takes them. */
export function listInput(filters: ReservationFilters) {
  const { q, status, source, property, from, to, attention, sort, after, before } = filters;
  return {
    limit: 25,
    sort: readSort(sort),
    ...(q && { search: q }),
    ...(status && { status }),
    ...(source && { source }),
    ...(property && { property }),
    ...(attention && { attention }),
    ...(from && { 'checkin_date.gte': from }),
    ...(to && { 'checkin_date.lte': to }),
    ...(after && { starting_after: after }),
    ...(before && { ending_before: before }),
  };
}

/** How many filters are set; a cursor, an order and the search are none. */
export function countFilters({ status, source, property, from, to, attention }: ReservationFilters): number {
  return [status, source, property, from, to, attention].filter(Boolean).length;
}

/** Which ways there are from a page: `has_more` tells of the direction the page was reached in. */
export function waysFrom(
  filters: ReservationFilters,
  page: { data: readonly { id: string }[]; has_more: boolean },
): { newer: ReservationFilters | null; older: ReservationFilters | null } {
  const { after: _after, before, ...rest } = filters;
  const first = page.data[0]?.id;
  const last = page.data.at(-1)?.id;
  const has_newer = before ? page.has_more : Boolean(_after);
  const has_older = before ? true : page.has_more;
  return {
    newer: has_newer ? { ...rest, ...(first && { before: first }) } : null,
    older: has_older && last ? { ...rest, after: last } : null,
  };
}
