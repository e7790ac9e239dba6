/** The calendar: a window of days for some properties. */
import { z } from 'zod';
import { RESERVATION_SOURCES, RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import { calendarDateField } from '@/shared/schemas';

/** The limits of one request: slightly more than a screen shows. */
export const MAX_STAY_CALENDAR_PROPERTIES = 50;
export const MAX_STAY_CALENDAR_DAYS = 62;

const date_time = z.iso.datetime().nullable();
const DAY_MS = 86_400_000;

/** All properties, sorted by name, for the calendar's rows. */
export const StayCalendarPropertyList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      city: z.string().nullable(),
      /** The property's IANA time zone. Null means UTC. */
      timezone: z.string().nullable(),
    }),
  ),
  has_more: z.boolean(),
});
export type StayCalendarPropertyList = z.infer<typeof StayCalendarPropertyList>;

export const StayCalendarWindow = z
  .strictObject({
    properties: z.array(z.string().max(100)).min(1).max(MAX_STAY_CALENDAR_PROPERTIES),
    from: calendarDateField('The first day.'),
    to: calendarDateField('The day after the last one.'),
  })
  .superRefine(({ from, to }, context) => {
    const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
    if (days >= 1 && days <= MAX_STAY_CALENDAR_DAYS) return;
    context.addIssue({
      code: 'custom',
      path: ['to'],
      message: `must be 1 to ${MAX_STAY_CALENDAR_DAYS} days after from`,
    });
  });
export type StayCalendarWindow = z.infer<typeof StayCalendarWindow>;

export const StayCalendarStay = z.object({
  id: z.string(),
  property_id: z.string(),
  guest_name: z.string(),
  checkin_date: z.string(),
  checkout_date: z.string(),
  status: z.enum(RESERVATION_STATUSES),
  source: z.enum(RESERVATION_SOURCES),
  sent_at: date_time,
  opened_at: date_time,
  clicked_at: date_time,
  signed_at: date_time,
  manual_override: z.boolean(),
  /** Whether another booking has the same nights and the host has not confirmed both. */
  conflict: z.boolean(),
  /** Whether the guest asked a question or declined, and the host has not answered. */
  guest_replied: z.boolean(),
});
export type StayCalendarStay = z.infer<typeof StayCalendarStay>;

/** Nights that a calendar blocks. */
export const StayCalendarBlockedNights = z.object({
  property_id: z.string(),
  sync_source_id: z.string(),
  checkin_date: z.string(),
  checkout_date: z.string(),
  words: z.string(),
});
export type StayCalendarBlockedNights = z.infer<typeof StayCalendarBlockedNights>;

export const StayCalendarWindowContent = z.object({
  /** Omits cancelled stays, and stays that only repeat another stay's nights. */
  stays: z.array(StayCalendarStay),
  blocks: z.array(StayCalendarBlockedNights),
  has_more: z.boolean(),
});
export type StayCalendarWindowContent = z.infer<typeof StayCalendarWindowContent>;
