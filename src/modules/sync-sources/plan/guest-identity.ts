/**
 * Compares guests. Decides whether a reservation and an entry or a mail can belong to the same
 * guest.
 */

/**
 * Returns whether a name is a placeholder for an unknown name: `Guest`, or `Guest` and the code.
 */
export function isPlaceholderGuestName(name: string | null): boolean {
  return name === null || /^Guest(?: [A-Z0-9-]{5,})?$/.test(name);
}

/**
 * Returns the name of a new reservation: the entry's guest name, or `Guest` with the code, if any.
 */
export function getGuestNameForNewReservation(entry: {
  readonly guest_name: string | null;
  readonly reservation_code: string | null;
}) {
  return entry.guest_name ?? (entry.reservation_code ? `Guest ${entry.reservation_code}` : 'Guest');
}

/**
 * Returns whether both texts are names of persons and share a word, ignoring accents, case and
 * order.
 */
export function hasSharedGuestNameWord(a: string | null, b: string | null): boolean {
  const theirs = words(b);
  return words(a).some((word) => theirs.includes(word));
}

/**
 * Returns whether both texts are names of persons and share no word. The guests then differ even if
 * their dates are equal.
 */
export function hasConflictingGuestNames(a: string | null, b: string | null): boolean {
  return words(a).length > 0 && words(b).length > 0 && !hasSharedGuestNameWord(a, b);
}

/**
 * Returns whether both texts are names of persons with the same words, ignoring accents, case and
 * order.
 */
export const isSameGuestName = (a: string | null, b: string | null) =>
  getGuestNameComparisonKey(a) !== '' && getGuestNameComparisonKey(a) === getGuestNameComparisonKey(b);

/**
 * Returns a key that is equal for names with the same words, and empty for text that is not a
 * person's name.
 */
export const getGuestNameComparisonKey = (name: string | null): string => words(name).sort().join(' ');

/**
 * Returns the row's external id if it is a reservation code. Returns null if it is a UID or dates.
 */
export function getReservationCodeFromExternalId(row: {
  readonly external_id: string | null;
  readonly external_uid: string | null;
}): string | null {
  const id = row.external_id;
  return id === null || id === row.external_uid || id.includes('/') ? null : id;
}

/** Returns whether the row has a reservation code that differs from the given code. */
export function hasReservationCodeOtherThan(
  row: { readonly external_id: string | null; readonly external_uid: string | null },
  code: string | null,
): boolean {
  const known = getReservationCodeFromExternalId(row);
  return known !== null && code !== null && known !== code;
}

function words(name: string | null): string[] {
  if (name === null || isPlaceholderGuestName(name)) return [];
  const folded = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const parts = folded.split(/[^\p{L}]+/u).filter(Boolean);
  // Ignores one-letter words, unless the name has no other words.
  const long = parts.filter((word) => word.length > 1);
  return long.length > 0 ? long : parts;
}
