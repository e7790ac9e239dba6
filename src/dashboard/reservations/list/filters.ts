/**
 * The reservation list's filters as they stand in its URL (list/list-url.ts), so that a view can be
 * shared and saved.
 */
import type { ATTENTION_FILTERS, RESERVATION_SORTS } from '@/modules/reservations/host.schemas';
import type { RESERVATION_SOURCES, RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import { type Cursor, cursorInput, oneOf } from '../../list/cursor';
import { daysLater } from '../../ui/zone';
import { SOURCES, STATUSES } from '../labels';
import { NOT_SIGNED } from '../status-words';

type Status = (typeof RESERVATION_STATUSES)[number];
type Source = (typeof RESERVATION_SOURCES)[number];
type Attention = (typeof ATTENTION_FILTERS)[number];
type SortKey = (typeof RESERVATION_SORTS)[number];

/** As in the URL: a minus is descending. The newest first goes without saying. */
export const SORTS = ['-created', 'created', 'checkin', '-checkin', 'guest', '-guest'] as const;
export type Sort = (typeof SORTS)[number];
const NEWEST: Sort = '-created';
const ATTENTION: readonly Attention[] = ['guest_replied', 'same_nights', 'address_missing', 'dates_changed'];

/** So many days, today being the first. */
export const ARRIVES = { today: 1, week: 7, month: 30 } as const;
export type Arrives = keyof typeof ARRIVES;
const ARRIVES_NAMES = Object.keys(ARRIVES) as Arrives[];

/** In a URL the group has a name of its own, so that it stays the group. */
const GROUP = 'not_signed';

/**
 * What `status` of a URL means: `signed`, `sent,opened`, or `not_signed`. What is unknown is left
 * out.
 */
export function readStatuses(text: string | undefined): readonly Status[] | undefined {
  const named = (text ?? '').split(',').flatMap((name): readonly string[] => (name === GROUP ? NOT_SIGNED : [name]));
  const statuses = STATUSES.filter((status) => named.includes(status));
  return statuses.length > 0 ? statuses : undefined;
}

/** The same the other way; empty for none and for all. */
export function writeStatuses(statuses: readonly Status[] = []): string {
  if (statuses.length === STATUSES.length) return '';
  const all = NOT_SIGNED.every((status) => statuses.includes(status));
  const others = statuses.filter((status) => !all || !NOT_SIGNED.some((each) => each === status));
  return [...(all ? [GROUP] : []), ...others].join(',');
}

export interface ReservationFilters {
  /** What was typed into the search. */
  q?: string;
  /** Any of these. */
  status?: readonly Status[];
  source?: Source;
  property?: string;
  /** Check-in from today on; a saved view keeps meaning that. Takes the place of days. */
  arrives?: Arrives;
  /** Check-in on or after, `2026-12-24`. */
  from?: string;
  /** Check-in on or before. */
  to?: string;
  attention?: Attention;
  /** Absent is the newest first. */
  sort?: Sort;
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
 * Reads the filters of a URL. What is not understood is left out: an old link shows more, never an
 * error.
 */
export function readFilters(values: Partial<Record<(typeof FILTER_NAMES)[number], string>>): ReservationFilters {
  const sort = oneOf(SORTS, values.sort);
  const arrives = oneOf(ARRIVES_NAMES, values.arrives);
  return {
    q: values.q?.slice(0, 200),
    status: readStatuses(values.status),
    source: oneOf(SOURCES, values.source),
    property: values.property,
    arrives,
    from: arrives ? undefined : day(values.from),
    to: arrives ? undefined : day(values.to),
    attention: oneOf(ATTENTION, values.attention),
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

/** The filters as `reservations.list` takes them; `today` is `2026-12-24`. */
export function listInput(filters: ReservationFilters, today: string) {
  const { q, status, source, property, arrives, attention, sort } = filters;
  const from = arrives ? today : filters.from;
  const to = arrives ? daysLater(today, ARRIVES[arrives] - 1) : filters.to;
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

/** A page of the list, as its component and the server ask for it. */
export const listPageInput = (filters: ReservationFilters, cursor: Cursor, today: string) => ({
  ...listInput(filters, today),
  ...cursorInput(cursor),
});

/** How many filters are set; a cursor, an order and the search are none. */
export function countFilters({ status, source, property, arrives, from, to, attention }: ReservationFilters): number {
  return [status, source, property, arrives, from, to, attention].filter(Boolean).length;
}
