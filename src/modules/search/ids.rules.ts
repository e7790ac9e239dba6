/** Finds ids by their first characters, as copied from a log or a mail. Pure. */
import { ID_PREFIXES } from '@/shared/id-kinds';

export const SEARCHED_RESOURCE_KINDS = [
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
export type SearchedResourceKind = (typeof SEARCHED_RESOURCE_KINDS)[number];

/**
 * The tolerance around the creation time in an id. The row's own timestamp is a little later and
 * may come from another clock.
 */
const SLACK_MS = 120_000;
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 26;
/** The number of digits in an id that encode its creation time. */
const TIME_DIGITS = 10;

export interface IdPrefix {
  kind: SearchedResourceKind;
  /** The typed text, in lower case. */
  prefix: string;
  /** Whether the text is a whole id. */
  whole: boolean;
  /** The earliest creation time of ids with this prefix. */
  from: Date;
  to: Date;
}

const millis = (digits: string) => [...digits].reduce((sum, digit) => sum * 32 + DIGITS.indexOf(digit), 0);

/**
 * Parses the beginning of an id, such as `res_01jd`. Returns null for other text. Ids begin with
 * their creation time and tables have an index on that time, so no index on ids is needed.
 */
export function readIdPrefix(text: string): IdPrefix | null {
  const prefix = text.trim().toLowerCase();
  const kind = SEARCHED_RESOURCE_KINDS.find((each) => prefix.startsWith(ID_PREFIXES[each]));
  if (!kind) return null;
  const tail = prefix.slice(ID_PREFIXES[kind].length);
  if (tail.length === 0 || tail.length > LENGTH || [...tail].some((digit) => !DIGITS.includes(digit))) return null;
  const time = tail.slice(0, TIME_DIGITS);
  const from = millis(time.padEnd(TIME_DIGITS, '0'));
  const to = millis(time.padEnd(TIME_DIGITS, 'z'));
  // Clamps to the range of valid dates.
  const date = (at: number) => new Date(Math.max(0, Math.min(at, Date.UTC(9999, 0))));
  return { kind, prefix, whole: tail.length === LENGTH, from: date(from - SLACK_MS), to: date(to + SLACK_MS) };
}
