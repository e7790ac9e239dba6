/** The dashboard's home page: recent activity, and the progress of a new team. */
import { clock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { addDays, getLocalDate, getStartOfDay, getValidTimeZoneOrUtc } from '@/shared/zoned-time';
import * as repository from './repository';
import type { OnboardingProgress, RecentActivity, StaySigningRate } from './schemas';

const DAYS = 30;

/** Returns the activity of the last 30 days including today, in the time zone. */
export async function getRecentActivity(scope: Scope, zone: string): Promise<RecentActivity> {
  const timezone = getValidTimeZoneOrUtc(zone);
  const today = getLocalDate(clock().now(), timezone);
  const days = Array.from({ length: DAYS }, (_, index) => addDays(today, index + 1 - DAYS));
  const starts = [...days, addDays(today, 1)].map((day) => getStartOfDay(day, timezone));
  const counted = new Map(
    (await repository.countEventsByDay(scope, starts)).map(({ day, ...counts }) => [day, counts]),
  );
  return {
    days: days.map((day, index) => ({ day, ...(counted.get(index + 1) ?? { created: 0, sent: 0, signed: 0 }) })),
  };
}

const RATE_DAYS = 90;

/** Returns how many of a property's recent stays were signed. Today's arrivals do not count yet. */
export async function getStaySigningRate(scope: Scope, property_id: string): Promise<StaySigningRate> {
  const today = getLocalDate(clock().now(), 'UTC');
  const counted = await repository.countSignedReservations(scope, property_id, addDays(today, -RATE_DAYS), today);
  return { days: RATE_DAYS, ...counted };
}

export async function getOnboardingProgress(scope: Scope): Promise<OnboardingProgress> {
  const row = await repository.findOnboardingProgress(scope);
  return { ...row, property: row.property_id !== null };
}
