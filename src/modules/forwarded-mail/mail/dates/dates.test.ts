/**
 * Parses the dates of a stay in many languages and orders. A date is either read correctly or left
 * to the host. It is never misread.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '@/modules/sync-sources/feed/calendar-days';
import {
  type DateParsingContext,
  getLanguageDateFieldOrder,
  parseDateIfUnambiguous,
  parseStayDates,
  type StayParseResult,
} from './stay';
import { getDateLanguageFromTag } from './words';

const MAIL_DAY = '2026-05-01';
const OPEN: DateParsingContext = { languages: [], tag: null, reference: MAIL_DAY, exact: true };
const inLanguage = (tag: string): DateParsingContext => {
  const language = getDateLanguageFromTag(tag);
  return { ...OPEN, tag, languages: language ? [language] : [] };
};
const stay = (checkin: string | null, checkout: string | null, context = OPEN) =>
  parseStayDates({ checkin, checkout, range: null }, context);
const range = (text: string, context = OPEN) => parseStayDates({ checkin: null, checkout: null, range: text }, context);
/** Formats a result as one line, for test tables. */
const said = (read: StayParseResult) =>
  read.kind === 'read'
    ? `${read.stay.checkin_date}→${read.stay.checkout_date}`
    : read.kind === 'open'
      ? `? ${read.readings.map((one) => `${one.checkin_date}→${one.checkout_date}`).join(' ')}`.trim()
      : 'none';

describe('a day', () => {
  it.each([
    ['2026-06-12', '2026-06-12'],
    ['2026/06/12', '2026-06-12'],
    ['12.06.2026', '2026-06-12'],
    ['12. 6. 2026', '2026-06-12'],
    ['13/06/2026', '2026-06-13'],
    ['06/13/2026', '2026-06-13'],
    ['05/05/2026', '2026-05-05'],
    ['June 12, 2026', '2026-06-12'],
    ['Friday 12 June 2026 at 16:00', '2026-06-12'],
    ['after 15:00 on Friday, 12 June 2026', '2026-06-12'],
    ['Fri, Jun 12', '2026-06-12'],
    ['16:00, Fri, Jun 12th', '2026-06-12'],
    ['Jun 12, 2026 4:00 PM', '2026-06-12'],
    ['Jun 12 16:00', '2026-06-12'],
    ['12-Jun-2026', '2026-06-12'],
    ['12 de junio de 2026', '2026-06-12'],
    ['sam. 1er août 2026', '2026-08-01'],
    ['1 aout 2026', '2026-08-01'],
    ['Fr., 12. März 2027', '2027-03-12'],
    ['Fr 12.06.', '2026-06-12'],
    ['3 gennaio 2027', '2027-01-03'],
    ['12 mrt. 2027', '2027-03-12'],
    ['2026年6月12日(金)', '2026-06-12'],
    ['2026年6月12日金曜日', '2026-06-12'],
    ['6月12日(金)', '2026-06-12'],
    ['2026년 6월 12일', '2026-06-12'],
    ['2026. június 12., péntek', '2026-06-12'],
    ['12 Haziran 2026 Cuma', '2026-06-12'],
    ['12 czerwca 2026', '2026-06-12'],
    ['п’ятниця, 12 червня 2026 р.', '2026-06-12'],
    ['sexta-feira, 12 de junho de 2026', '2026-06-12'],
    ['Jan 3', '2027-01-03'],
  ])('written %s is read as %s', (text, day) => {
    expect(parseDateIfUnambiguous(text, OPEN)).toBe(day);
  });
  it.each(['03/04/2026', '12-06-2026', '1/2/2027', '06/07/26'])(
    'written %s is ambiguous, until the order of day and month is known',
    (text) => {
      expect(stay(text, null)).toMatchObject({ kind: 'open', readings: [{}, {}] });
      const [day_first, month_first] = [
        parseDateIfUnambiguous(text, inLanguage('de')),
        parseDateIfUnambiguous(text, inLanguage('en-us')),
      ];
      expect(day_first).not.toBeNull();
      expect(month_first).not.toBeNull();
      expect(day_first).not.toBe(month_first);
    },
  );
  it.each([
    '',
    'tomorrow',
    '30 February 2026',
    '2026-02-30',
    '32/01/2026',
    '12:30',
    '12 persons',
    'Jun 2026',
    '12/06/2569',
  ])('is not found in %j', (text) => {
    expect(parseDateIfUnambiguous(text, OPEN)).toBeNull();
  });
  it('without a year is not guessed when the mail has no date', () => {
    expect(said(stay('12 June', null, { ...OPEN, reference: null }))).toBe('?');
  });
  it('with the wrong weekday is ambiguous', () => {
    expect(said(stay('Thursday 12 June 2026', null))).toBe('? 2026-06-12→null');
  });
});

