/** The calendar of all stays: a row for each property, a column for each day. */
import { findOverlapsAndConfirmationsByStayId } from '@/modules/reservations/double-bookings/service';
import { blockedNightsJsonColumn } from '@/modules/sync-sources/json-columns.schemas';
import type { Scope } from '@/shared/scope';
import * as repository from './repository';
import type {
  StayCalendarBlockedNights,
  StayCalendarPropertyList,
  StayCalendarWindow,
  StayCalendarWindowContent,
} from './schemas';

const MAX_PROPERTIES = 2_000;
/**
 * The maximum number of stays. This is enough for fifty properties over two months, each with two
 * calendars and a new guest every third night.
 */
const MAX_STAYS = 2_000;

const at = (time: Date | null) => time?.toISOString() ?? null;

/** Returns the rows of the calendar, sorted by name. */
export async function listStayCalendarProperties(scope: Scope): Promise<StayCalendarPropertyList> {
  const rows = await repository.listPropertyNames(scope, MAX_PROPERTIES + 1);
  return { data: rows.slice(0, MAX_PROPERTIES), has_more: rows.length > MAX_PROPERTIES };
}

/** Returns stays, double bookings and blocked nights in a window of days and properties. */
export async function loadStayCalendarWindow(
  scope: Scope,
  window: StayCalendarWindow,
): Promise<StayCalendarWindowContent> {
  const found = await repository.listStaysInCalendarWindow(scope, window, MAX_STAYS + 1);
  const rows = found.slice(0, MAX_STAYS);
  const shared = await findOverlapsAndConfirmationsByStayId(
    scope,
    rows.map(({ id }) => id),
  );
  const stays = rows.flatMap(({ guest_reply, ...row }) => {
    const nights = shared.get(row.id);
    const related = nights?.related ?? [];
    if (related.some(({ as }) => as === 'repeats')) return [];
    return {
      ...row,
      sent_at: at(row.sent_at),
      opened_at: at(row.opened_at),
      clicked_at: at(row.clicked_at),
      signed_at: at(row.signed_at),
      conflict: related.some(({ as, other }) => as === 'conflict' && !nights?.both_real.has(other.id)),
      guest_replied: guest_reply !== null && ['sent', 'opened', 'clicked'].includes(row.status),
    };
  });
  return { stays, blocks: await blocksIn(scope, window), has_more: found.length > MAX_STAYS };
}

async function blocksIn(
  scope: Scope,
  { properties, from, to }: StayCalendarWindow,
): Promise<StayCalendarBlockedNights[]> {
  const sources = await repository.listCalendarsWithBlockedNights(scope, properties);
  return sources.flatMap(({ id, property_id, blocked_nights }) =>
    blockedNightsJsonColumn
      .read(blocked_nights)
      .filter(({ checkin_date, checkout_date }) => checkout_date >= from && checkin_date < to)
      .map((nights) => ({ property_id, sync_source_id: id, ...nights })),
  );
}
