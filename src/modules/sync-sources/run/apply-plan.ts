/**
 * Applies a plan, row by row and through the reservations' own rules, so that trail and events are
 * the same as for any other change. Each row is checked again before it is written. If it was
 * signed, redacted or put under legal hold meanwhile, it does not change (specification, "Sync run
 * behaviour").
 */
import type { SyncSource } from '@/generated/prisma/client';
import { inTransaction } from '@/infra/db/transaction';
import { isOnlySyncSourceOfProperty } from '@/modules/reservations/double-bookings/service';
import { insertReservations } from '@/modules/reservations/import/create-many';
import * as lifecycle from '@/modules/reservations/rules/lifecycle';
import {
  createReservationDecisionKeepingStatus,
  RESERVATION_UNCHANGED_DECISION,
  type ReservationFactsForRules,
  type ReservationTransitionDecision,
} from '@/modules/reservations/rules/transitions';
import { applyReservationTransition } from '@/modules/reservations/save-transition';
import { convertDatabaseDateToIsoDay, parseCalendarDay } from '@/shared/calendar-day';
import type { Scope } from '@/shared/scope';
import type { FeedEntry } from '../feed/reader';
import type { SyncRunChange, SyncRunCounts } from '../json-columns.schemas';
import { getGuestNameForNewReservation } from '../plan/guest-identity';
import type { BookingChannelOrDirect } from '../plan/match-bookings';
import type { BookingChange, SyncPlan } from '../plan/planner';
import * as repository from '../repository';

/** The result of one write. */
export interface SyncPlanWriteStepResult {
  readonly as: keyof SyncRunCounts;
  readonly change?: SyncRunChange;
}

/** A write to the database that carries out a part of a sync plan. */
export interface SyncPlanWriteStep {
  /** Reservations to lock before the transaction's first event (see `lockReservations`). */
  readonly rows: readonly string[];
  /** The cost of the operation, as a number of single-row writes. */
  readonly weight: number;
  /** Makes the write and returns what was done, row by row. */
  run(): Promise<SyncPlanWriteStepResult[]>;
}

/** The number of reservations inserted by one statement. */
const CREATED_AT_ONCE = 50;

/**
 * Returns the writes of a plan in order, without the cancellations. Each must run in an open
 * transaction.
 */
export function listSyncPlanWriteSteps(
  plan: SyncPlan,
  scope: Scope,
  source: SyncSource,
  channel: BookingChannelOrDirect,
): SyncPlanWriteStep[] {
  const change = (booking: BookingChange, as: 'updated' | 'moved' | 'restored'): SyncPlanWriteStep => ({
    rows: [booking.id],
    weight: 1,
    run: async () => [await changeBooking(scope, source, booking, as)],
  });
  const { vanished } = plan;
  const chunks: FeedEntry[][] = [];
  for (let from = 0; from < plan.creates.length; from += CREATED_AT_ONCE) {
    chunks.push(plan.creates.slice(from, from + CREATED_AT_ONCE));
  }
  return [
    ...plan.returned.map((booking) => change(booking, 'restored')),
    ...plan.updates.map((booking) => change(booking, 'updated')),
    ...plan.moved.map((booking) => change(booking, 'moved')),
    ...chunks.map((entries) => ({
      rows: [],
      weight: entries.length / 4,
      run: () => createBookings(scope, source, channel, entries),
    })),
    ...(vanished.length > 0
      ? [{ rows: vanished.map(({ id }) => id), weight: 1, run: () => saveMisses(scope, vanished) }]
      : []),
  ];
}

/**
 * Returns the plan's cancellations. They share a transaction with the run's record and the owner's
 * mail.
 */
export function listSyncPlanCancellationSteps(plan: SyncPlan, scope: Scope): SyncPlanWriteStep[] {
  return plan.cancels.map(({ id }) => ({ rows: [id], weight: 1, run: async () => [await cancelBooking(scope, id)] }));
}

async function createBookings(
  scope: Scope,
  source: SyncSource,
  channel: BookingChannelOrDirect,
  entries: readonly FeedEntry[],
): Promise<SyncPlanWriteStepResult[]> {
  const rows = await inTransaction(scope, async () => {
    const nights_changed = !(await isOnlySyncSourceOfProperty(scope, source.property_id, source.id));
    return insertReservations(
      scope,
      entries.map((entry) => ({
        property_id: source.property_id,
        guest_name: getGuestNameForNewReservation(entry).toWellFormed(),
        guest_email: null,
        guest_phone_last4: entry.phone_last4,
        guest_locale: entry.guest_language,
        checkin_date: parseCalendarDay(entry.checkin_date),
        checkout_date: parseCalendarDay(entry.checkout_date),
        source: channel,
        status: 'synced' as const,
        initial_status: 'synced' as const,
        external_source: source.kind,
        external_id: entry.external_id,
        external_uid: entry.uid,
        sync_source_id: source.id,
        nights_changed,
      })),
    );
  });
  return rows.map((row) => ({ as: 'created', change: changeOf('created', row) }));
}