describe('“mar.”, which may be Tuesday or March', () => {
  it.each([
    ['mar. 12 mai', '2026-05-12→null'],
    ['mar. 12 mai 2026', '2026-05-12→null'],
    ['mar 12 may', '2026-05-12→null'],
    ['mar 12 mag 2026', '2026-05-12→null'],
    ['mar, 2 de junio', '2026-06-02→null'],
    ['mar. 2 iun. 2026', '2026-06-02→null'],
    ['mar 2 mar 2027', '2027-03-02→null'],
    ['Tue 2 mar', '2027-03-02→null'],
    ['Tue, Mar 2', '2027-03-02→null'],
    ['Mar 2, 2027', '2027-03-02→null'],
    ['2 mar', '2027-03-02→null'],
    ['12 mars', '2027-03-12→null'],
  ])('written %s is read as %s in every language', (text, expected) => {
    expect(said(stay(text, null))).toBe(expected);
  });
  it('alone is ambiguous, unless the mail’s language is known', () => {
    expect(said(stay('Mar 5', null))).toBe('? 2027-03-05→null 2026-05-05→null');
    expect(said(stay('Mar 5', null, inLanguage('en')))).toBe('2027-03-05→null');
    expect(stay('mar 5', null, inLanguage('es')).kind).toBe('open');
    expect(stay('mar 5', 'mar 12').kind).toBe('open');
    // "Paz" is Turkish for Sunday. Several months have a Sunday the 25th, so the date is ambiguous.
    expect(stay('25 Paz', null).kind).toBe('open');
    expect(said(stay('mar 5', 'mar 6'))).toBe('2027-03-05→2027-03-06');
  });
  it.each([
    ['12. listopada 2026.', '? 2026-11-12→null 2026-10-12→null'],
    ['čet, 12. lis 2026.', '2026-10-12→null'],
  ])('like a month name that differs between languages is never misread: %s', (text, expected) => {
    const read = stay(text, null);
    if (expected.startsWith('?')) expect(read.kind).toBe('open');
    else expect(said(read)).not.toMatch(/^2026-11/);
  });
});

