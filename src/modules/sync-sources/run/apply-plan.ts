/**
 * Carries a plan out, row by row and through the reservations' own rules, so that the trail and the events are those
 * of any other change. A row is looked at again before it is written: what was signed, redacted or put under legal
 * hold since the plan was made is left alone (specification, "Sync run behaviour").
 */
import type { SyncSource } from '@/generated/prisma/client';
import { inTransaction } from '@/infra/db/transaction';
import * as lifecycle from '@/modules/reservations/rules/lifecycle';
import { type Decision, type ReservationFacts, unchanged } from '@/modules/reservations/rules/transitions';
import { changeReservation } from '@/modules/reservations/save-transition';
import { insertReservation } from '@/modules/reservations/service';
import { textToDay } from '@/shared/calendar-day';
import type { Scope } from '@/shared/scope';
import type { FeedEntry } from '../feed/reader';
import type { Channel } from '../plan/match-bookings';
import { type BookingChange, guestNameOf, type SyncPlan } from '../plan/planner';
import * as repository from '../repository';
import type { RunCounts } from './report';

/** One write of a plan. */
export interface Operation {
  /** The reservations it changes: to be locked before the transaction's first event (see `lockReservations`). */
  readonly rows: readonly string[];
  /** Says as what it counts once it is done. */
  run(): Promise<keyof RunCounts>;
}

/** A plan's writes in their order. Each joins the transaction that is open when it is called. */
export function operationsOf(plan: SyncPlan, scope: Scope, source: SyncSource, channel: Channel): Operation[] {
  const change = (booking: BookingChange, as: 'updated' | 'moved' | 'restored'): Operation => ({
    rows: [booking.id],
    run: () => changeBooking(scope, source, booking, as),
  });
  const { vanished } = plan;
  return [
    ...plan.returned.map((booking) => change(booking, 'restored')),
    ...plan.updates.map((booking) => change(booking, 'updated')),
    ...plan.moved.map((booking) => change(booking, 'moved')),
    ...plan.cancels.map(({ id }) => ({ rows: [id], run: () => cancelBooking(scope, id) })),
    ...plan.creates.map((entry) => ({ rows: [], run: () => createBooking(scope, source, channel, entry) })),
    ...(vanished.length > 0
      ? [{ rows: vanished.map(({ id }) => id), run: () => rememberMisses(scope, vanished) }]
      : []),
  ];
}

async function createBooking(scope: Scope, source: SyncSource, channel: Channel, entry: FeedEntry): Promise<'created'> {
  await inTransaction(scope, () =>
    insertReservation(scope, {
      property_id: source.property_id,
      guest_name: guestNameOf(entry).toWellFormed(),
      guest_email: null,
      guest_phone_last4: entry.phone_last4,
      checkin_date: textToDay(entry.checkin_date),
      checkout_date: textToDay(entry.checkout_date),
      source: channel,
      status: 'synced',
      initial_status: 'synced',
      external_source: source.kind,
      external_id: entry.external_id,
      external_uid: entry.uid,
      sync_source_id: source.id,
    }),
  );
  return 'created';
}

async function changeBooking(
  scope: Scope,
  source: SyncSource,
  change: BookingChange,
  as: 'updated' | 'moved' | 'restored',
): Promise<'updated' | 'moved' | 'restored' | 'unchanged'> {
  const { id, checkin_date, checkout_date, adopt, ...bookkeeping } = change;
  const columns = { ...bookkeeping, ...(adopt && { sync_source_id: source.id, external_source: source.kind }) };
  const visible = checkin_date !== undefined || checkout_date !== undefined || bookkeeping.external_id !== undefined;
  if (!visible && as !== 'restored') {
    await inTransaction(scope, () => repository.keepBook(scope, [id], columns));
    return 'unchanged';
  }
  const { changed } = await changeReservation(scope, id, decideChange(change, as === 'restored'), {
    columns,
    trail: ({ changes }) => [
      ...(changes.status ? [{ type: 'reservation.restored' }] : []),
      ...(changes.checkin_date || changes.checkout_date
        ? [{ type: 'reservation.updated', data: { fields: dateFields(changes) } }]
        : []),
    ],
  });
  return changed ? as : 'unchanged';
}

const dateFields = (changes: object) => Object.keys(changes).filter((name) => name.endsWith('_date'));

/** New dates, and the way back for a row the calendar had removed. Pure. */
function decideChange(change: BookingChange, restoring: boolean) {
  return (facts: ReservationFacts, _context: unknown, now: Date): Decision => {
    const { status, redacted, legal_hold, manual_override } = facts;
    if (status === 'signed' || manual_override || redacted || legal_hold) return unchanged;
    if (status === 'expired' || (status === 'ignored' && !restoring)) return unchanged;
    const restored = restoring ? lifecycle.comeBack(facts) : unchanged;
    const row = lifecycle.apply(facts, restored);
    const dates = {
      checkin_date: change.checkin_date ?? row.checkin_date,
      checkout_date: change.checkout_date ?? row.checkout_date,
    };
    if (dates.checkout_date <= dates.checkin_date) return unchanged;
    const moved = lifecycle.moveDates(row, dates, now);
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

async function cancelBooking(scope: Scope, id: string): Promise<'cancelled' | 'unchanged'> {
  const { changed } = await changeReservation(scope, id, (facts, context, now) =>
    lifecycle.cancel(facts, context, 'feed_removed', now),
  );
  return changed ? 'cancelled' : 'unchanged';
}

/** All of a run's first misses in one statement. */
async function rememberMisses(scope: Scope, vanished: SyncPlan['vanished']): Promise<'vanished'> {
  const { feed_misses, feed_first_missed_at } = vanished[0]!;
  const ids = vanished.map(({ id }) => id);
  await inTransaction(scope, () => repository.keepBook(scope, ids, { feed_misses, feed_first_missed_at }));
  return 'vanished';
}
