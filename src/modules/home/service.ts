/** The dashboard's home: what happened lately, and how far a new team has come. */
import { clock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { addDays, localDate, startOfDay, zoneOrUtc } from '@/shared/zoned-time';
import * as repository from './repository';
import type { Activity, FirstSteps } from './schemas';

const DAYS = 30;

/** The last 30 days up to today, on the clock of the zone. */
export async function recentActivity(scope: Scope, zone: string): Promise<Activity> {
  const timezone = zoneOrUtc(zone);
  const today = localDate(clock().now(), timezone);
  const first = addDays(today, 1 - DAYS);
  const counted = await repository.countByDay(scope, startOfDay(first, timezone), timezone);
  const of = (day: string, type: repository.DayCount['type']) =>
    counted.find((row) => row.day === day && row.type === type)?.count ?? 0;
  return {
    days: Array.from({ length: DAYS }, (_, index) => {
      const day = addDays(first, index);
      return {
        day,
        created: of(day, 'reservation.created'),
        sent: of(day, 'reservation.sent'),
        signed: of(day, 'reservation.signed'),
      };
    }),
  };
}

export async function firstSteps(scope: Scope): Promise<FirstSteps> {
  const row = await repository.findFirstSteps(scope);
  return { ...row, property: row.property_id !== null };
}
