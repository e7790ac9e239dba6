/**
 * Finds the dates in a text for one language, with every possible order of numbers. stay.ts then
 * chooses the reading that fits the stay's other date and the day of the mail.
 */
import {
  CJK_WEEKDAYS,
  DATE_FILLER_WORDS,
  DATE_RANGE_SEPARATORS,
  type DateTextToken,
  NON_DATE_TOKENS,
  ORDINAL_SUFFIXES,
} from './tokens';
import {
  type DateLanguage,
  type DateWordMeaning,
  getDateWordMeanings,
  isWeekdayInAnyLanguage,
  LANGUAGES_WITH_WEEKDAY_AFTER_DATE,
} from './words';

export type DateFieldOrder = 'dmy' | 'mdy' | 'ymd';

/** One possible meaning of a written date. */
export interface DateInterpretation {
  readonly year: number | null;
  readonly month: number;
  readonly date: number;
  /**
   * The order of day, month and year that this reading assumes. Null when only one order is
   * possible.
   */
  readonly order: DateFieldOrder | null;
}

export interface DateMention {
  readonly forms: readonly DateInterpretation[];
  /** The weekday, where 0 is Sunday. Null without a weekday. */
  readonly weekday: number | null;
  /**
   * A number that grows with the amount of text that was recognized as a part of this date. The
   * language with the highest weight is used.
   */
  readonly weight: number;
  /** The word that was read as a month. It may be a weekday in another language. */
  readonly month_word: string | null;
  /** Whether the month precedes the day. */
  readonly month_first: boolean;
  /** The index of the first token after the date. */
  readonly end: number;
}

const MOST_MENTIONS = 6;

/** Returns every date in the text, in the text's order. */
export function findDateMentions(tokens: readonly DateTextToken[], language: DateLanguage): DateMention[] {
  const reader = new Reader(
    tokens,
    getDateWordMeanings(language),
    LANGUAGES_WITH_WEEKDAY_AFTER_DATE.includes(language),
  );
  const found: DateMention[] = [];
  for (let at = 0; at < tokens.length && found.length < MOST_MENTIONS; ) {
    const mentions = reader.at(at);
    found.push(...mentions);
    at = mentions.at(-1)?.end ?? at + 1;
  }
  return found;
}

interface Core {
  readonly forms: readonly DateInterpretation[];
  readonly weight: number;
  readonly month_word?: string;
  readonly month_first?: boolean;
  readonly end: number;
}

class Reader {
  constructor(
    private readonly tokens: readonly DateTextToken[],
    private readonly words: ReadonlyMap<string, DateWordMeaning>,
    private readonly weekday_last: boolean,
  ) {}

  /** Reads the date that begins at this token. Returns two dates for a range within one month. */
  at(start: number): DateMention[] {
    if (this.isInsideNumbers(start)) return [];
    const weekday = this.weekdayAt(start);
    const from = weekday === null ? start : this.behindWeekday(start);
    const weight = weekday === null ? 0 : this.weightOf(start);
    const range = this.daysThenMonth(from) ?? this.monthThenDays(from);
    if (range) {
      const [first, second] = range;
      return [this.mention(first, weekday, weight), this.mention(second, second.weekday, 0)];
    }
    const core =
      this.yearFirst(from) ??
      this.numbers(from, weekday !== null) ??
      this.dayMonth(from) ??
      this.monthDay(from) ??
      this.cjk(from);
    return core ? [this.mention(core, weekday, weight)] : [];
  }

  private mention(core: Core, weekday: number | null, weight: number): DateMention {
    const behind = weekday === null ? this.weekdayBehind(core.end) : null;
    return {
      forms: core.forms,
      weekday: weekday ?? behind?.weekday ?? null,
      weight: core.weight + weight + (behind?.weight ?? 0),
      month_word: core.month_word ?? null,
      month_first: core.month_first ?? false,
      end: behind?.end ?? core.end,
    };
  }

  /**
   * Reads a weekday that follows its date: "12 Haziran 2026 Cuma", "2026/06/12 (金)". Ignores a
   * weekday that belongs to the next date.
   */
  private weekdayBehind(end: number): { weekday: number; weight: number; end: number } | null {
    let at = this.skip(end);
    if (this.text(at) === '(' || this.text(at) === '（') at += 1;
    const weekday = this.weekdayAt(at);
    if (weekday === null) return null;
    const next = this.behindWeekday(at);
    // A Chinese, Japanese or Korean weekday always belongs to the date before it.
    const eastern = /[\u3040-\u9fff\uac00-\ud7af]/.test(this.text(at));
    const begins = this.day(next) !== null || this.month(next) !== null;
    return begins && !eastern && !this.weekday_last ? null : { weekday, weight: this.weightOf(at), end: next };
  }

