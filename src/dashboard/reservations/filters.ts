/** The reservation list's filters and cursor, kept in the URL so that a view can be shared and survives going back. */
import { RESERVATION_SOURCES, RESERVATION_STATUSES } from '@/modules/reservations/schemas';

type Status = (typeof RESERVATION_STATUSES)[number];
type Source = (typeof RESERVATION_SOURCES)[number];

export interface ReservationFilters {
  status?: Status;
  source?: Source;
  property?: string;
  /** Check-in on or after, `2026-12-24`. */
  from?: string;
  /** Check-in on or before. */
  to?: string;
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
  return {
    status: oneOf(RESERVATION_STATUSES, params.get('status')),
    source: oneOf(RESERVATION_SOURCES, params.get('source')),
    property: text('property'),
    from: day(params.get('from')),
    to: day(params.get('to')),
    after: text('after'),
    before: text('after') ? undefined : text('before'),
  };
}

/** The query string of the filters, without the question mark. */
export function writeFilters(filters: ReservationFilters): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value) params.set(name, value);
  return params.toString();
}

/** The filters as `reservations.list` takes them. */
export function listInput(filters: ReservationFilters) {
  const { status, source, property, from, to, after, before } = filters;
  return {
    limit: 25,
    ...(status && { status }),
    ...(source && { source }),
    ...(property && { property }),
    ...(from && { 'checkin_date.gte': from }),
    ...(to && { 'checkin_date.lte': to }),
    ...(after && { starting_after: after }),
    ...(before && { ending_before: before }),
  };
}

/** How many filters are set; a cursor is none. */
export function countFilters({ status, source, property, from, to }: ReservationFilters): number {
  return [status, source, property, from, to].filter(Boolean).length;
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
