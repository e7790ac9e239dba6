/** Plans a run of a calendar from the stored data and the calendar's content. Writes nothing. */
import type { SyncSource } from '@/generated/prisma/client';
import { clock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import type { ParsedFeed } from '../feed/reader';
import {
  calendarQuestionsAndHostAnswersJsonColumn,
  feedEntryInterpretationJsonColumn,
  type StayClassification,
  stayClassificationsJsonColumn,
} from '../json-columns.schemas';
import type { BookingChannelOrDirect, StoredBooking } from '../plan/match-bookings';
import { planSync, type SyncPlan } from '../plan/planner';
import { excludeBookingsOfOtherCalendars, loadStoredBookings } from './known-bookings';

/** The columns of a source that affect how its calendar is interpreted. */
export type SyncSourceColumnsForSyncPlan = Pick<
  SyncSource,
  | 'id'
  | 'property_id'
  | 'kind'
  | 'closures_are_blocks'
  | 'marked_blocks'
  | 'reading'
  | 'held'
  | 'last_healthy_count'
  | 'shrunk_since'
>;

/** A plan and its inputs. */
export interface SyncPlanWithInputs {
  readonly plan: SyncPlan;
  readonly marks: readonly StayClassification[];
  readonly known: readonly StoredBooking[];
}

export const getBookingSourceOfSyncSource = ({ kind }: Pick<SyncSource, 'kind'>) =>
  (kind === 'other_ical' ? 'direct' : kind.replace(/_ical$/, '')) as BookingChannelOrDirect;

export const readStayClassifications = (source: Pick<SyncSource, 'marked_blocks'>) =>
  stayClassificationsJsonColumn.read(source.marked_blocks);

/** Plans a run. `today` is in the property's zone. */
export async function planSyncRun(
  scope: Scope,
  source: SyncSourceColumnsForSyncPlan,
  feed: ParsedFeed,
  today: string,
): Promise<SyncPlanWithInputs> {
  const channel = getBookingSourceOfSyncSource(source);
  const { known, foreign } = await loadStoredBookings(scope, source, channel, feed.entries, today);
  const marks = readStayClassifications(source);
  const plan = planSync({
    channel,
    known,
    feed,
    last_healthy_count: source.last_healthy_count,
    shrunk_since: source.shrunk_since,
    closures_are_blocks: source.closures_are_blocks,
    marks,
    reading: feedEntryInterpretationJsonColumn.read(source.reading),
    held: calendarQuestionsAndHostAnswersJsonColumn.read(source.held),
    now: clock().now(),
    today,
  });
  return { plan: excludeBookingsOfOtherCalendars(plan, foreign), marks, known };
}
