/**
 * Redacts queries and bodies for the request log. Keeps words, days, numbers and ids in known
 * fields, and the texts of rules and fees. Drops all other values, whatever their name: guests'
 * data, addresses, door codes, secrets, and data sent by mistake. Pure.
 */

/**
 * The maximum length of a stored query or body. The rest is dropped, and the result remains valid
 * JSON.
 */
export const MAX_LOGGED_BODY_CHARACTERS = 8_192;
const MAX_TEXT = 200;
/**
 * The number of characters that are reserved for the last text, which grows when it is escaped, and
 * for up to thirty redaction markers.
 */
const MAX_END = 6 * MAX_TEXT + 500;
const MAX_PARAMETERS = 30;

export const REDACTED_VALUE = '[redacted]';
export const TRUNCATED_VALUE_TEXT = '[cut]';

const day = (text: string) => /^\d{4}-\d{2}-\d{2}[\dT:.Z+-]{0,20}$/.test(text);
const id = (text: string) => /^[a-z]{2,6}_[\w-]{8,64}$/.test(text);
const word = (text: string) => /^[\w/+#.*-]{1,64}$/.test(text);
const origin = (text: string) => /^https?:\/\/[\w.-]{1,253}(?::\d{1,5})?$/.test(text);

type Matcher = (text: string) => boolean;

/**
 * Known fields, with the form that a value must have to be stored. A test compares them with the
 * API's operations.
 */
const FIELDS: Readonly<Record<string, Matcher>> = {
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

/** Fields of a rule or fee. Their texts may be stored, because a host wrote them for all guests. */
const ITEM_FIELDS: Readonly<Record<string, Matcher>> = {
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

/** The times at which arrival details can be released. They contain no personal data. */
const RELEASES: ReadonlySet<string> = new Set(['before_signing', 'after_signing', 'manual']);

export const UNREDACTED_FIELD_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(FIELDS),
  ...Object.keys(ITEM_FIELDS),
  ...ITEMS,
]);

/** Returns the JSON to store for a body: redacted and shortened. */
export function redactHttpBody(body: Record<string, unknown>): string {
  return JSON.stringify(object(body, FIELDS, { left: MAX_LOGGED_BODY_CHARACTERS - MAX_END }));
}

/**
 * Returns the query to store for a URL: redacted, and without its question mark. Null without a
 * query.
 */
export function redactUrlQuery(url: string): string | null {
  const at = url.indexOf('?');
  if (at === -1) return null;
  const kept = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(url.slice(at, at + 4_000))) {
    if (kept.size >= MAX_PARAMETERS) break;
    kept.append(nameOf(name), mayStore(FIELDS, name, value) ? value : REDACTED_VALUE);
  }
  return kept.toString() || null;
}

interface Budget {
  left: number;
}

function object(value: object, fields: Readonly<Record<string, Matcher>>, budget: Budget): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    if (budget.left <= 0) {
      kept[TRUNCATED_VALUE_TEXT] = true;
      break;
    }
    const shown = nameOf(name);
    budget.left -= shown.length + 4;
    kept[shown] = redact(item, name, fields, budget);
  }
  return kept;
}

function redact(value: unknown, name: string, fields: Readonly<Record<string, Matcher>>, budget: Budget): unknown {
  budget.left -= 6;
  if (value === null || typeof value === 'boolean') return value;
  if (Array.isArray(value)) {
    const kept: unknown[] = [];
    for (const item of value) {
      if (budget.left <= 0) {
        kept.push(TRUNCATED_VALUE_TEXT);
        break;
      }
      kept.push(redact(item, name, fields, budget));
    }
    return kept;
  }
  // Objects in `rules` and `fees` keep their known fields. Other nested objects keep none of their
  // values.
  if (typeof value === 'object') return object(value, ITEMS.has(name) ? ITEM_FIELDS : {}, budget);
  const text_value = String(value);
  if (!mayStore(fields, name, text_value)) {
    budget.left -= REDACTED_VALUE.length;
    return REDACTED_VALUE;
  }
  const short = text_value.length > MAX_TEXT ? `${text_value.slice(0, MAX_TEXT).toWellFormed()}…` : text_value;
  budget.left -= JSON.stringify(short).length;
  return typeof value === 'number' ? value : short;
}

const mayStore = (fields: Readonly<Record<string, Matcher>>, name: string, value: string): boolean =>
  RELEASES.has(value) || (Object.hasOwn(fields, name) && (fields[name]?.(value) ?? false));

/**
 * Returns a field's name. Redacts a name that may be personal data sent by mistake, such as an
 * e-mail address.
 */
const nameOf = (name: string) => (/^[a-zA-Z][\w.-]{0,59}$/.test(name) ? name : REDACTED_VALUE);

const ID = /(?:^|\/)([a-z]{2,6}_[\w-]{8,64})(?=\/|$)/;
const ANSWERED_ID = /^\{"id":"([a-z]{2,6}_[\w-]{8,64})"/;

/**
 * Returns the id of the object that a request is about: the first id in its path, or else the id of
 * the created object.
 */
export function findRequestedObjectId(path: string, answer: { status: number; body: string }): string | null {
  const named = ID.exec(path.slice(0, 300))?.[1];
  if (named) return named;
  return answer.status < 300 ? (ANSWERED_ID.exec(answer.body.slice(0, 100))?.[1] ?? null) : null;
}
