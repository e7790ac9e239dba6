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
  /** As it was typed, in lower case. */
  prefix: string;
  /** It is the id itself. */
  whole: boolean;
  /** When what begins like this was made. */
  from: Date;
  to: Date;
}

const millis = (digits: string) => [...digits].reduce((sum, digit) => sum * 32 + DIGITS.indexOf(digit), 0);

/**
 * What `res_01jd` stands for; null when it is no beginning of an id. Ids begin with the time, and their tables are
 * indexed by it: so a beginning is found without an index of its own.
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
  // No later than a date can be.
  const date = (at: number) => new Date(Math.max(0, Math.min(at, Date.UTC(9999, 0))));
  return { kind, prefix, whole: tail.length === LENGTH, from: date(from - SLACK_MS), to: date(to + SLACK_MS) };
}
