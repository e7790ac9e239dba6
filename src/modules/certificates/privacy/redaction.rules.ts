/** Redacts stored payloads. Pure. */
import { createHash } from 'node:crypto';

export const REDACTED_NAME = 'Redacted guest';
const REDACTED_TEXT = '[redacted]';

/** The guest to redact, and the texts that identify the guest anywhere (`getIdentifyingTexts`). */
export interface Redaction {
  readonly reservation_id: string;
  readonly traces: readonly string[];
  /** The hashes over redacted content, each with its replacement. */
  readonly hashes: ReadonlyMap<string, string>;
}

/**
 * Returns a function that replaces a hash of redacted content with one salted with the sealed file,
 * which is deleted. Anyone with a copy of the file can compute the new hash. Nobody else can find
 * the content by trying names, addresses and dates. Without a file (nothing was sealed) the salt is
 * random.
 */
export function createHashSalter(file: Uint8Array): (hash: string) => string {
  const key = createHash('sha256').update('redacted\0').update(file).digest();
  return (hash) => createHash('sha256').update(key).update(hash).digest('hex');
}

/** Fields with a guest's personal data, anywhere in a payload. */
const PERSONAL = new Set([
  'guest_name',
  'guest_email',
  'guest_phone_last4',
  'signer_name',
  'signer_email',
  'signed_ip',
  'ip',
  'user_agent',
  // Before and after a correction.
  'from',
  'to',
  'email',
  'sent_to',
  'email_code_sent_to',
  'guest_message',
  // A host's own text may name the guest.
  'arrival_release_override_reason',
  'override_reason',
  'reason',
]);

/** A partner's own values, which may name the guest. */
const REMOVED = new Set(['metadata']);

/** Reasons written by the product, not by a host. */
const OWN_REASONS = new Set(['api', 'host', 'feed_removed']);

/** Scripts without spaces between words, or with endings written onto a name. */
export const UNSPACED_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/**
 * Returns the texts that identify only this guest: addresses and full names. A single word, such as
 * `Guest` or `Ada`, occurs in too many other texts. It is searched for only if a person entered it.
 */
export function getIdentifyingTexts(known: readonly (string | null)[]): string[] {
  const texts = known.flatMap((text) => (text ? [text.trim()] : []));
  const distinct = new Map(texts.map((text) => [foldForMatching(text), text]));
  return [...distinct.values()].filter(
    (text) =>
      text !== REDACTED_NAME &&
      !text.endsWith('@guest.invalid') &&
      (UNSPACED_SCRIPTS.test(text) ? text.length >= 2 : text.length >= 5 && /[@.:\s]/.test(text)),
  );
}

/** The characters from the first to the last of a range. */
const range = (from: number, to = from): string =>
  String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, index) => from + index));

/** Characters that writers use for one another: apostrophes and hyphens. */
export const ALIKE_CHARACTERS: readonly [characters: string, as: string][] = [
  [`\u2018\u2019\u201b\u02bc\u2032\u0060`, "'"],
  [`\u2010\u2011\u2012\u2013\u2014\u2212`, '-'],
];

/** Soft hyphens, joiners and marks of direction, and the optional vowel signs of Arabic and Hebrew. */
export const INVISIBLE_CHARACTERS: string = [
  ...[range(0xad), range(0x34f), range(0x61c), range(0x180e), range(0x200b, 0x200f), range(0x202a, 0x202e)],
  ...[range(0x2060, 0x2064), range(0x2066, 0x2069), range(0xfeff), range(0x640), range(0x64b, 0x65f), range(0x670)],
  ...[range(0x591, 0x5bd), range(0x5bf), range(0x5c1, 0x5c2), range(0x5c4, 0x5c5), range(0x5c7)],
].join('');

const AS = new Map(
  ALIKE_CHARACTERS.flatMap(([characters, as]) => [...characters].map((one): [string, string] => [one, as])),
);
const ODD = new RegExp(`[${[...AS.keys()].join('')}${INVISIBLE_CHARACTERS}]`, 'gu');

