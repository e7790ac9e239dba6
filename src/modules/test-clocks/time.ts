/**
 * Returns the time at a property, which is its test clock's time or real time. All code that
 * interprets a reservation's dates or records its events must use this time. It is usually loaded
 * with the reservation (`ReservationWithPropertyAndPacket.now`).
 * `reservations/timed/property-time.test.ts` finds code that uses real time instead.
 */
import { clock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import * as repository from './repository';

/** Returns the time at a property. */
export async function getCurrentTimeAtProperty(
  scope: Scope,
  property: { test_clock_id: string | null },
): Promise<Date> {
  const own = property.test_clock_id && (await repository.findTestClockTime(scope, property.test_clock_id));
  return own || clock().now();
}

/** Returns a function that returns the time at a property, by property id. */
export async function loadPropertyCurrentTimeLookup(
  scope: Scope,
  property_ids: readonly string[],
): Promise<(property_id: string) => Date> {
  const now = clock().now();
  if (scope.mode === 'live' || property_ids.length === 0) return () => now;
  const own = await repository.findPropertyTestClockTimes(scope, [...new Set(property_ids)]);
  return (id) => own.get(id) ?? now;
}

/** Returns the test clock's time at the reservation's property, or `now` without a test clock. */
export async function getCurrentTimeForReservation(scope: Scope, reservation_id: string, now: Date): Promise<Date> {
  return (scope.mode === 'test' && (await repository.findReservationTestClockTime(scope, reservation_id))) || now;
}

/**
 * Returns a time that is not in the future at any of the team's properties. Stays that ended before
 * this time are over at every property.
 */
export async function getEarliestCurrentTimeOfAnyProperty(scope: Scope): Promise<Date> {
  const now = clock().now();
  const slowest = scope.mode === 'test' ? await repository.findEarliestTestClockTime(scope) : null;
  return slowest && slowest < now ? slowest : now;
}
