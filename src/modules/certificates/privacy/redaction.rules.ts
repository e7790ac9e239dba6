/** Redacts stored payloads. Pure. */
import { createHash } from 'node:crypto';

export const REDACTED_GUEST_NAME = 'Redacted guest';
const REDACTED_TEXT = '[redacted]';

/**
 * The guest to redact. `traces` are the texts that identify the guest (`getGuestIdentifyingTexts`).
 */
export interface GuestRedactionTarget {
  readonly reservation_id: string;
  readonly traces: readonly string[];
  /** The hashes of redacted content, each with its replacement. */
  readonly hashes: ReadonlyMap<string, string>;
}

/**
 * Returns a function that salts the hashes of redacted content with the sealed file. The redaction
 * deletes the file, so only someone with a copy of it can compute the salted hashes. From unsalted
 * hashes, anyone could find the content by trying names, addresses and dates. For an unsigned
 * reservation the caller passes random bytes.
 */
export function createHashSalterWithSealedFileAsSalt(file: Uint8Array): (hash: string) => string {
  const key = createHash('sha256').update('redacted\0').update(file).digest();
  return (hash) => createHash('sha256').update(key).update(hash).digest('hex');
}

/** Fields that contain a guest's personal data, at any depth of a payload. */
const PERSONAL = new Set([
  'guest_name',
  'guest_email',
  'guest_phone_last4',
  'signer_name',
  'signer_email',
  'signed_ip',
  'ip',
  'user_agent',
  // These fields contain values from before and after a correction.
  'from',
  'to',
  'email',
  'sent_to',
  'email_code_sent_to',
  'guest_message',
  // Free text by a host, which may mention the guest.
  'arrival_release_override_reason',
  'override_reason',
  'reason',
]);

/** Fields that are emptied. They contain a partner's own data, which may mention the guest. */
const REMOVED = new Set(['metadata']);

/** Standard values of `reason`. Other values are free text by a host. */
const OWN_REASONS = new Set(['api', 'host', 'feed_removed']);

/** Scripts that have no spaces between words, or that append endings to names. */
export const WRITING_SYSTEMS_WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/**
 * Returns the texts that identify only this guest: addresses and full names. Omits single words
 * such as `Guest` or `Ada`, which occur in too many other texts.
 */
export function getGuestIdentifyingTexts(known: readonly (string | null)[]): string[] {
  const texts = known.flatMap((text) => (text ? [text.trim()] : []));
  const distinct = new Map(texts.map((text) => [foldTextForMatching(text), text]));
  return [...distinct.values()].filter(
    (text) =>
      text !== REDACTED_GUEST_NAME &&
      !text.endsWith('@guest.invalid') &&
      (WRITING_SYSTEMS_WITHOUT_SPACES.test(text) ? text.length >= 2 : text.length >= 5 && /[@.:\s]/.test(text)),
  );
}

const range = (from: number, to = from): string =>
  String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, index) => from + index));

/** Variants of apostrophes and hyphens, and the character that replaces them. */
export const LOOKALIKE_CHARACTERS: readonly [characters: string, as: string][] = [
  [`\u2018\u2019\u201b\u02bc\u2032\u0060`, "'"],
  [`\u2010\u2011\u2012\u2013\u2014\u2212`, '-'],
];

/**
 * Invisible characters such as soft hyphens, joiners and direction marks, and the optional vowel
 * signs of Arabic and Hebrew.
 */
export const INVISIBLE_CHARACTERS: string = [
  ...[range(0xad), range(0x34f), range(0x61c), range(0x180e), range(0x200b, 0x200f), range(0x202a, 0x202e)],
  ...[range(0x2060, 0x2064), range(0x2066, 0x2069), range(0xfeff), range(0x640), range(0x64b, 0x65f), range(0x670)],
  ...[range(0x591, 0x5bd), range(0x5bf), range(0x5c1, 0x5c2), range(0x5c4, 0x5c5), range(0x5c7)],
].join('');

const AS = new Map(
  LOOKALIKE_CHARACTERS.flatMap(([characters, as]) => [...characters].map((one): [string, string] => [one, as])),
);
const ODD = new RegExp(`[${[...AS.keys()].join('')}${INVISIBLE_CHARACTERS}]`, 'gu');

/**
 * Normalizes case, spaces, invisible characters and variants: `ΝΙΚΟΣ` equals `Νικος`, `ß` equals
 * `SS`, and `O’Brien` equals `O'Brien`.
 */
export const foldTextForMatching = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll('İ', 'i')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(ODD, (one) => AS.get(one) ?? '')
    .replace(/\s+/g, ' ');

/**
 * Returns a predicate that checks whether a text mentions one of these texts as a whole word.
 * `buildColumnContainsTextSql` in matching.ts is the same rule in SQL.
 */
export function createGuestMentionMatcher(texts: readonly string[]): (text: string) => boolean {
  const words = texts.map(foldTextForMatching);
  return (text) => {
    const folded = foldTextForMatching(text);
    return words.some((word) => mentionsWord(folded, word));
  };
}

/** Matches a character of a word, including combining marks, which are vowels in Indic scripts. */
const LETTER = /[\p{L}\p{N}\p{M}]/u;

function mentionsWord(text: string, word: string): boolean {
  if (word === '') return false;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    // A character beyond U+FFFF is two code units long.
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
  const begins = WRITING_SYSTEMS_WITHOUT_SPACES.test(first) || !LETTER.test(before);
  const ends =
    WRITING_SYSTEMS_WITHOUT_SPACES.test(last) || !LETTER.test(next) || (next === 's' && !LETTER.test(second));
  return begins && ends;
}

/** Fields of stored payloads that contain the guest's name or address. */
const NAMING = new Set(['guest_name', 'guest_email', 'signer_name', 'signer_email']);

/**
 * Returns every name and address of the guest in a stored payload, including values before a
 * correction.
 */
export function findGuestNamesInPayload(value: unknown, naming = false): string[] {
  if (typeof value === 'string') return naming ? [value] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([field, item]) => findGuestNamesInPayload(item, naming || NAMING.has(field)));
}

function replacement(field: string, value: string, { reservation_id }: GuestRedactionTarget): string | null {
  if (field === 'guest_name') return REDACTED_GUEST_NAME;
  // Every reservation in the API has an address. This placeholder stands for an unknown address.
  if (field === 'guest_email') return `unknown+${reservation_id}@guest.invalid`;
  if (field === 'reason' && OWN_REASONS.has(value)) return value;
  return null;
}

/**
 * Returns a copy in which personal fields, texts that mention one of the `traces`, and hashes of
 * redacted content are replaced. Ids and times do not change.
 */
export function redactGuestDataInValue(value: unknown, redaction: GuestRedactionTarget): unknown {
  const isTrace = createGuestMentionMatcher(redaction.traces);
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

/** Redacts stored JSON text. Returns an empty string for text that is not JSON. */
export function redactGuestDataInJsonText(text: string, redaction: GuestRedactionTarget): string {
  try {
    return JSON.stringify(redactGuestDataInValue(JSON.parse(text), redaction));
  } catch {
    return '';
  }
}