describe('a stay', () => {
  it.each([
    // Dates without a year are read in the first year in which the weekdays and the length of the
    // stay match.
    ['Fri, Jun 12', 'Mon, Jun 15', '2026-06-12→2026-06-15'],
    ['Tue, May 4', 'Thu, May 6', '2027-05-04→2027-05-06'],
    ['Dec 29', 'Jan 3', '2026-12-29→2027-01-03'],
    ['lun. 28 déc.', 'sam. 2 janv.', '2026-12-28→2027-01-02'],
    ['Dec 29', 'Jan 3, 2027', '2026-12-29→2027-01-03'],
    ['29 Dec 2026', '3 Jan', '2026-12-29→2027-01-03'],
    // A check-in without a year may be at most one day before the mail, because time zones differ.
    ['May 1', 'May 3', '2026-05-01→2026-05-03'],
    ['April 30', 'May 3', '2026-04-30→2026-05-03'],
    ['April 29', 'May 3', '2027-04-29→2027-05-03'],
    // Two orders of day and month are possible. The test expects the order that fits both dates, is
    // near the mail's day and gives a short stay.
    ['03/06/2026', '15/06/2026', '2026-06-03→2026-06-15'],
    ['06/03/2026', '06/15/2026', '2026-06-03→2026-06-15'],
    ['03/06/2026', '07/06/2026', '2026-06-03→2026-06-07'],
    ['Wed 03/06/2026', 'Fri 05/06/2026', '2026-06-03→2026-06-05'],
    ['05/06/2026', '05/08/2026', '? 2026-06-05→2026-08-05 2026-05-06→2026-05-08'],
    // The host must decide about a very long stay, a check-out before the check-in, and a weekday
    // that does not match.
    ['Jun 12', 'Nov 15', '?'],
    ['15 June 2026', '12 June 2026', '?'],
    ['Fri, Jun 12', 'Tue, Jun 15', '? 2026-06-12→2026-06-15'],
    ['Jun 12', 'flexible', '2026-06-12→null'],
  ])('from %s to %s is read as %s', (checkin, checkout, expected) => {
    expect(said(stay(checkin, checkout))).toBe(expected);
  });
  it.each([
    ['Jun 1 - Jun 5, 2026, 4 nights', '2026-06-01→2026-06-05'],
    ['1 – 5 juin 2026', '2026-06-01→2026-06-05'],
    ['1. bis 5. Juni 2026', '2026-06-01→2026-06-05'],
    ['du 1 au 5 juin', '2026-06-01→2026-06-05'],
    ['Jun 12–15, 2026', '2026-06-12→2026-06-15'],
    ['Jun 12 – 15', '2026-06-12→2026-06-15'],
    ['Jun 12 - 15, 2026', '2026-06-12→2026-06-15'],
    ['Jun 12-15, 2026', '2026-06-12→2026-06-15'],
    ['Jun 12-15', '2026-06-12→2026-06-15'],
    ['12 Jun - 15 Jun', '2026-06-12→2026-06-15'],
    ['12-15 June', '2026-06-12→2026-06-15'],
    ['12-Jun-26 - 15-Jun-26', '2026-06-12→2026-06-15'],
    ['12 Jun 26 to 15 Jun 26', '2026-06-12→2026-06-15'],
    ['Jun 12 - 14 nights', 'none'],
    ['Dec 29 - Jan 3, 2027', '2026-12-29→2027-01-03'],
    ['29/12/2026 - 03/01/2027', '2026-12-29→2027-01-03'],
    ['2026-06-01 to 2026-06-05', '2026-06-01→2026-06-05'],
    ['Fri, Jun 12 Mon, Jun 15 4:00 PM 11:00 AM', '2026-06-12→2026-06-15'],
    ['12 Jun 15 Jun', '2026-06-12→2026-06-15'],
    ['ven. 12 juin lun. 15 juin 16:00 11:00', '2026-06-12→2026-06-15'],
    ['03/04/2026 - 05/04/2026', '? 2026-04-03→2026-04-05 2026-03-04→2026-05-04'],
  ])('written %s is read as %s', (text, expected) => {
    expect(said(range(text))).toBe(expected);
  });
  it('may be last year’s when the date of the mail is unknown', () => {
    const forwarded = { ...OPEN, exact: false };
    expect(said(stay('Fri, Jun 12', 'Mon, Jun 15', forwarded))).toBe('2026-06-12→2026-06-15');
    expect(stay('Jun 12', 'Jun 15', forwarded).kind).toBe('open');
    expect(said(stay('12 June 2026', '15 June 2026', forwarded))).toBe('2026-06-12→2026-06-15');
  });
});

describe('the order of day and month', () => {
  it.each([
    ['de', 'dmy'],
    ['fr-CA', 'dmy'],
    ['en-US', 'mdy'],
    ['en-gb', 'dmy'],
    ['en', null],
    ['es-PR', null],
    ['ja', null],
    [null, null],
  ])('of the language %s is %s', (tag, order) => {
    expect(getLanguageDateFieldOrder(tag)).toBe(order);
  });
});

