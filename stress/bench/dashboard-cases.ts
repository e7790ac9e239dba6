/** A host's actions on the list of reservations, as requests of the dashboard. */
import type { SeededData } from './lib/seed';

export interface DashboardQuery {
  limit: 25;
  sort: { by: 'created' | 'checkin' | 'guest'; descending: boolean };
  search?: string;
  status?: string;
  property?: string;
  'checkin_date.gte'?: string;
  starting_after?: string;
}

export interface DashboardBenchCase {
  name: string;
  next(): DashboardQuery;
}

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;
const number = (below: number) => 1 + Math.floor(Math.random() * below);
const newest = { by: 'created', descending: true } as const;
const soonest = { by: 'checkin', descending: false } as const;
const limit = 25 as const;

export function buildDashboardBenchCases(
  { property_ids, reservation_ids }: SeededData,
  rows: number,
): DashboardBenchCase[] {
  return [
    { name: 'first page, newest first', next: () => ({ limit, sort: newest }) },
    { name: 'sorted by guest', next: () => ({ limit, sort: { by: 'guest', descending: Math.random() < 0.5 } }) },
    {
      name: 'page turn, by check-in, anywhere',
      next: () => ({ limit, sort: soonest, starting_after: pick(reservation_ids) }),
    },
    {
      name: 'page turn, by guest, anywhere',
      next: () => ({ limit, sort: { by: 'guest', descending: false }, starting_after: pick(reservation_ids) }),
    },
    { name: 'filter: one property', next: () => ({ limit, sort: newest, property: pick(property_ids) }) },
    {
      name: 'filter: drafts from a day on, by check-in',
      next: () => ({ limit, sort: soonest, status: 'draft', 'checkin_date.gte': '2026-01-01' }),
    },
    { name: 'search: a rare word (number)', next: () => ({ limit, sort: newest, search: `${number(rows)}` }) },
    { name: 'search: a booking code', next: () => ({ limit, sort: soonest, search: `HM${number(rows)}` }) },
    { name: 'search: a word in every row', next: () => ({ limit, sort: soonest, search: 'guest' }) },
    {
      name: 'search and filter: a tenth of all, one property',
      next: () => ({ limit, sort: newest, search: `HM${number(9)}`, property: pick(property_ids) }),
    },
  ];
}

/** Searches that a host types into the command palette. */
export function buildCommandPaletteBenchCases(
  { reservation_ids }: SeededData,
  rows: number,
): { name: string; next(): string }[] {
  return [
    { name: 'palette: a booking code', next: () => `HM${number(rows)}` },
    { name: 'palette: a word in every row', next: () => 'guest' },
    { name: 'palette: two letters that many words begin with', next: () => 'gu' },
    { name: 'palette: nothing by that name', next: () => `nobody${number(rows)}` },
    { name: 'palette: a whole id', next: () => pick(reservation_ids) },
    { name: 'palette: the beginning of an id', next: () => pick(reservation_ids).slice(0, 12) },
  ];
}

const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/**
 * Requests of the stay calendar when a host scrolls through 200 properties. Each request covers 25
 * properties and eight weeks.
 */
export function buildStayCalendarBenchCases({ property_ids }: SeededData): { name: string; next(): object }[] {
  const window = (days: number) => {
    const first = Math.floor(Math.random() * (property_ids.length - 25));
    const from = Math.floor(Math.random() * (180 - days));
    return { properties: property_ids.slice(first, first + 25), from: dayFromNow(from), to: dayFromNow(from + days) };
  };
  return [
    { name: 'calendar: 25 properties, eight weeks', next: () => window(56) },
    { name: 'calendar: 25 properties, a week', next: () => window(7) },
  ];
}
