/** Ids by how they begin, as they are copied from a log or a mail. Pure. */
import { ID_PREFIXES } from '@/shared/id-kinds';

export const SEARCHED_KINDS = [
  'reservation',
  'signature',
  'property',
  'packet',
  'event',
  'request',
  'api_key',
  'webhook_endpoint',
  'sync_source',
  'mail',
] as const;
export type SearchedKind = (typeof SEARCHED_KINDS)[number];

/** Before and after the moment in an id: its row is stored a little later, and by another clock. */
const SLACK_MS = 120_000;
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 26;
/** The digits of an id that say when it was made. */
const TIME_DIGITS = 10;

export interface IdPrefix {
  kind: SearchedKind;
  /** As typed, in lower case. */
  prefix: string;
  /** It is a whole id. */
  whole: boolean;
  /** When such ids were created. */
  from: Date;
  to: Date;
}

const millis = (digits: string) => [...digits].reduce((sum, digit) => sum * 32 + DIGITS.indexOf(digit), 0);

/**
 * Parses the beginning of an id like `res_01jd`. Null when it is not one. Ids begin with the time,
 * and tables have an index on the time, so no index of their own is needed.
 */
export function readIdPrefix(text: string): IdPrefix | null {
  const prefix = text.trim().toLowerCase();
  const kind = SEARCHED_KINDS.find((each) => prefix.startsWith(ID_PREFIXES[each]));
  if (!kind) return null;
  const tail = prefix.slice(ID_PREFIXES[kind].length);
  if (tail.length === 0 || tail.length > LENGTH || [...tail].some((digit) => !DIGITS.includes(digit))) return null;
  const time = tail.slice(0, TIME_DIGITS);
  const from = millis(time.padEnd(TIME_DIGITS, '0'));
  const to = millis(time.padEnd(TIME_DIGITS, 'z'));
  // Within the range of dates.
  const date = (at: number) => new Date(Math.max(0, Math.min(at, Date.UTC(9999, 0))));
  return { kind, prefix, whole: tail.length === LENGTH, from: date(from - SLACK_MS), to: date(to + SLACK_MS) };
}