// biome-ignore format: a word list reads better in lines.
const LOCALES = [
  'en-US', 'en-GB', 'en-AU', 'en-CA', 'en-IN', 'en-IE', 'en-ZA', 'fr-FR', 'fr-CA', 'fr-CH', 'de-DE', 'de-AT', 'de-CH', 'es-ES', 'es-MX', 'es-AR', 'es-US',
  'it-IT', 'it-CH', 'pt-BR', 'pt-PT', 'nl-NL', 'nl-BE', 'sv-SE', 'da-DK', 'nb-NO', 'nn-NO', 'fi-FI', 'pl-PL', 'cs-CZ', 'sk-SK', 'hr-HR', 'sr-Latn-RS', 'sl-SI',
  'bs-Latn-BA', 'hu-HU', 'ro-RO', 'ca-ES', 'el-GR', 'tr-TR', 'ru-RU', 'uk-UA', 'ja-JP', 'zh-CN', 'zh-TW', 'ko-KR',
];
/** Languages without a word list. Their dates may be left to the host, but must not be misread. */
// biome-ignore format: a word list reads better in lines.
const FOREIGN_LOCALES = [
  'bg-BG', 'mk-MK', 'sr-RS', 'be-BY', 'et-EE', 'lv-LV', 'lt-LT', 'is-IS', 'ga-IE', 'cy-GB', 'eu-ES', 'gl-ES', 'sq-AL', 'mt-MT', 'lb-LU', 'af-ZA', 'id-ID', 'ms-MY',
  'vi-VN', 'th-TH', 'ar-EG', 'ar-SA', 'he-IL', 'fa-IR', 'hi-IN', 'bn-BD', 'sw-KE', 'az-AZ', 'kk-KZ', 'hy-AM', 'ka-GE', 'mn-MN', 'sv-FI', 'en-PH',
];
const STYLES: readonly (readonly [name: string, style: Intl.DateTimeFormatOptions, sure: boolean])[] = [
  ['full', { dateStyle: 'full' }, true],
  ['long', { dateStyle: 'long' }, true],
  ['medium', { dateStyle: 'medium' }, false],
  ['short', { dateStyle: 'short' }, false],
  ['numbers', { day: '2-digit', month: '2-digit', year: 'numeric' }, false],
  ['weekday and numbers', { weekday: 'short', day: 'numeric', month: 'numeric', year: 'numeric' }, false],
  ['weekday and short month', { weekday: 'short', day: 'numeric', month: 'short' }, true],
  ['weekday, short month and year', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }, true],
  ['weekday and month', { weekday: 'long', day: 'numeric', month: 'long' }, true],
  ['day and month', { day: 'numeric', month: 'long' }, true],
  ['day and short month', { day: 'numeric', month: 'short' }, false],
  ['weekday, day and month in numbers', { weekday: 'short', day: 'numeric', month: 'numeric' }, false],
  ['weekday and day', { weekday: 'short', day: 'numeric' }, false],
];

/**
 * Formats whose numbers are joined by hyphens. If two such dates without a year are next to each
 * other, it is ambiguous where the first one ends.
 */
const BESIDE_EACH_OTHER_UNCLEAR = /^fr-CA .*in numbers/;

/** The number of random stays per locale and style. `MAIL_DATES` overrides it. */
const RUNS = Number(process.env.MAIL_DATES ?? 4);

