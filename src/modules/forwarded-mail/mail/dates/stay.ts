/**
 * Finds the dates of a guest's stay. Each date is read in every language that has its words, and in
 * every order of its numbers. A reading must fit the other date, the weekdays, the day of the mail
 * and the length of a stay. A single fitting reading is used. Otherwise the host chooses.
 */
import {
  addDays,
  countNightsBetween,
  isCalendarDay,
  toEpochDayNumber,
} from '@/modules/sync-sources/feed/calendar-days';
import { type DateFieldOrder, type DateInterpretation, type DateMention, findDateMentions } from './mentions';
import { tokenizeDateText } from './tokens';
import { DATE_LANGUAGES, type DateLanguage, getDateWordMeanings, LANGUAGES_WITH_WEEKDAY_AFTER_DATE } from './words';

export interface StayDatesInMail {
  readonly checkin_date: string;
  /** Null when the mail contains only the check-in date. */
  readonly checkout_date: string | null;
}

export type StayParseResult =
  | { readonly kind: 'read'; readonly stay: StayDatesInMail }
  /**
   * No interpretation of the written dates fits, or several do. The host then chooses the dates.
   */
  | { readonly kind: 'open'; readonly readings: readonly StayDatesInMail[] }
  | { readonly kind: 'none' };

/** The texts that contain the dates: check-in and check-out, or one range. */
export interface UnparsedStayDates {
  readonly checkin: string | null;
  readonly checkout: string | null;
  readonly range: string | null;
}

/** The context in which a mail's dates are read. */
export interface DateParsingContext {
  /** The possible languages of the mail. Empty when unknown. */
  readonly languages: readonly DateLanguage[];
  /** The mail's language tag, such as `en-us`. */
  readonly tag: string | null;
  /** The day on which the mail was written or forwarded. */
  readonly reference: string | null;
  /**
   * True if the mail was written on the day of `reference`. False if it was forwarded on that day
   * and may be older.
   */
  readonly exact: boolean;
}

/** The maximum number of nights of a stay whose dates have no year. */
const LONGEST_NIGHTS = 90;
/**
 * The maximum number of days from the first searched day to a date without a year. The limit is a
 * little more than a year, so that the weekday determines the year.
 */
const AHEAD_DAYS = 400;
/** The maximum age in days of a mail when it is forwarded. */
const OLD_DAYS = 366;

export function parseStayDates(written: UnparsedStayDates, context: DateParsingContext): StayParseResult {
  const tongues = heaviest(written);
  const hinted = tongues.filter(({ language }) => context.languages.includes(language));
  const meant = hinted.length > 0 ? hinted : tongues;
  if (meant.length === 0) return { kind: 'none' };
  const orders = (language: DateLanguage) => ordersOf(language, context.tag);
  const stays = allStays(meant, context, orders, true);
  const doubts = doubtsOf(meant, hinted.length > 0 ? context.languages : DATE_LANGUAGES, context.reference);
  if (doubts.length > 0) return open([...stays, ...doubts]);
  const [likeliest, ...others] = stays.filter((stay) => fits(stay, context));
  if (likeliest) return others.length > 0 ? open([likeliest, ...others]) : { kind: 'read', stay: likeliest };
  const [only, ...more] = stays;
  if (!only) return open(allStays(meant, context, orders, false));
  // A stay in the past or of a hundred nights is probably misread. If another order of numbers
  // gives a likelier stay, the host chooses.
  const turned = allStays(meant, context, () => ['dmy', 'mdy', 'ymd'], true).filter((stay) => fits(stay, context));
  return more.length > 0 || turned.length > 0 ? open([only, ...more, ...turned]) : { kind: 'read', stay: only };
}

const open = (readings: readonly StayDatesInMail[]): StayParseResult => ({
  kind: 'open',
  readings: distinct(readings),
});

function allStays(
  tongues: readonly Tongue[],
  context: DateParsingContext,
  orders: (language: DateLanguage) => readonly DateFieldOrder[],
  weekdays: boolean,
): StayDatesInMail[] {
  return distinct(
    tongues.flatMap(({ language, checkin, checkout }) =>
      orders(language).flatMap((order) =>
        staysOf(withOrder(checkin, order), checkout && withOrder(checkout, order), context, weekdays),
      ),
    ),
  );
}

const distinct = (stays: readonly StayDatesInMail[]): StayDatesInMail[] => [
  ...new Map(stays.map((stay) => [`${stay.checkin_date}/${stay.checkout_date}`, stay])).values(),
];

/** Returns whether a text contains a date in any language. */
export function doesTextContainDate(text: string): boolean {
  if (!/\d/.test(text)) return false;
  return heaviest({ checkin: text, checkout: null, range: null }).length > 0;
}

/** Returns the day in a text. Returns null if the text contains no day or can mean several days. */
export function parseDateIfUnambiguous(text: string, context: DateParsingContext): string | null {
  const read = parseStayDates({ checkin: text, checkout: null, range: null }, context);
  return read.kind === 'read' ? read.stay.checkin_date : null;
}

