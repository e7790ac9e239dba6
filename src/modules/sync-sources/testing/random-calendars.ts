/** Calendars of known bookings with the defects of real channels' calendars. Tests only. */
import fc from 'fast-check';
import { addDays } from '../feed/calendar-days';
import { type FeedStay, renderBookingDescription, renderTestCalendarFeed } from './feed-server';

/** The state of one of five bookings in one poll. The nights of the five bookings never touch. */
export interface RandomStay {
  number: number;
  shift: number;
  nights: number;
  coded: boolean;
  cancelled: boolean;
  words: string;
  flaw: (typeof FLAWS)[number];
}

const WORDS = ['Reserved', 'Reserved', 'Reserved - Jane Doe', 'Fully taken', 'Tentative', 'Channel (Not available)'];
const FLAWS = [
  'none',
  'none',
  'none',
  'bare_dates',
  'dashed_dates',
  'split_text',
  'stray_line',
  'bad_extra',
  'no_begin',
  'no_end',
  'same_day',
  'bad_start',
  'bad_rule',
] as const;
/** Defects of a calendar event that leave only one plausible reading of the event. */
const REPAIRED: ReadonlySet<string> = new Set(FLAWS.slice(0, 10));

export const randomStayArbitrary: fc.Arbitrary<RandomStay> = fc.record({
  number: fc.integer({ min: 1, max: 5 }),
  shift: fc.integer({ min: -2, max: 2 }),
  nights: fc.integer({ min: 1, max: 5 }),
  coded: fc.boolean(),
  cancelled: fc.boolean().chain((value) => (value ? fc.boolean() : fc.constant(false))),
  words: fc.constantFrom(...WORDS),
  flaw: fc.constantFrom(...FLAWS),
});

export const randomStaysArbitrary = fc.uniqueArray(randomStayArbitrary, {
  selector: ({ number }) => number,
  maxLength: 5,
});

/**
 * How a channel changes a whole calendar. `wiped` leaves only a block. `another` contains the
 * bookings of another listing, with their own UIDs and codes.
 */
export const RANDOM_CALENDAR_VARIANTS = ['own', 'own', 'own', 'own', 'wiped', 'another'] as const;
export type RandomCalendarVariant = (typeof RANDOM_CALENDAR_VARIANTS)[number];

/**
 * Bookings from this number on belong to another listing and have other days. If they had the same
 * days, a single booking of the other listing would look like a moved booking.
 */
export const OTHER_LISTING_STAY_NUMBER_OFFSET = 5;

/**
 * Returns the stays that the calendar contains in the variant `whole`: all stays, none, or those of
 * another listing.
 */
export function selectStaysInCalendar(stays: readonly RandomStay[], whole: RandomCalendarVariant): RandomStay[] {
  const anothers = (stay: RandomStay): RandomStay => ({
    ...stay,
    number: stay.number + OTHER_LISTING_STAY_NUMBER_OFFSET,
  });
  return whole === 'wiped' ? [] : whole === 'another' ? stays.map(anothers) : [...stays];
}

/**
 * Returns a guest's name. No two bookings share a name, because the same name on other days would
 * raise a question.
 */
const nameOf = ({ number }: RandomStay) =>
  ['Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gil', 'Hana', 'Ian', 'Jo'][number - 1] ?? 'Kit';

export const getStayEventUid = ({ number }: { number: number }) => `u${number}@a`;
export const getStayReservationCode = ({ number }: { number: number }) => `HMCODE000${number}`;

/**
 * Returns whether the calendar identifies the stay as a booking, with readable days and the
 * channel's usual words.
 */
export const isStayRecognizableAsBooking = ({ words, flaw, coded, cancelled }: RandomStay) =>
  REPAIRED.has(flaw) && !cancelled && (words.startsWith('Reserved') || (coded && words === 'Fully taken'));

export function getStayDays({ number, shift, nights }: RandomStay): { from: string; to: string } {
  const from = addDays('2026-06-01', number * 10 + shift);
  return { from, to: addDays(from, nights) };
}

const BREAK: Record<RandomStay['flaw'], (event: string) => string> = {
  none: (event) => event,
  bare_dates: (event) => event.replaceAll(';VALUE=DATE', ''),
  dashed_dates: (event) => event.replace(/^(DT(?:START|END).*:\d{4})(\d\d)(\d\d)$/gm, '$1-$2-$3'),
  split_text: (event) => event.replace(/^SUMMARY/m, 'COMMENT:A note\r\nStatus: cancelled\r\nit says\r\n$&'),
  stray_line: (event) => event.replace(/^DTSTART/m, 'this line has no colon\r\n$&'),
  bad_extra: (event) => event.replace(/^END/m, 'X-CHANNEL;B:c\r\nEND'),
  no_begin: (event) => event.replace('BEGIN:VEVENT', 'BEGIN:VEVNT'),
  no_end: (event) => event.replace('END:VEVENT', 'ND:VEVENT'),
  same_day: (event) =>
    event.replace(/^DTEND.*:/m, 'DTEND;VALUE=DATE:').replace(/(DTSTART.*:)(\d{8})([\s\S]*DTEND.*:)\d{8}/, '$1$2$3$2'),
  bad_start: (event) => event.replace(/^(DTSTART.*:)\d{8}/m, '$120260231'),
  bad_rule: (event) => event.replace(/^END/m, 'RRULE:FREQ=\r\nEND'),
};

/** A block at the end of the bookable period. It moves every day, and every calendar has one. */
const HORIZON: FeedStay = {
  uid: 'horizon@a',
  from: '2027-05-01',
  to: '2027-05-02',
  summary: 'Channel (Not available)',
};

export function renderRandomCalendar(stays: readonly RandomStay[], whole: RandomCalendarVariant = 'own'): string {
  const text = renderTestCalendarFeed([
    ...stays.map((stay) => ({
      uid: getStayEventUid(stay),
      ...getStayDays(stay),
      summary: stay.words.replace('Jane Doe', nameOf(stay)),
      ...(stay.coded && { description: renderBookingDescription(getStayReservationCode(stay)) }),
      ...(stay.cancelled && { status: 'CANCELLED' }),
    })),
    ...(whole === 'own' ? [] : [HORIZON]),
  ]);
  let index = 0;
  return text.replace(/BEGIN:VEVENT[\s\S]*?END:VEVENT\r\n/g, (event) => BREAK[stays[index++]?.flaw ?? 'none'](event));
}