const days = fc.tuple(fc.integer({ min: 0, max: 360 }), fc.integer({ min: 1, max: 60 })).map(([ahead, nights]) => {
  const checkin = addDays(MAIL_DAY, ahead);
  return { checkin, checkout: addDays(checkin, nights) };
});
const utc = (day: string) => new Date(`${day}T00:00:00Z`);
/** Writes dates with the platform's `Intl`, whose words are independent of the product's tables. */
const writer = (locale: string, style: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(`${locale}-u-ca-gregory`, { ...style, timeZone: 'UTC' });

/** Fails when a wrong stay was read. Returns whether both dates were read. */
function judge(read: StayParseResult, written: { checkin: string; checkout: string | null }, what: string): boolean {
  if (read.kind !== 'read') return false;
  const checkout = read.stay.checkout_date === null ? null : written.checkout;
  expect(`${what} → ${said(read)}`).toBe(`${what} → ${written.checkin}→${checkout}`);
  return checkout === written.checkout;
}

describe('a date in any language', () => {
  it.each(LOCALES)('of %s is read back or reported as ambiguous in every common style', (locale) => {
    for (const [name, style, sure] of STYLES) {
      const format = writer(locale, style);
      fc.assert(
        fc.property(days, fc.boolean(), fc.boolean(), ({ checkin, checkout }, known, exact) => {
          const context = { ...(known ? inLanguage(locale) : OPEN), exact };
          const [from, to] = [format.format(utc(checkin)), format.format(utc(checkout))];
          const what = `${name}: ${from}, ${to}`;
          const pair = judge(stay(from, to, context), { checkin, checkout }, what);
          judge(stay(from, null, context), { checkin, checkout: null }, what);
          // Ranges of days without a month do not occur in mails.
          if (name === 'weekday and day') return;
          judge(range(`${from} – ${to}`, context), { checkin, checkout }, what);
          if (!BESIDE_EACH_OTHER_UNCLEAR.test(`${locale} ${name}`)) {
            judge(range(`${from} ${to}`, context), { checkin, checkout }, what);
            judge(range(format.formatRange(utc(checkin), utc(checkout)), context), { checkin, checkout }, what);
          }
          if (sure && known && (exact || style.year || style.dateStyle)) expect(`${what} ${pair}`).toBe(`${what} true`);
        }),
        { numRuns: RUNS },
      );
    }
  });

  it.each(FOREIGN_LOCALES)('of the unsupported locale %s is never misread', (locale) => {
    for (const [name, style] of STYLES) {
      for (const calendar of ['', '-u-ca-gregory']) {
        const format = new Intl.DateTimeFormat(`${locale}${calendar}`, { ...style, timeZone: 'UTC' });
        fc.assert(
          fc.property(days, ({ checkin, checkout }) => {
            const [from, to] = [format.format(utc(checkin)), format.format(utc(checkout))];
            judge(stay(from, to), { checkin, checkout }, `${name}: ${from}, ${to}`);
          }),
          { numRuns: RUNS },
        );
      }
    }
  });
});

/**
 * Date formats of channels, with the text that follows on the line. The fields of `part` (`d`,
 * `m3`, `w3`, …) are parts of the date.
 */
const PLATFORM_STYLES: readonly (readonly [locale: string, write: (part: Parts) => string])[] = [
  ['en-US', ({ w3, m3, d }) => `${w3}, ${m3} ${d}`],
  ['en-US', ({ w3, m3, d }) => `${w3}, ${m3} ${d} at 4:00 PM`],
  ['en-US', ({ m3, d, y }) => `${m3} ${d}, ${y}`],
  ['en-GB', ({ w, d, m, y }) => `${w} ${d} ${m} ${y} (from 15:00)`],
  ['en-GB', ({ w3, d, m3 }) => `${w3} ${d} ${m3}`],
  [
    'en-GB',
    ({ w, d, m }) => `${w}, ${d}${['th', 'st', 'nd', 'rd'][d % 100 > 10 && d % 100 < 14 ? 0 : d % 10] ?? 'th'} of ${m}`,
  ],
  ['en-GB', ({ d, m3, y }) => `${String(d).padStart(2, '0')}-${m3}-${y}`],
  ['fr-FR', ({ w3, d, m3 }) => `${w3} ${d} ${m3}`],
  ['fr-FR', ({ w, d, m, y }) => `Le ${w} ${d === 1 ? '1er' : d} ${m} ${y} à partir de 16h00`],
  ['de-DE', ({ w3, d, m }) => `${w3}., ${d}. ${m}`],
  ['de-DE', ({ w3, d, n, y }) => `${w3} ${d}.${n}.${y}, ab 15:00 Uhr`],
  ['es-ES', ({ w3, d, m3 }) => `${w3}, ${d} ${m3}`],
  ['es-ES', ({ w, d, m, y }) => `${w}, ${d} de ${m} de ${y}, a las 15:00`],
  ['it-IT', ({ w3, d, m3 }) => `${w3} ${d} ${m3}`],
  ['it-IT', ({ w, d, m, y }) => `${w} ${d} ${m} ${y} dalle 15:00`],
  ['pt-BR', ({ w3, d, m3 }) => `${w3} ${d} de ${m3}`],
  ['nl-NL', ({ w3, d, m3 }) => `${w3} ${d} ${m3}.`],
  ['sv-SE', ({ w3, d, m3 }) => `${w3} ${d} ${m3}`],
  ['ro-RO', ({ w3, d, m3 }) => `${w3}, ${d} ${m3}`],
];
interface Parts {
  w: string;
  w3: string;
  d: number;
  m: string;
  m3: string;
  n: number;
  y: number;
}
function partsOf(locale: string, day: string): Parts {
  const part = (type: string, style: Intl.DateTimeFormatOptions) =>
    writer(locale, { day: 'numeric', ...style })
      .formatToParts(utc(day))
      .find((one) => one.type === type)!.value;
  return {
    w: part('weekday', { weekday: 'long', month: 'long' }),
    w3: part('weekday', { weekday: 'short', month: 'short' }),
    d: Number(day.slice(8)),
    m: part('month', { month: 'long' }),
    m3: part('month', { month: 'short' }),
    n: Number(day.slice(5, 7)),
    y: Number(day.slice(0, 4)),
  };
}

it.each(PLATFORM_STYLES.map(([locale, write]) => [write(partsOf(locale, '2026-06-12')), locale, write] as const))(
  'a channel’s “%s” is read, even when the language is unknown',
  (_example, locale, write) => {
    fc.assert(
      fc.property(days, fc.boolean(), ({ checkin, checkout }, known) => {
        const [from, to] = [write(partsOf(locale, checkin)), write(partsOf(locale, checkout))];
        const context = known ? inLanguage(locale) : OPEN;
        expect(judge(stay(from, to, context), { checkin, checkout }, `${from}, ${to}`)).toBe(true);
      }),
      { numRuns: 60 },
    );
  },
);
