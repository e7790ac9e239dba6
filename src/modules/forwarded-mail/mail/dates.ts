/**
 * Days as channels' mails write them, in their hosts' languages. A date that can be read two ways (03/04/2026) is
 * refused unless the mail says which: by its language, or by another of its dates that only works one way.
 */
import { addDays, isDay } from '@/modules/sync-sources/feed/calendar-days';

export type DayOrder = 'dmy' | 'mdy';

export type ReadDay =
  | { readonly ok: true; readonly day: string }
  | { readonly ok: false; readonly reason: 'ambiguous' | 'unreadable' };

// biome-ignore format: twelve months a line.
const MONTH_NAMES: readonly (readonly string[])[] = [
  ['jan', 'january', 'janv', 'janvier', 'januar', 'jänner', 'ene', 'enero', 'gen', 'gennaio', 'januari', 'janeiro', 'tammikuu', 'sty', 'stycznia', 'leden', 'ledna'],
  ['feb', 'february', 'févr', 'fevr', 'février', 'februar', 'febrero', 'febbraio', 'februari', 'fev', 'fevereiro', 'helmikuu', 'lut', 'lutego', 'únor', 'února'],
  ['mar', 'march', 'mars', 'märz', 'mär', 'mrz', 'marzo', 'maart', 'mrt', 'março', 'maaliskuu', 'marca', 'březen', 'března', 'marts'],
  ['apr', 'april', 'avr', 'avril', 'abr', 'abril', 'aprile', 'huhtikuu', 'kwi', 'kwietnia', 'duben', 'dubna'],
  ['may', 'mai', 'mayo', 'mag', 'maggio', 'mei', 'maio', 'maj', 'maja', 'toukokuu', 'květen', 'května'],
  ['jun', 'june', 'juin', 'juni', 'junio', 'giu', 'giugno', 'junho', 'kesäkuu', 'cze', 'czerwca', 'červen', 'června'],
  ['jul', 'july', 'juil', 'juillet', 'juli', 'julio', 'lug', 'luglio', 'julho', 'heinäkuu', 'lip', 'lipca', 'červenec', 'července'],
  ['aug', 'august', 'août', 'aout', 'ago', 'agosto', 'augustus', 'augusti', 'elokuu', 'sie', 'sierpnia', 'srpen', 'srpna'],
  ['sep', 'sept', 'september', 'septembre', 'septiembre', 'set', 'settembre', 'setembro', 'syyskuu', 'wrz', 'września', 'září'],
  ['oct', 'october', 'octobre', 'okt', 'oktober', 'octubre', 'ott', 'ottobre', 'out', 'outubro', 'lokakuu', 'paź', 'października', 'říjen', 'října'],
  ['nov', 'november', 'novembre', 'noviembre', 'novembro', 'marraskuu', 'lis', 'listopada', 'listopad', 'listopadu'],
  ['dec', 'december', 'déc', 'décembre', 'dez', 'dezember', 'dic', 'diciembre', 'dicembre', 'dezembro', 'des', 'desember', 'joulukuu', 'gru', 'grudnia', 'prosinec', 'prosince'],
];
const MONTHS = new Map(MONTH_NAMES.flatMap((names, index) => names.map((name): [string, number] => [name, index + 1])));

interface Found {
  readonly index: number;
  readonly length: number;
  readonly year: number | null;
  /** Month and day, or two numbers in an order to be settled. */
  readonly month: number;
  readonly date: number;
  readonly order_open: boolean;
}

/** What a date of a mail is read against. */
export interface DateContext {
  /** What the mail's language settles; null when it does not. */
  readonly order: DayOrder | null;
  /** The day of the mail: dates without a year are near it, and rather after it. */
  readonly reference: string | null;
}

/** The first date in the text. */
export function readDay(text: string, context: DateContext): ReadDay {
  const found = findDates(text)[0];
  return found ? settle(found, context, null) : { ok: false, reason: 'unreadable' };
}

/** A range in one text: "Jun 1 – Jun 5, 2026", "1.–5. Juni 2026", "12/06/2026 - 15/06/2026". */
export function readRange(text: string, context: DateContext): { checkin: ReadDay; checkout: ReadDay } {
  const dates = findDates(
    oneSpaced(text).replace(
      /(\d{1,2})(?:st|nd|rd|th)?\.? ?(?:-|–|—|to|bis|au|al|a|tot) ?(\d{1,2})\.? (\p{L}{3,12}\.? (?:de )?\d{4})/giu,
      '$1 $3 – $2 $3',
    ),
  );
  const unreadable: ReadDay = { ok: false, reason: 'unreadable' };
  const [first, second] = dates;
  if (!first || !second) return { checkin: first ? settle(first, context, null) : unreadable, checkout: unreadable };
  const order = context.order ?? orderOf(first) ?? orderOf(second);
  // "Jun 1 – Jun 5, 2026": the year stands once, at the end; a stay over New Year has the earlier one at its start.
  const checkout = settle(second, { ...context, order }, null);
  let checkin = settle(first, { ...context, order }, checkout.ok ? Number(checkout.day.slice(0, 4)) : null);
  if (checkin.ok && checkout.ok && first.year === null && checkin.day > checkout.day) {
    checkin = settle(first, { ...context, order }, Number(checkout.day.slice(0, 4)) - 1);
  }
  return { checkin, checkout };
}

