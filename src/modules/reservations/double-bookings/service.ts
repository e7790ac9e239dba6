/**
 * Finds bookings that share nights, stores the host's confirmations, and holds back automatic
 * sending of unconfirmed bookings.
 */
import { lockPropertyNights } from '@/infra/db/locks';
import { inTransaction } from '@/infra/db/transaction';
import { recordAuditEntry } from '@/modules/audit-log/service';
import { getEarliestCurrentTimeOfAnyProperty } from '@/modules/test-clocks/time';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { createRefusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import { addDays, getLocalDate } from '@/shared/zoned-time';
import { loadReservation } from '../save-transition';
import * as repository from './repository';
import {
  findStayOverlaps,
  hasConflictBlockingAutomaticPacketSend,
  hasNoGuestDetails,
  type StayForDoubleBookingCheck,
  type StayOverlap,
  sortReservationIdPair,
} from './same-nights.rules';

type RelatedStay = StayOverlap<repository.StayRowForDoubleBookingCheck>;

/** A reservation and the other reservations that share its nights. */
export interface StayWithOverlaps {
  readonly stay: repository.StayRowForDoubleBookingCheck;
  readonly related: readonly RelatedStay[];
}

/**
 * Returns the earliest check-out day of stays that may not be over yet, whatever the property's
 * time zone.
 */
export const getEarliestCheckoutDateOfOngoingStays = async (scope: Scope) =>
  addDays(getLocalDate(await getEarliestCurrentTimeOfAnyProperty(scope), 'UTC'), -1);

/** Returns, by id, the given reservations that share nights with other reservations. */
export async function findOverlapsByStayId(
  scope: Scope,
  ids: readonly string[],
): Promise<Map<string, StayWithOverlaps>> {
  if (ids.length === 0) return new Map();
  const today = await getEarliestCheckoutDateOfOngoingStays(scope);
  const others = await repository.listOverlappingStays(scope, ids, today);
  if (others.length === 0) return new Map();
  const stays = await repository.findStaysByIdThatCanBeDoubleBooked(scope, ids, today);
  // A booking without guest details counts as a copy of other bookings only if these occupy all its
  // nights. All bookings that share nights with such a booking are therefore loaded too.
  const bare = others.filter(hasNoGuestDetails).map(({ id }) => id);
  const further = bare.length > 0 ? await repository.listOverlappingStays(scope, bare, today) : [];
  const pool = [...new Map([...further, ...others, ...stays].map((row) => [row.id, row])).values()];
  const compared = stays.map((stay) => ({
    stay,
    related: findStayOverlaps(
      stay,
      pool.filter((row) => sameProperty(row, stay)),
    ),
  }));
  return new Map(compared.filter(({ related }) => related.length > 0).map((one) => [one.stay.id, one]));
}

const sameProperty = (a: repository.StayRowForDoubleBookingCheck, b: repository.StayRowForDoubleBookingCheck) =>
  a.property_id === b.property_id;

/**
 * Returns whether all future nights of the property come from this calendar. Its bookings then need
 * no comparison. Must be called in the transaction that adds the bookings, under the property's
 * lock. If another source adds bookings concurrently, they are compared after that transaction.
 */
export async function isOnlySyncSourceOfProperty(
  scope: Scope,
  property_id: string,
  sync_source_id: string,
): Promise<boolean> {
  return !(await repository.hasStaysFromOtherSource(
    scope,
    property_id,
    sync_source_id,
    await getEarliestCheckoutDateOfOngoingStays(scope),
  ));
}

/** Returns, by reservation id, the overlapping bookings that the host confirmed to be real. */
async function confirmedOthers(scope: Scope, ids: readonly string[]): Promise<Map<string, Set<string>>> {
  const confirmed = new Map<string, Set<string>>(ids.map((id) => [id, new Set()]));
  if (ids.length === 0) return confirmed;
  for (const { reservation_id, other_id, both_real_at } of await repository.listDoubleBookingPairs(scope, ids)) {
    if (!both_real_at) continue;
    confirmed.get(reservation_id)?.add(other_id);
    confirmed.get(other_id)?.add(reservation_id);
  }
  return confirmed;
}

export interface StayWithOverlapsAndHostConfirmations extends StayWithOverlaps {
  readonly both_real: ReadonlySet<string>;
}

/**
 * Returns those of the given stays that share nights with other bookings, with these bookings and
 * the host's confirmations.
 */
export async function findOverlapsAndConfirmationsByStayId(
  scope: Scope,
  ids: readonly string[],
): Promise<Map<string, StayWithOverlapsAndHostConfirmations>> {
  const compared = await findOverlapsByStayId(scope, ids);
  const confirmed = await confirmedOthers(scope, [...compared.keys()]);
  return new Map([...compared].map(([id, one]) => [id, { ...one, both_real: confirmed.get(id) ?? new Set() }]));
}

/**
 * Returns whether the reservation's packet must not be sent automatically (see
 * `hasConflictBlockingAutomaticPacketSend`).
 */
export async function isAutomaticPacketSendBlocked(scope: Scope, id: string): Promise<boolean> {
  const shared = (await findOverlapsAndConfirmationsByStayId(scope, [id])).get(id);
  return shared !== undefined && hasConflictBlockingAutomaticPacketSend(shared.related, shared.both_real);
}

/**
 * Returns whether the reservation only repeats another reservation's nights. Owners are not
 * notified about such a reservation.
 */
export async function isRepeatOfAnotherReservation(scope: Scope, id: string): Promise<boolean> {
  const compared = (await findOverlapsByStayId(scope, [id])).get(id);
  return compared?.related.some(({ as }) => as === 'repeats') ?? false;
}

/**
 * Stores that both bookings of a pair are real. The pair then no longer holds back automatic
 * sending and is not reported again. Throws resource_missing, and concurrent_edit when the bookings
 * no longer share nights.
 */
export async function confirmBothBookingsOfPairAreReal(scope: Scope, id: string, other_id: string): Promise<void> {
  await inTransaction(scope, async () => {
    const { row } = await loadReservation(scope, id);
    await lockPropertyNights(scope, row.property_id);
    const compared = (await findOverlapsByStayId(scope, [id])).get(id);
    if (!compared?.related.some(({ as, other }) => as === 'conflict' && other.id === other_id)) {
      throw new AppError('concurrent_edit', { message: createRefusal('share_no_nights') });
    }
    const now = clock().now();
    const pair = sortReservationIdPair(id, other_id);
    await repository.insertDoubleBookingPairs(scope, [pair], now);
    await repository.saveConfirmationThatBothBookingsAreReal(scope, pair, now);
    await recordAuditEntry(scope, { action: 'reservation.both_real', object_id: id, data: { other: other_id } });
  });
}

/**
 * Returns the overlapping stays of other sources for each of a calendar's stays. The result has the
 * same order as `stays`.
 */
export async function findOverlappingStays(
  scope: Scope,
  property_id: string,
  stays: readonly StayForDoubleBookingCheck[],
): Promise<RelatedStay[][]> {
  if (stays.length === 0) return [];
  const ahead = await repository.listUpcomingStaysOfProperty(
    scope,
    property_id,
    await getEarliestCheckoutDateOfOngoingStays(scope),
  );
  const known = new Map(ahead.map((row) => [row.id, row]));
  const pool = ahead.filter(({ id }) => !stays.some((stay) => stay.id === id));
  return stays.map((stay) => {
    const { guest_email, external_id, external_uid } = known.get(stay.id) ?? stay;
    return findStayOverlaps({ ...stay, guest_email, external_id, external_uid }, pool);
  });
}