type Dated = { readonly id: string; readonly checkin_date: Date; readonly checkout_date: Date };

function changeOf(what: SyncRunChange['what'], row: Dated, was: SyncRunChange['was'] = null): SyncRunChange {
  const { id, checkin_date, checkout_date } = row;
  return {
    what,
    reservation_id: id,
    checkin_date: convertDatabaseDateToIsoDay(checkin_date),
    checkout_date: convertDatabaseDateToIsoDay(checkout_date),
    was,
  };
}

async function changeBooking(
  scope: Scope,
  source: SyncSource,
  change: BookingChange,
  as: 'updated' | 'moved' | 'restored',
): Promise<SyncPlanWriteStepResult> {
  const { id, checkin_date, checkout_date, adopt, ...bookkeeping } = change;
  const columns = { ...bookkeeping, ...(adopt && { sync_source_id: source.id, external_source: source.kind }) };
  const visible = checkin_date !== undefined || checkout_date !== undefined || bookkeeping.external_id !== undefined;
  if (!visible && as !== 'restored') {
    // `external_source` is part of the resource, so its change emits an event.
    if (adopt) await applyReservationTransition(scope, id, decideAdoption, { columns });
    else await inTransaction(scope, () => repository.saveReservationColumnsHiddenFromApi(scope, [id], columns));
    return { as: 'unchanged' };
  }
  let was: SyncRunChange['was'] = null;
  const decide = decideChange(change, as === 'restored');
  const noteDates: typeof decide = (facts, context, now) => {
    was = { checkin_date: facts.checkin_date, checkout_date: facts.checkout_date };
    return decide(facts, context, now);
  };
  const { changed, loaded } = await applyReservationTransition(scope, id, noteDates, {
    columns,
    trail: ({ changes }) => [
      ...(changes.status ? [{ type: 'reservation.restored' }] : []),
      ...(changes.checkin_date || changes.checkout_date
        ? [{ type: 'reservation.updated', data: { fields: dateFields(changes) } }]
        : []),
    ],
  });
  return changed ? { as, change: changeOf(as, loaded.row, was) } : { as: 'unchanged' };
}

const dateFields = (changes: object) => Object.keys(changes).filter((name) => name.endsWith('_date'));

/** Decides whether this source may adopt a booking of another source. Pure. */
const decideAdoption = ({ status, redacted, legal_hold }: ReservationFactsForRules): ReservationTransitionDecision =>
  status === 'signed' || redacted || legal_hold
    ? RESERVATION_UNCHANGED_DECISION
    : createReservationDecisionKeepingStatus();

/**
 * Decides the new dates of a row. Can also restore a row whose booking had disappeared from the
 * calendar and is listed again. Pure.
 */
function decideChange(change: BookingChange, restoring: boolean) {
  return (facts: ReservationFactsForRules, _context: unknown, now: Date): ReservationTransitionDecision => {
    const { status, redacted, legal_hold, manual_override } = facts;
    if (status === 'signed' || manual_override || redacted || legal_hold) return RESERVATION_UNCHANGED_DECISION;
    if (status === 'ignored' && !restoring) return RESERVATION_UNCHANGED_DECISION;
    const restored = restoring ? lifecycle.restoreReservationBackInCalendar(facts) : RESERVATION_UNCHANGED_DECISION;
    const row = lifecycle.applyTransitionDecision(facts, restored);
    const dates = {
      checkin_date: change.checkin_date ?? row.checkin_date,
      checkout_date: change.checkout_date ?? row.checkout_date,
    };
    if (dates.checkout_date <= dates.checkin_date) return RESERVATION_UNCHANGED_DECISION;
    const moved = lifecycle.decideReservationDateChangeFromCalendar(row, dates, now);
    return {
      kind: 'change',
      changes: {
        ...(restored.kind === 'change' && restored.changes),
        ...(moved.kind === 'change' && moved.changes),
      },
      events: [],
      mints_token: false,
    };
  };
}

async function cancelBooking(scope: Scope, id: string): Promise<SyncPlanWriteStepResult> {
  const { changed, loaded } = await applyReservationTransition(scope, id, (facts, context, now) =>
    lifecycle.cancel(facts, context, 'feed_removed', now),
  );
  return changed ? { as: 'cancelled', change: changeOf('cancelled', loaded.row) } : { as: 'unchanged' };
}

/** Records in one statement that the bookings in `vanished` are missing from the run's feed. */
async function saveMisses(scope: Scope, vanished: SyncPlan['vanished']): Promise<SyncPlanWriteStepResult[]> {
  const { feed_misses, feed_first_missed_at } = vanished[0]!;
  const ids = vanished.map(({ id }) => id);
  await inTransaction(scope, () =>
    repository.saveReservationColumnsHiddenFromApi(scope, ids, { feed_misses, feed_first_missed_at }),
  );
  return vanished.map(() => ({ as: 'vanished' }));
}
