/**
 * The time at a property: its test clock's, or real time. Code that interprets a reservation's
 * dates or records its events uses the time from this module, usually loaded with the reservation
 * (`LoadedReservation.now`). `reservations/timed/property-time.test.ts` finds code in those modules
 * that uses real time.
 */
import { clock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import * as repository from './repository';

/** Returns the time at a property whose row is loaded. */
export async function getPropertyTime(scope: Scope, property: { test_clock_id: string | null }): Promise<Date> {
  const own = property.test_clock_id && (await repository.findTime(scope, property.test_clock_id));
  return own || clock().now();
}

/** Returns the time at each of several properties. */
export async function getPropertyTimes(
  scope: Scope,
  property_ids: readonly string[],
): Promise<(property_id: string) => Date> {
  const now = clock().now();
  if (scope.mode === 'live' || property_ids.length === 0) return () => now;
  const own = await repository.findPropertyTimes(scope, [...new Set(property_ids)]);
  return (id) => own.get(id) ?? now;
}

/** Converts the real time of an event to the time of the reservation's property. */
export async function getReservationTime(scope: Scope, reservation_id: string, now: Date): Promise<Date> {
  return (scope.mode === 'test' && (await repository.findReservationTime(scope, reservation_id))) || now;
}

/**
 * Returns a time that has passed at all properties of the team, for queries that exclude past rows.
 */
export async function getEarliestTime(scope: Scope): Promise<Date> {
  const now = clock().now();
  const slowest = scope.mode === 'test' ? await repository.findEarliestTime(scope) : null;
  return slowest && slowest < now ? slowest : now;
}