/**
 * Removes differences of case, of spaces and of what readers do not see: `ΝΙΚΟΣ` equals `Νικος`,
 * `ß` equals `SS`, and `O’Brien` equals `O'Brien`.
 */
export const foldForMatching = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll('İ', 'i')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(ODD, (one) => AS.get(one) ?? '')
    .replace(/\s+/g, ' ');

/**
 * Returns a function that returns whether a text mentions one of these as a whole word.
 * `columnMentions` in matching.ts is the same rule in SQL.
 */
export function createMentionTest(texts: readonly string[]): (text: string) => boolean {
  const words = texts.map(foldForMatching);
  return (text) => {
    const folded = foldForMatching(text);
    return words.some((word) => mentionsWord(folded, word));
  };
}

/** With marks, which are vowels in the scripts of India. */
const LETTER = /[\p{L}\p{N}\p{M}]/u;

function mentionsWord(text: string, word: string): boolean {
  if (word === '') return false;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    // A letter outside the first plane is two units long.
    const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
    const after = [...text.slice(at + word.length, at + word.length + 4)];
    if (isWholeWord(before, word, after)) return true;
  }
  return false;
}

function isWholeWord(before: string, word: string, [next = '', second = '']: readonly string[]): boolean {
  if (/[@:]/.test(word))
    return (
      !LETTER.test(before) &&
      !/[._%+-]/.test(before) &&
      !LETTER.test(next) &&
      !(/[.-]/.test(next) && LETTER.test(second))
    );
  const [first = '', last = ''] = [[...word][0], [...word].at(-1)];
  const begins = UNSPACED_SCRIPTS.test(first) || !LETTER.test(before);
  const ends = UNSPACED_SCRIPTS.test(last) || !LETTER.test(next) || (next === 's' && !LETTER.test(second));
  return begins && ends;
}

/** Fields that name the guest in stored payloads. */
const NAMING = new Set(['guest_name', 'guest_email', 'signer_name', 'signer_email']);

/**
 * Returns every text that names the guest in a stored payload, including values before a
 * correction.
 */
export function findGuestNames(value: unknown, naming = false): string[] {
  if (typeof value === 'string') return naming ? [value] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([field, item]) => findGuestNames(item, naming || NAMING.has(field)));
}

function replacement(field: string, value: string, { reservation_id }: Redaction): string | null {
  if (field === 'guest_name') return REDACTED_NAME;
  // The API never shows a reservation without an address. It shows this placeholder for an unknown
  // one.
  if (field === 'guest_email') return `unknown+${reservation_id}@guest.invalid`;
  if (field === 'reason' && OWN_REASONS.has(value)) return value;
  return null;
}

/**
 * Returns the value with replacements for every personal field, every text that mentions a trace,
 * and every hash of redacted content. Ids and times do not change.
 */
export function redactValue(value: unknown, redaction: Redaction): unknown {
  const isTrace = createMentionTest(redaction.traces);
  const redact = (item: unknown): unknown => {
    if (typeof item === 'string') return redaction.hashes.get(item) ?? (isTrace(item) ? REDACTED_TEXT : item);
    if (Array.isArray(item)) return item.map(redact);
    if (item === null || typeof item !== 'object') return item;
    return Object.fromEntries(Object.entries(item).map(([field, each]) => [field, redactField(field, each)]));
  };
  const redactField = (field: string, item: unknown): unknown => {
    if (REMOVED.has(field)) return {};
    return PERSONAL.has(field) && typeof item === 'string' ? replacement(field, item, redaction) : redact(item);
  };
  return redact(value);
}

/** Redacts stored JSON text. Text that is not JSON was not written by us and is dropped. */
export function redactText(text: string, redaction: Redaction): string {
  try {
    return JSON.stringify(redactValue(JSON.parse(text), redaction));
  } catch {
    return '';
  }
}