/** The order that the dates of a text prove, because one of them only works one way; null when none does. */
export function provenOrder(texts: readonly string[]): DayOrder | null {
  const orders = new Set(
    texts
      .flatMap(findDates)
      .map(orderOf)
      .filter((order) => order !== null),
  );
  return orders.size === 1 ? [...orders][0]! : null;
}

/** The order a language tag settles: every language but English writes the day first; English only with a country. */
export function orderOfLanguage(tag: string | null): DayOrder | null {
  const [language, ...rest] = (tag ?? '').toLowerCase().split(/[-_]/);
  if (!language || ['und', 'zh', 'ja', 'ko', 'hu'].includes(language)) return null;
  if (language !== 'en') return 'dmy';
  if (rest.includes('us')) return 'mdy';
  return rest.some((part) => ['gb', 'ie', 'au', 'nz', 'in', 'za'].includes(part)) ? 'dmy' : null;
}

function orderOf(found: Found): DayOrder | null {
  if (!found.order_open || found.month === found.date) return null;
  if (found.month > 12 && found.date <= 12) return 'dmy';
  return found.date > 12 && found.month <= 12 ? 'mdy' : null;
}

function settle(found: Found, context: DateContext, year_hint: number | null): ReadDay {
  let { month, date } = found;
  if (found.order_open) {
    // `month` holds the first number and `date` the second until the order is known.
    const order = orderOf(found) ?? (month === date ? 'dmy' : context.order);
    if (order === null) return { ok: false, reason: 'ambiguous' };
    if (order === 'dmy') [month, date] = [date, month];
  }
  const year = found.year ?? year_hint;
  const at = (value: number) =>
    `${String(value).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`;
  if (year !== null) return isDay(at(year)) ? { ok: true, day: at(year) } : { ok: false, reason: 'unreadable' };
  if (context.reference === null) return { ok: false, reason: 'ambiguous' };
  const now = Number(context.reference.slice(0, 4));
  const earliest = addDays(context.reference, -60);
  const day = [now - 1, now, now + 1, now + 2].map(at).find((candidate) => isDay(candidate) && candidate >= earliest);
  return day ? { ok: true, day } : { ok: false, reason: 'unreadable' };
}

const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th|er|º|ª|\.)?`;
const MONTH = String.raw`(\p{L}{3,12})\.?`;
const YEAR = String.raw`(?: ?,? ?(?:del? )?(\d{4})(?!\d))?`;
const PATTERNS: readonly {
  readonly pattern: RegExp;
  readonly read: (match: RegExpExecArray) => Omit<Found, 'index' | 'length'> | null;
}[] = [
  { pattern: /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/g, read: (m) => numbers(m[1]!, m[2]!, m[3]!, false) },
  {
    pattern: /(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]/g,
    read: (m) => numbers(m[1]!, m[2]!, m[3]!, false),
  },
  { pattern: /(?<!\d)(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})(?!\d)/g, read: (m) => numbers(m[3]!, m[2]!, m[1]!, false) },
  { pattern: /(?<!\d)(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?!\d)/g, read: (m) => numbers(m[3]!, m[1]!, m[2]!, true) },
  {
    pattern: new RegExp(`(?<![\\d:])${DAY} ?(?:de )?${MONTH}${YEAR}`, 'giu'),
    read: (m) => named(m[3], m[2]!, m[1]!),
  },
  {
    pattern: new RegExp(`(?<!\\p{L})${MONTH} (\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])${YEAR}`, 'giu'),
    read: (m) => named(m[3], m[1]!, m[2]!),
  },
];

function numbers(year: string, month: string, date: string, order_open: boolean) {
  return { year: Number(year), month: Number(month), date: Number(date), order_open };
}

function named(year: string | undefined, month: string, date: string) {
  const number = MONTHS.get(month.toLowerCase().normalize('NFC'));
  const day = Number(date);
  if (number === undefined || day < 1 || day > 31) return null;
  return { year: year === undefined ? null : Number(year), month: number, date: day, order_open: false };
}

const LONGEST = 1_000;

/** The patterns below look for one space where there may be many, so that none of them has to try how to share them. */
const oneSpaced = (text: string) => text.slice(0, LONGEST).replace(/\s+/g, ' ');

/** Every date in the text, in its order; of overlapping readings the longer. */
function findDates(text: string): Found[] {
  const found: Found[] = [];
  const source = oneSpaced(text);
  for (const { pattern, read } of PATTERNS) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(source); match; match = pattern.exec(source)) {
      const value = read(match);
      if (value) found.push({ ...value, index: match.index, length: match[0].length });
      else pattern.lastIndex = match.index + 1;
    }
  }
  found.sort((a, b) => b.length - a.length || a.index - b.index);
  const kept: Found[] = [];
  for (const date of found) {
    const clash = kept.some(
      (other) => date.index < other.index + other.length && other.index < date.index + date.length,
    );
    if (!clash) kept.push(date);
  }
  return kept.sort((a, b) => a.index - b.index);
}