/**
 * Returns the order of numbers that a language tag implies. Returns null when several orders are
 * possible, as for English without a country.
 */
export function getLanguageDateFieldOrder(tag: string | null): DateFieldOrder | null {
  const [language, ...rest] = (tag ?? '').toLowerCase().split(/[-_]/);
  if (!language || ['und', 'zh', 'ja', 'ko', 'hu'].includes(language)) return null;
  if (rest.some((part) => ['us', 'pr', 'pa', 'ph'].includes(part)))
    return language === 'en' && rest.includes('us') ? 'mdy' : null;
  if (language !== 'en') return 'dmy';
  return rest.some((part) => ['gb', 'ie', 'au', 'nz', 'in'].includes(part)) ? 'dmy' : null;
}

function ordersOf(language: DateLanguage, tag: string | null): readonly DateFieldOrder[] {
  const tagged = tag?.toLowerCase().split(/[-_]/)[0] === language;
  const order = getLanguageDateFieldOrder(tagged ? tag : language);
  if (order !== null) return [order];
  return ['en', 'es'].includes(language) ? ['dmy', 'mdy'] : ['dmy', 'mdy', 'ymd'];
}

interface Tongue {
  readonly language: DateLanguage;
  readonly checkin: DateMention;
  readonly checkout: DateMention | null;
}

/** The language whose rules are used for dates without words, such as "2026年6月12日". */
const SIGNS_ALONE: DateLanguage = 'ja';

/**
 * Returns the languages in which most of the text is recognized as dates, each with the dates
 * found.
 */
function heaviest({ checkin, checkout, range }: UnparsedStayDates): Tongue[] {
  const texts =
    checkin === null && range !== null ? [range] : checkin === null ? [] : [checkin, ...(checkout ? [checkout] : [])];
  const tokens = texts.map(tokenizeDateText);
  let most = 0;
  let tongues: Tongue[] = [];
  const by_signs = tokens.map((list) => findDateMentions(list, SIGNS_ALONE));
  for (const language of DATE_LANGUAGES) {
    const words = getDateWordMeanings(language);
    const mentions = tokens.map((list, index) =>
      list.some(({ text }) => words.has(text)) ? findDateMentions(list, language) : by_signs[index]!,
    );
    const first = mentions[0]?.[0];
    const second = (texts.length === 2 ? mentions[1]?.[0] : mentions[0]?.[1]) ?? null;
    // A range with only one readable date is skipped, because that date may be the check-in or the
    // check-out.
    if (!first || (checkin === null && !second)) continue;
    const weight = first.weight + (second?.weight ?? 0);
    if (weight > most) tongues = [];
    if (weight < most) continue;
    most = weight;
    tongues.push({ language, checkin: first, checkout: second });
  }
  return tongues;
}

const withOrder = (mention: DateMention, order: DateFieldOrder): DateMention => ({
  ...mention,
  forms: mention.forms.filter((form) => form.order === null || form.order === order),
});

/** Returns the possible stays: every form of the check-in with every form of the check-out. */
function staysOf(
  checkin: DateMention,
  checkout: DateMention | null,
  context: DateParsingContext,
  weekdays: boolean,
): StayDatesInMail[] {
  const found: StayDatesInMail[] = [];
  for (const arrival of checkin.forms) {
    const from = { ...arrival, weekday: weekdays ? checkin.weekday : null };
    for (const departure of checkout?.forms ?? [null]) {
      const to = departure && { ...departure, weekday: weekdays ? (checkout?.weekday ?? null) : null };
      for (const reference of referencesOf(from, to, context)) {
        const stay = stayOf(from, to, reference);
        if (stay) found.push(stay);
      }
    }
  }
  return found;
}

interface Part extends Pick<DateInterpretation, 'year' | 'month' | 'date'> {
  readonly weekday: number | null;
}

/**
 * Returns the days from which to search for the check-in. For dates without a year, returns the day
 * before the mail. If the mail may be old because it was forwarded, also returns a day a year
 * earlier. For dates with a year, returns the day of the mail.
 */
function referencesOf(from: Part, to: Part | null, { reference, exact }: DateParsingContext): (string | null)[] {
  if (from.year !== null || (to !== null && to.year !== null)) return [reference];
  if (reference === null) return [];
  // The search for a date without a year begins one day before the mail, because time zones differ.
  // If only the day of forwarding is known, a second search begins OLD_DAYS before that day.
  return exact ? [addDays(reference, -1)] : [addDays(reference, -1), addDays(reference, -OLD_DAYS)];
}

