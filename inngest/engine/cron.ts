/** Cron expressions: five fields, lists, ranges, steps, English names, and the SDK's `TZ=Area/City ` prefix (else UTC). */

export interface Cron {
  readonly source: string;
  readonly zone: string;
  readonly minute: ReadonlySet<number>;
  readonly hour: ReadonlySet<number>;
  readonly day: ReadonlySet<number>;
  readonly month: ReadonlySet<number>;
  readonly weekday: ReadonlySet<number>;
  /** As in every cron: when both days are restricted, either is enough. */
  readonly either_day: boolean;
}

const MINUTE_MS = 60_000;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Parses a cron expression. Throws an Error that says which field is wrong. */
export function parseCron(source: string): Cron {
  const parts = source.trim().split(/\s+/);
  let zone = 'UTC';
  if (parts[0]?.startsWith('TZ=')) zone = parts.shift()!.slice(3);
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    throw new Error(`unknown time zone in cron "${source}"`);
  }
  if (parts.length !== 5) throw new Error(`cron "${source}" must have five fields`);
  const [minute, hour, day, month, weekday] = parts as [string, string, string, string, string];
  const weekdays = parseField(source, 'weekday', weekday, 0, 7, WEEKDAYS, 0);
  if (weekdays.delete(7)) weekdays.add(0);
  return {
    source,
    zone,
    minute: parseField(source, 'minute', minute, 0, 59),
    hour: parseField(source, 'hour', hour, 0, 23),
    day: parseField(source, 'day', day, 1, 31),
    month: parseField(source, 'month', month, 1, 12, MONTHS, 1),
    weekday: weekdays,
    either_day: !day.startsWith('*') && !weekday.startsWith('*'),
  };
}

/** Whether the expression names the minute that begins at, or holds, the given moment. */
export function cronMatches(cron: Cron, moment: Date): boolean {
  const local = localFields(cron.zone, moment);
  if (!cron.minute.has(local.minute) || !cron.hour.has(local.hour) || !cron.month.has(local.month)) return false;
  const day = cron.day.has(local.day);
  const weekday = cron.weekday.has(local.weekday);
  return cron.either_day ? day || weekday : day && weekday;
}

/** The start of the minute that holds a moment. */
export function minuteOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / MINUTE_MS) * MINUTE_MS);
}

/**
 * The newest minute up to now and later than `after` that any of the expressions names; null when there is none within
 * the last 24 hours. A process that was away catches up with one tick, not with all it missed.
 */
export function latestDueMinute(crons: readonly Cron[], after: Date, now: Date): Date | null {
  const end = minuteOf(now).getTime();
  const floor = Math.max(after.getTime(), end - 24 * 60 * MINUTE_MS);
  for (let minute = end; minute > floor; minute -= MINUTE_MS) {
    const moment = new Date(minute);
    if (crons.some((cron) => cronMatches(cron, moment))) return moment;
  }
  return null;
}

interface LocalFields {
  minute: number;
  hour: number;
  day: number;
  month: number;
  weekday: number;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function localFields(zone: string, moment: Date): LocalFields {
  if (zone === 'UTC') {
    return {
      minute: moment.getUTCMinutes(),
      hour: moment.getUTCHours(),
      day: moment.getUTCDate(),
      month: moment.getUTCMonth() + 1,
      weekday: moment.getUTCDay(),
    };
  }
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      weekday: 'short',
    });
    formatters.set(zone, formatter);
  }
  const parts = Object.fromEntries(formatter.formatToParts(moment).map((part) => [part.type, part.value]));
  return {
    minute: Number(parts.minute),
    hour: Number(parts.hour),
    day: Number(parts.day),
    month: Number(parts.month),
    weekday: WEEKDAYS.indexOf(parts.weekday!.toLowerCase()),
  };
}

function parseField(
  source: string,
  field: string,
  text: string,
  min: number,
  max: number,
  names: readonly string[] = [],
  first = 0,
): Set<number> {
  const refuse = (): never => {
    throw new Error(`cron "${source}": unsupported ${field} "${text}"`);
  };
  const number = (value: string): number => {
    const named = names.indexOf(value.toLowerCase());
    if (named >= 0) return named + first;
    const parsed = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    return parsed >= min && parsed <= max ? parsed : refuse();
  };
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step, ...rest] = part.split('/');
    const every = step === undefined ? 1 : Number(step);
    if (rest.length > 0 || !Number.isInteger(every) || every < 1) refuse();
    const [from = '', to, ...more] = range.split('-');
    if (more.length > 0) refuse();
    const low = range === '*' ? min : number(from);
    // `5/10` means from 5 to the end, `5` alone means 5.
    const high = range === '*' ? max : to !== undefined ? number(to) : step !== undefined ? max : low;
    if (high < low) refuse();
    for (let value = low; value <= high; value += every) values.add(value);
  }
  return values;
}