  /** Reads "12 June 2026", "12. Juni", "12 de junio de 2026", "12-Jun-26". */
  private dayMonth(at: number): Core | null {
    const date = this.day(at);
    if (date === null) return null;
    const month_at = this.joined(this.skip(this.ordinal(at + 1)));
    const month = this.month(month_at);
    if (month === null) return null;
    const core = this.withYear(month_at + 1, month, date, 1 + this.weightOf(month_at));
    return { ...core, month_word: this.text(month_at) };
  }

  /** Reads "June 12, 2026". */
  private monthDay(at: number): Core | null {
    const month = this.month(at);
    if (month === null) return null;
    if (this.text(this.text(at + 1) === '.' ? at + 2 : at + 1) === ',') return null;
    const day_at = this.joined(this.skip(at + 1));
    const date = this.day(day_at);
    if (date === null) return null;
    // In "mar 05/06", "mar 05-06" and "mar 22 set", "mar" may mean Tuesday, so no date is read.
    // "Jun 12-15" and "Jun 12 Jun 15" are ranges.
    const separators = isWeekdayInAnyLanguage(this.text(at)) ? '/.-' : '/.';
    if (separators.includes(this.text(day_at + 1) || ' ') && this.isInsideNumbers(day_at + 2)) return null;
    const behind = this.joined(this.skip(this.ordinal(day_at + 1)));
    if (this.month(behind) !== null && this.day(this.skip(behind + 1)) === null) return null;
    const core = this.withYear(this.ordinal(day_at + 1), month, date, 1 + this.weightOf(at));
    return { ...core, month_word: this.text(at), month_first: true };
  }

  /**
   * Reads the year after a month and a day. Reads a two-digit year too, but after a hyphen only in
   * forms like "12-Jun-26".
   */
  private withYear(behind: number, month: number, date: number, weight: number): Core {
    const plain = { year: null, month, date, order: null };
    const joined = this.joined(this.skip(behind));
    const year = this.year(joined);
    if (year !== null) return { forms: [{ ...plain, year }], weight: weight + 1, end: joined + 1 };
    const all_joined = this.text(behind) === '-' && this.text(behind - 2) === '-' && !this.token(joined)?.spaced;
    const at = all_joined ? joined : this.skip(behind);
    const next = this.skip(at + 1);
    const begins = this.month(next) !== null || this.day(next) !== null || this.weekdayAt(next) !== null;
    if (!this.isShortYear(at) || begins) return { forms: [plain], weight, end: behind };
    const short = 2000 + Number(this.text(at));
    return { forms: [{ ...plain, year: short }, plain], weight: weight + 1, end: at + 1 };
  }

  /** Reads "2026-06-12", "2026. június 12.", "2026년 6월 12일". */
  private yearFirst(at: number): Core | null {
    const year = this.year(at);
    if (year === null) return null;
    const separator = this.text(at + 1);
    if ('-/.'.includes(separator) && separator !== '' && this.text(at + 3) === separator) {
      const [month, date] = [this.small(at + 2, 12), this.small(at + 4, 31)];
      if (month !== null && date !== null)
        return { forms: [{ year, month, date, order: null }], weight: 3, end: at + 5 };
    }
    const month_at = this.joined(this.skip(at + 1));
    const month = this.month(month_at);
    if (month === null) return null;
    const day_at = this.joined(this.skip(month_at + 1));
    const date = this.day(day_at);
    if (date === null) return null;
    const forms = [{ year, month, date, order: null }];
    return { forms, weight: 2 + this.weightOf(month_at), end: this.ordinal(day_at + 1) };
  }

  /**
   * Reads "12/06/2026" and "12. 6. 2026". Reads numbers without a year only next to a weekday or
   * before a similar date.
   */
  private numbers(at: number, has_weekday: boolean): Core | null {
    const separator = this.text(at + 1);
    if (separator === '' || !'/-.'.includes(separator) || this.isTime(at)) return null;
    const [a, b] = [this.small(at, 99), this.small(at + 2, 31)];
    if (a === null || b === null) return null;
    const third = this.text(at + 3) === separator ? this.token(at + 4) : undefined;
    // "11.12. 29.1." is two dates, and "26. 6. 12." is one date.
    const alike = third?.spaced === this.token(at + 2)?.spaced || third?.text.length === 4;
    if (
      third?.kind === 'number' &&
      alike &&
      third.text.length !== 3 &&
      third.text.length <= 4 &&
      this.text(at + 5) !== ':'
    ) {
      const forms = formsOf(a, b, third.text, separator);
      return forms.length > 0 ? { forms, weight: 3, end: at + 5 } : null;
    }
    const end = this.text(at + 3) === '.' && separator === '.' ? at + 4 : at + 3;
    if (separator === '-' || !this.countsAsDate(at + 2)) return null;
    const before_another =
      DATE_RANGE_SEPARATORS.has(this.text(end)) &&
      this.text(end + 2) === separator &&
      this.text(end + 4) === separator &&
      this.token(end + 5)?.kind === 'number';
    if (!has_weekday && !before_another) return null;
    const forms = formsOf(a, b, null, separator);
    return forms.length > 0 ? { forms, weight: 2, end } : null;
  }