function stayOf(from: Part, to: Part | null, reference: string | null): StayDatesInMail | null {
  if (from.year !== null || (to !== null && to.year !== null)) {
    const year = from.year ?? to?.year ?? 0;
    if (!plausible(year, reference)) return null;
    return from.year === null ? arrivalBefore(from, to!, year) : departureAfter(dayAt(from, year), to, year);
  }
  if (reference === null) return null;
  const now = Number(reference.slice(0, 4));
  for (let year = now; year <= now + 3; year += 1) {
    const checkin = dayAt(from, year);
    if (!checkin || checkin < reference || countNightsBetween(reference, checkin) > AHEAD_DAYS) continue;
    const stay = departureAfter(checkin, to, year);
    if (stay && (stay.checkout_date === null || countNightsBetween(checkin, stay.checkout_date) <= LONGEST_NIGHTS))
      return stay;
  }
  return null;
}

/**
 * Returns whether a stay in `year` is plausible: within three years of `reference`, or between 2000
 * and 2099 without a reference.
 */
function plausible(year: number, reference: string | null): boolean {
  if (reference === null) return year >= 2000 && year < 2100;
  return Math.abs(year - Number(reference.slice(0, 4))) <= 3;
}

/** Reads "Dec 29 – Jan 3, 2027", where only the check-out has a year. */
function arrivalBefore(from: Part, to: Part, year: number): StayDatesInMail | null {
  const checkout = dayAt(to, year);
  if (!checkout) return null;
  const checkin = [year, year - 1].map((value) => dayAt(from, value)).find((day) => day && day < checkout);
  return checkin ? { checkin_date: checkin, checkout_date: checkout } : null;
}

function departureAfter(checkin: string | null, to: Part | null, year: number): StayDatesInMail | null {
  if (!checkin) return null;
  if (!to) return { checkin_date: checkin, checkout_date: null };
  const years = to.year === null ? [year, year + 1] : [to.year];
  const checkout = years.map((value) => dayAt(to, value)).find((day) => day && day > checkin);
  return checkout ? { checkin_date: checkin, checkout_date: checkout } : null;
}

/** Returns the day in that year, or null if it does not exist or has a different weekday. */
function dayAt({ month, date, weekday }: Part, year: number): string | null {
  const day = `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`;
  return isCalendarDay(day) && (weekday === null || weekdayOf(day) === weekday) ? day : null;
}

/** Returns the weekday, where 0 is Sunday. 1 January 1970 was a Thursday. */
const weekdayOf = (day: string) => (((toEpochDayNumber(day) + 4) % 7) + 7) % 7;

function fits({ checkin_date, checkout_date }: StayDatesInMail, { reference, exact }: DateParsingContext): boolean {
  if (checkout_date !== null) {
    const nights = countNightsBetween(checkin_date, checkout_date);
    if (nights < 1 || nights > LONGEST_NIGHTS) return false;
  }
  if (reference === null) return true;
  const ahead = countNightsBetween(reference, checkin_date);
  return ahead >= (exact ? -1 : -OLD_DAYS) && ahead <= AHEAD_DAYS;
}

/**
 * Returns the alternative stays for ambiguous dates like "mar 12", which can mean 12 March, or a
 * Tuesday the 12th of any month. Only languages that the mail may be in are tried.
 */
function doubtsOf(
  tongues: readonly Tongue[],
  languages: readonly DateLanguage[],
  reference: string | null,
): StayDatesInMail[] {
  if (reference === null) return [];
  const from = addDays(reference, -1);
  const doubts: StayDatesInMail[] = [];
  for (const { checkin, checkout } of tongues) {
    for (const language of languages) {
      const arrivals = daysNamed(checkin, language, from);
      const departures = checkout && daysNamed(checkout, language, from);
      if (!departures && arrivals[0]) doubts.push({ checkin_date: arrivals[0], checkout_date: null });
      for (const checkin_date of departures ? arrivals : []) {
        const checkout_date = departures?.find((day) => day > checkin_date);
        if (!checkout_date || countNightsBetween(checkin_date, checkout_date) > LONGEST_NIGHTS) continue;
        doubts.push({ checkin_date, checkout_date });
        break;
      }
    }
  }
  return doubts;
}

/**
 * Handles a word that can mean a month or a weekday, such as "mar". Returns the days in the next 14
 * months that have the mention's day of the month and fall on that weekday.
 */
function daysNamed(mention: DateMention, language: DateLanguage, from: string): string[] {
  const { forms, weekday, month_word, month_first } = mention;
  const form = forms.length === 1 ? forms[0] : undefined;
  const may_be = month_word !== null && (month_first || LANGUAGES_WITH_WEEKDAY_AFTER_DATE.includes(language));
  const named = may_be ? getDateWordMeanings(language).get(month_word)?.weekday : undefined;
  if (!form || form.year !== null || weekday !== null || named === undefined) return [];
  const [year, month] = [Number(from.slice(0, 4)), Number(from.slice(5, 7))];
  return Array.from({ length: 14 }, (_, offset) => {
    const at = { year: null, month: ((month - 1 + offset) % 12) + 1, date: form.date, weekday: named };
    return dayAt(at, year + Math.floor((month - 1 + offset) / 12));
  }).filter((day) => day !== null && day >= from) as string[];
}
