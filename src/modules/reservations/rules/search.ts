/** What a person types into the search of reservations, as words to look for. Pure. */

/** Separators of the index; white space besides. Both sides must split alike. */
const SEPARATORS = /[@.,;:+_/()'"#\s-]+/u;
const MOST_WORDS = 8;
const LONGEST_WORD = 100;

/** The words of a search; an e-mail address is several. Empty when there is nothing to look for. */
export function searchWords(text: string): string[] {
  const words = text.split(SEPARATORS).filter(Boolean);
  return [...new Set(words)].slice(0, MOST_WORDS).map((word) => word.slice(0, LONGEST_WORD));
}

/**
 * The text of a tsquery: rows of the team in which each word begins some word. The database makes it lower case, as it
 * did with the index. A quoted lexeme is taken as it is, so nothing typed is an operator; quotes cannot occur in it.
 */
export function searchQuery(team_id: string, words: readonly string[]): string {
  return [`'#${team_id}'`, ...words.map((word) => `'${word.replaceAll('\\', '\\\\')}':*`)].join(' & ');
}

/** The same, with each word whole. */
export function exactQuery(team_id: string, words: readonly string[]): string {
  return [`'#${team_id}'`, ...words.map((word) => `'${word.replaceAll('\\', '\\\\')}'`)].join(' & ');
}

/**
 * SQL of the words of some text of a row, as an index of a migration has it: any other expression would read the whole
 * table. The team is a word too, so that one team's search does not walk through everybody's guests called Maria.
 */
export const indexedWords = (row: string, text: string): string =>
  `array_to_tsvector(array_remove(string_to_array(translate(lower(${text}), '@.,;:+_/()''"#-', '              '), ' ') || ('#' || ${row}.team_id), ''))`;

/** Of a reservation `r`: name, address and booking code. */
export const RESERVATION_WORDS = indexedWords(
  'r',
  "r.guest_name || ' ' || coalesce(r.guest_email, '') || ' ' || coalesce(left(r.external_id, 200), '')",
);

/** Of a signature `s`: who signed, and the address. */
export const SIGNER_WORDS = indexedWords('s', "s.signer_name || ' ' || coalesce(s.signer_email, '')");