  /** Reads "6月12日(金)", "2026年6月12日金曜日", "2026년 6월 12일 금요일". */
  private cjk(start: number): Core | null {
    let at = start;
    let year: number | null = null;
    if (this.year(at) !== null && '年년'.includes(this.text(at + 1)) && this.text(at + 1) !== '') {
      year = this.year(at);
      at += 2;
    }
    const [month, date] = [this.small(at, 12), this.small(at + 2, 31)];
    const [moon, sun] = [this.text(at + 1), this.text(at + 3)];
    if (month === null || date === null || !/^[月월]$/.test(moon) || !/^[日일]/.test(sun)) return null;
    // "日" alone marks the day of the month and does not mean Sunday. A weekday may follow without a
    // space.
    const end = sun.length === 1 ? at + 4 : at + 3;
    return { forms: [{ year, month, date, order: null }], weight: year === null ? 2 : 3, end };
  }

  /** Reads "1. – 5. Juni 2026", "du 12 au 15 juin". */
  private daysThenMonth(at: number): [Core, Core & { weekday: number | null }] | null {
    const date = this.day(at);
    if (date === null) return null;
    const until = this.skipMarks(this.ordinal(at + 1));
    if (!DATE_RANGE_SEPARATORS.has(this.text(until))) return null;
    let next = this.skip(until + 1);
    const weekday = this.weekdayAt(next);
    if (weekday !== null) next = this.behindWeekday(next);
    const second = this.dayMonth(next) ?? this.dayFirst(next, weekday !== null);
    // Refuses "23-7 mar. 28-7", because each of its two dates has a month.
    if (!second?.forms.every((form) => date < form.date)) return null;
    const forms = second.forms.map((form) => ({ ...form, date }));
    return [{ forms, weight: 1, end: until }, this.withWeekday(second, weekday, next - 1)];
  }

  /** Reads "June 12 – 15, 2026". */
  private monthThenDays(at: number): [Core, Core & { weekday: number | null }] | null {
    const first = this.monthDay(at);
    if (!first || first.forms[0]?.year !== null) return null;
    const until = this.skipMarks(first.end);
    if (!DATE_RANGE_SEPARATORS.has(this.text(until))) return null;
    let next = this.skip(until + 1);
    const weekday = this.weekdayAt(next);
    if (weekday !== null) next = this.behindWeekday(next);
    const date = this.day(next);
    const form = first.forms[0];
    if (date === null || !form || date <= form.date || this.dayMonth(next)) return null;
    const behind = this.ordinal(next + 1);
    const year = this.year(this.skip(behind));
    // Refuses "Jun 12 - 14 nights", which is not a range.
    if (year === null && this.token(behind)?.kind === 'word' && this.weekdayAt(behind) === null) return null;
    const second = this.withYear(behind, form.month, date, 1);
    const forms = second.forms.map(({ year }) => ({ ...form, year }));
    return [{ ...first, forms }, this.withWeekday({ ...first, ...second }, weekday, next - 1)];
  }

  private withWeekday(core: Core, weekday: number | null, weekday_at: number): Core & { weekday: number | null } {
    return { ...core, weekday, weight: core.weight + (weekday === null ? 0 : this.weightOf(weekday_at)) };
  }

  /** Reads "01. – 14.05.2026", in which the first number of the date is the day. */
  private dayFirst(at: number, has_weekday: boolean): Core | null {
    const core = this.numbers(at, has_weekday);
    const forms = core?.forms.filter(({ order }) => order === 'dmy') ?? [];
    return core && forms.length > 0 ? { ...core, forms } : null;
  }

