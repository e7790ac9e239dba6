'use client';
/**
 * Loads the visible range of the calendar in pieces. Each piece contains a fixed number of
 * properties and days.
 */
import { useQueries } from '@tanstack/react-query';
import { type ProcedureOutputs, useTRPC } from '../trpc';
import type { StayCalendarProperty, StayCalendarStay } from '../types';
import {
  buildStayLaneLayout,
  formatEpochDay,
  getChunkIndexesCoveringRange,
  type IndexRange,
  type StayLaneLayout,
} from './geometry';

type CalendarBlock = ProcedureOutputs['stay_calendar']['page']['blocks'][number];

const OFTEN_MS = 60_000;
/** The server limits the size of a request (modules/stay-calendar/schemas.ts). */
const PIECE_PROPERTIES = 25;
const PIECE_DAYS = 56;

export interface PropertyStays extends StayLaneLayout<StayCalendarStay> {
  readonly blocks: readonly CalendarBlock[];
}

export interface VisibleCalendarStays {
  /** Stays by property. Properties whose stays are not loaded yet are missing. */
  readonly rows: ReadonlyMap<string, PropertyStays>;
  readonly pending: boolean;
  readonly error: unknown;
  readonly has_more: boolean;
  readonly refetch: () => void;
}

interface Answer {
  readonly data?: ProcedureOutputs['stay_calendar']['page'];
  readonly error: unknown;
  readonly isPending: boolean;
  readonly refetch: () => unknown;
}

/** Loads the stays of the visible rows on the visible days. */
export function useVisibleStays(
  properties: readonly StayCalendarProperty[],
  rows: IndexRange,
  days: IndexRange,
): VisibleCalendarStays {
  const trpc = useTRPC();
  const chunks = getChunkIndexesCoveringRange(
    { from: rows.from, to: Math.min(rows.to, properties.length) },
    PIECE_PROPERTIES,
  )
    .map((index) => properties.slice(index * PIECE_PROPERTIES, (index + 1) * PIECE_PROPERTIES).map(({ id }) => id))
    .filter((ids) => ids.length > 0);
  const windows = getChunkIndexesCoveringRange(days, PIECE_DAYS).map((index) => ({
    from: formatEpochDay(index * PIECE_DAYS),
    to: formatEpochDay((index + 1) * PIECE_DAYS),
  }));
  return useQueries({
    queries: chunks.flatMap((ids) =>
      windows.map((window) =>
        trpc.stay_calendar.page.queryOptions({ properties: ids, ...window }, { refetchInterval: OFTEN_MS }),
      ),
    ),
    combine: together,
  });
}

/**
 * Merges the loaded pieces. The function is defined outside of the hook, so that TanStack Query
 * does not run it on each render.
 */
function together(answers: readonly Answer[]): VisibleCalendarStays {
  const stays = new Map<string, Map<string, StayCalendarStay>>();
  const blocks = new Map<string, Map<string, CalendarBlock>>();
  const into = <T>(all: Map<string, Map<string, T>>, property: string, key: string, value: T) => {
    const known = all.get(property);
    if (known) known.set(key, value);
    else all.set(property, new Map([[key, value]]));
  };
  for (const { data } of answers) {
    // A stay that extends over two pieces of the calendar is in both results. The map removes the
    // duplicate.
    for (const stay of data?.stays ?? []) into(stays, stay.property_id, stay.id, stay);
    for (const block of data?.blocks ?? [])
      into(blocks, block.property_id, `${block.sync_source_id} ${block.checkin_date} ${block.checkout_date}`, block);
  }
  const rows = new Map<string, PropertyStays>();
  for (const id of new Set([...stays.keys(), ...blocks.keys()]))
    rows.set(id, {
      ...buildStayLaneLayout([...(stays.get(id)?.values() ?? [])]),
      blocks: [...(blocks.get(id)?.values() ?? [])],
    });
  return {
    rows,
    pending: answers.some(({ isPending }) => isPending),
    error: answers.find(({ error, data }) => error && !data)?.error ?? null,
    has_more: answers.some(({ data }) => data?.has_more),
    refetch: () => {
      for (const answer of answers) if (answer.error) void answer.refetch();
    },
  };
}
