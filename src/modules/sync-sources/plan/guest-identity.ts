/** Whether a known row and something read from a calendar or a mail can be the same guest: by name and by code. */

/** The name a calendar gives when it knows none: `Guest`, or `Guest` and the code. */
export function isPlaceholderName(name: string | null): boolean {
  return name === null || /^Guest(?: [A-Z0-9-]{5,})?$/.test(name);
}

/** The name a reservation gets when the calendar has none: `Guest`, with the code where there is one. */
export function guestNameOf(entry: { readonly guest_name: string | null; readonly reservation_code: string | null }) {
  return entry.guest_name ?? (entry.reservation_code ? `Guest ${entry.reservation_code}` : 'Guest');
}

/** Both are persons' names and share a word, whatever the accents, the case and the order. */
export function namesAgree(a: string | null, b: string | null): boolean {
  const theirs = words(b);
  return words(a).some((word) => theirs.includes(word));
}

/** Both are persons' names and share no word: another guest, whatever the days say. */
export function namesConflict(a: string | null, b: string | null): boolean {
  return words(a).length > 0 && words(b).length > 0 && !namesAgree(a, b);
}

/** Both are persons' names and have the same words, whatever the accents, the case and the order. */
export const isSameName = (a: string | null, b: string | null) => nameKey(a) !== '' && nameKey(a) === nameKey(b);

/** The same for names of the same words; empty for what is no person's. */
export const nameKey = (name: string | null): string => words(name).sort().join(' ');

/** The row's external id when it is a reservation code, and not made of a UID or of dates. */
export function codeOf(row: {
  readonly external_id: string | null;
  readonly external_uid: string | null;
}): string | null {
  const id = row.external_id;
  return id === null || id === row.external_uid || id.includes('/') ? null : id;
}

/** Both have a code and the codes differ. */
export function codesConflict(
  row: { readonly external_id: string | null; readonly external_uid: string | null },
  code: string | null,
): boolean {
  const known = codeOf(row);
  return known !== null && code !== null && known !== code;
}

function words(name: string | null): string[] {
  if (name === null || isPlaceholderName(name)) return [];
  const folded = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const parts = folded.split(/[^\p{L}]+/u).filter(Boolean);
  // A name of initials alone, or of one-letter syllables, still has to be compared with something.
  const long = parts.filter((word) => word.length > 1);
  return long.length > 0 ? long : parts;
}
