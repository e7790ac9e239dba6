/**
 * What time it is at a property: its test clock's where it goes by one, the process's otherwise. Everything that asks what a
 * reservation's dates mean now, or notes when something happened to it, takes the time from here, mostly with the
 * reservation (`LoadedReservation.now`); `reservations/timed/property-time.test.ts` finds whoever in those modules asks the process's clock.
 */
import { clock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import * as repository from './repository';

/** The time at a property whose row is at hand. */
export async function timeAt(scope: Scope, property: { test_clock_id: string | null }): Promise<Date> {
  const own = property.test_clock_id && (await repository.findTime(scope, property.test_clock_id));
  return own || clock().now();
}

/** The time at each of some properties. */
export async function timesAt(scope: Scope, property_ids: readonly string[]): Promise<(property_id: string) => Date> {
  const now = clock().now();
  if (scope.mode === 'live' || property_ids.length === 0) return () => now;
  const own = await repository.findTimesAt(scope, [...new Set(property_ids)]);
  return (id) => own.get(id) ?? now;
}

/** When what happens to a reservation at `now` happens by its property's clock. */
export async function timeOfReservation(scope: Scope, reservation_id: string, now: Date): Promise<Date> {
  return (scope.mode === 'test' && (await repository.findTimeOf(scope, reservation_id))) || now;
}

/** A time that has come wherever the team is: for what leaves out, over all properties, what is long past. */
export async function earliestTime(scope: Scope): Promise<Date> {
  const now = clock().now();
  const slowest = scope.mode === 'test' ? await repository.findEarliest(scope) : null;
  return slowest && slowest < now ? slowest : now;
}
