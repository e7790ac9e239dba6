/** Groups stays by the days on which guests arrive or leave. Pure. */

import type { StayCalendarProperty, StayCalendarStay } from '../types';
import { convertDateToEpochDay } from './geometry';
import type { PropertyStays } from './use-stays';

export interface StayArrivalOrDeparture {
  readonly way: 'arrives' | 'leaves';
  readonly stay: StayCalendarStay;
  readonly property: string;
}

export interface AgendaDay {
  readonly day: number;
  /** The day's arrivals, followed by its departures. Each kind is sorted by property. */
  readonly movements: readonly StayArrivalOrDeparture[];
  /** The number of stays that include the night after this day. */
  readonly staying: number;
  readonly blocked: number;
}

export function buildAgenda(
  properties: readonly Pick<StayCalendarProperty, 'id' | 'name'>[],
  rows: ReadonlyMap<string, Pick<PropertyStays, 'bars' | 'blocks'>>,
  from: number,
  count: number,
): AgendaDay[] {
  const all = properties.flatMap(({ id, name }) =>
    (rows.get(id)?.bars ?? []).map((bar) => ({ ...bar, property: name })),
  );
  const blocks = properties.flatMap(({ id }) =>
    (rows.get(id)?.blocks ?? []).map(({ checkin_date, checkout_date }) => ({
      from: convertDateToEpochDay(checkin_date),
      to: convertDateToEpochDay(checkout_date),
    })),
  );
  return Array.from({ length: count }, (_, index) => {
    const day = from + index;
    const covers = (nights: { from: number; to: number }) => nights.from <= day && day < nights.to;
    const moving = (way: StayArrivalOrDeparture['way'], edge: 'from' | 'to'): StayArrivalOrDeparture[] =>
      all.filter((one) => one[edge] === day).map(({ stay, property }) => ({ way, stay, property }));
    return {
      day,
      movements: [...moving('arrives', 'from'), ...moving('leaves', 'to')],
      staying: all.filter(covers).length,
      blocked: blocks.filter(covers).length,
    };
  });
}