  private token(at: number): DateTextToken | undefined {
    return this.tokens[at];
  }
  private text(at: number): string {
    return this.tokens[at]?.text ?? '';
  }
  private month(at: number): number | null {
    return (this.token(at)?.kind === 'word' && this.words.get(this.text(at))?.month) || null;
  }
  /**
   * Returns the weekday that this token names. A two-letter word counts only before a number or a
   * punctuation mark.
   */
  private weekdayAt(at: number): number | null {
    if (this.token(at)?.kind !== 'word') return null;
    const text = this.text(at);
    const east = /^(?:[日月火水木金土](?:曜日?)?|(?:星期|周|週)[日天一二三四五六]|[일월화수목금토](?:요일)?)$/.exec(
      text,
    );
    if (east) return CJK_WEEKDAYS[text.replace(/^(?:星期|周|週)/, '')[0] ?? ''] ?? null;
    // "2026年6月12日金曜日" is split into numbers and words, of which "日金曜日" is one word.
    const glued = /^[日일](?:([月火水木金土日])曜日?|(?:星期|周|週)([日天一二三四五六]))$/.exec(text);
    if (glued) return CJK_WEEKDAYS[glued[1] ?? glued[2] ?? ''] ?? null;
    const weekday = this.words.get(text)?.weekday;
    if (weekday === undefined) return null;
    const next = this.token(at + 1);
    return text.length > 2 || !next || next.kind === 'number' || '.,)'.includes(next.text) ? weekday : null;
  }
  /** Returns the index after the weekday. "segunda-feira" has two words and a hyphen. */
  private behindWeekday(at: number): number {
    return this.skip(this.text(at + 2) === 'feira' ? at + 3 : at + 1);
  }
  private weightOf(at: number): number {
    return this.text(at).length > 2 || this.text(at + 1) === '.' ? 1 : 0;
  }
  private year(at: number): number | null {
    return this.token(at)?.kind === 'number' && /^(?:19|20|25)\d\d$/.test(this.text(at)) ? Number(this.text(at)) : null;
  }
  private isShortYear(at: number): boolean {
    const alone = !this.isInsideNumbers(at + 2);
    return alone && this.token(at)?.kind === 'number' && this.text(at).length === 2 && this.countsAsDate(at);
  }
  private small(at: number, most: number): number | null {
    const text = this.token(at)?.kind === 'number' ? this.text(at) : '';
    const value = text.length === 1 || text.length === 2 ? Number(text) : 0;
    return value >= 1 && value <= most ? value : null;
  }
  private isTime(at: number): boolean {
    return this.text(at - 1) === ':' || this.text(at + 1) === ':';
  }
  private isInsideNumbers(at: number): boolean {
    const before = this.text(at - 1);
    const joined = before !== '' && '/.-'.includes(before) && !this.token(at)?.spaced;
    return joined && this.token(at)?.kind === 'number' && this.token(at - 2)?.kind === 'number';
  }
  private countsAsDate(at: number): boolean {
    return !this.isTime(at) && !NON_DATE_TOKENS.has(this.text(at + 1));
  }
  private day(at: number): number | null {
    return this.countsAsDate(at) ? this.small(at, 31) : null;
  }
  private ordinal(at: number): number {
    return ORDINAL_SUFFIXES.has(this.text(at)) ? at + 1 : at;
  }
  private joined(at: number): number {
    return this.text(at) === '-' || this.text(at) === '/' ? at + 1 : at;
  }
  private skipMarks(at: number): number {
    return '.,'.includes(this.text(at)) && this.text(at) !== '' ? at + 1 : at;
  }
  /** Returns the index after punctuation and small words between the parts of a date. */
  private skip(start: number): number {
    let at = start;
    for (; at < start + 4; at += 1) {
      const text = this.text(at);
      const passed = text !== '' && (".,'’".includes(text) || DATE_FILLER_WORDS.has(text));
      if (!passed || this.month(at) !== null) break;
    }
    return at;
  }
}

/**
 * Returns the possible readings of two or three numbers as a date. `third` may be a year of two or
 * four digits.
 */
function formsOf(a: number, b: number, third: string | null, separator: string): DateInterpretation[] {
  const year = third === null ? null : third.length === 4 ? Number(third) : 2000 + Number(third);
  const forms: DateInterpretation[] = [];
  if (third?.length !== 1) {
    forms.push({ year, month: b, date: a, order: 'dmy' });
    // A date with dots never begins with the month.
    if (separator !== '.') forms.push({ year, month: a, date: b, order: 'mdy' });
  }
  if (third && third.length <= 2) forms.push({ year: 2000 + a, month: b, date: Number(third), order: 'ymd' });
  return forms.filter(({ month, date }) => month >= 1 && month <= 12 && date >= 1 && date <= 31);
}
