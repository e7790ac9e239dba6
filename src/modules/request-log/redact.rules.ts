/**
 * What the request log keeps of a query and a body: the words, days, numbers and ids that an operation is asked by, and the
 * host's own rules and fees. Everything else is left out, whatever it is called: guests, addresses, door codes, secrets, and
 * what a partner has sent by mistake. A name that is not known here is one whose value is not kept. Pure.
 */

/** Up to so many characters are kept; what follows is left out, and the rest is JSON all the same. */
export const MOST_KEPT = 8_192;
const LONGEST_TEXT = 200;
/** The last text may be of control characters alone, six letters each, and thirty things around it say that they were cut. */
const LONGEST_END = 6 * LONGEST_TEXT + 500;
const MOST_PARAMETERS = 30;

export const LEFT_OUT = '[redacted]';
export const CUT = '[cut]';

const day = (text: string) => /^\d{4}-\d{2}-\d{2}[\dT:.Z+-]{0,20}$/.test(text);
const id = (text: string) => /^[a-z]{2,6}_[\w-]{8,64}$/.test(text);
const word = (text: string) => /^[\w/+#.*-]{1,64}$/.test(text);
const origin = (text: string) => /^https?:\/\/[\w.-]{1,253}(?::\d{1,5})?$/.test(text);

type Kept = (text: string) => boolean;

/** Fields whose values are kept where they look like what belongs there; a test compares them with every operation's. */
const FIELDS: Readonly<Record<string, Kept>> = {
  'checkin_date.gte': day,
  'checkin_date.lte': day,
  'created_at.gte': day,
  'created_at.lte': day,
  auto_send_offset_hours: word,
  brand_color: word,
  checkin_date: day,
  checkout_date: day,
  copy_from: id,
  currency: word,
  embed_origins: origin,
  ending_before: id,
  events: word,
  force: word,
  frozen_time: day,
  limit: word,
  locale: word,
  packet_id: id,
  property: id,
  property_id: id,
  required_acceptances: word,
  reservation: id,
  source: word,
  starting_after: id,
  status: word,
  subdomain: word,
  test_clock_id: id,
  timezone: word,
  type: word,
};

const text = () => true;

/** What a host wrote for every guest to read. */
const ITEM_FIELDS: Readonly<Record<string, Kept>> = {
  amount_cents: word,
  category: text,
  description: text,
  id,
  label: text,
  text,
  type: word,
  unit: word,
};
const ITEMS: ReadonlySet<string> = new Set(['rules', 'fees']);

/** When arrival details are released: these words say nothing of anybody. */
const RELEASES: ReadonlySet<string> = new Set(['before_signing', 'after_signing', 'manual']);

export const KEPT_FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(FIELDS),
  ...Object.keys(ITEM_FIELDS),
  ...ITEMS,
]);

/** A body as it is kept: JSON, without what must not be kept, and no longer than that. */
export function redactBody(body: Record<string, unknown>): string {
  return JSON.stringify(object(body, FIELDS, { left: MOST_KEPT - LONGEST_END }));
}

/** A query as it is kept, without its question mark; null when there was none. */
export function redactQuery(url: string): string | null {
  const at = url.indexOf('?');
  if (at === -1) return null;
  const kept = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(url.slice(at, at + 4_000))) {
    if (kept.size >= MOST_PARAMETERS) break;
    kept.append(nameOf(name), keeps(FIELDS, name, value) ? value : LEFT_OUT);
  }
  return kept.toString() || null;
}

interface Budget {
  left: number;
}

function object(value: object, fields: Readonly<Record<string, Kept>>, budget: Budget): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    if (budget.left <= 0) {
      kept[CUT] = true;
      break;
    }
    const shown = nameOf(name);
    budget.left -= shown.length + 4;
    kept[shown] = redact(item, name, fields, budget);
  }
  return kept;
}

function redact(value: unknown, name: string, fields: Readonly<Record<string, Kept>>, budget: Budget): unknown {
  budget.left -= 6;
  if (value === null || typeof value === 'boolean') return value;
  if (Array.isArray(value)) {
    const kept: unknown[] = [];
    for (const item of value) {
      if (budget.left <= 0) {
        kept.push(CUT);
        break;
      }
      kept.push(redact(item, name, fields, budget));
    }
    return kept;
  }
  // What lies inside of something is called by its own names; of what is not known, by none.
  if (typeof value === 'object') return object(value, ITEMS.has(name) ? ITEM_FIELDS : {}, budget);
  const said = String(value);
  if (!keeps(fields, name, said)) {
    budget.left -= LEFT_OUT.length;
    return LEFT_OUT;
  }
  const short = said.length > LONGEST_TEXT ? `${said.slice(0, LONGEST_TEXT).toWellFormed()}…` : said;
  budget.left -= JSON.stringify(short).length;
  return typeof value === 'number' ? value : short;
}

const keeps = (fields: Readonly<Record<string, Kept>>, name: string, value: string): boolean =>
  RELEASES.has(value) || (Object.hasOwn(fields, name) && (fields[name]?.(value) ?? false));

/** A name can be anything too: an address, by mistake. */
const nameOf = (name: string) => (/^[a-zA-Z][\w.-]{0,59}$/.test(name) ? name : LEFT_OUT);

const ID = /(?:^|\/)([a-z]{2,6}_[\w-]{8,64})(?=\/|$)/;
const ANSWERED_ID = /^\{"id":"([a-z]{2,6}_[\w-]{8,64})"/;

/** What a request was about: the first id of its path, else what its answer made. */
export function objectOf(path: string, answer: { status: number; body: string }): string | null {
  const named = ID.exec(path.slice(0, 300))?.[1];
  if (named) return named;
  return answer.status < 300 ? (ANSWERED_ID.exec(answer.body.slice(0, 100))?.[1] ?? null) : null;
}
