/** The words of a search for reservations. Pure. */

/** Separators of the index, and white space. Searches must split as the index does. */
const SEPARATORS = /[@.,;:+_/()'"#\s-]+/u;
const MOST_WORDS = 8;
const LONGEST_WORD = 100;

/** The words of a search. An e-mail address is several. Empty without any word. */
export function searchWords(text: string): string[] {
  const words = text.split(SEPARATORS).filter(Boolean);
  return [...new Set(words)].slice(0, MOST_WORDS).map((word) => word.slice(0, LONGEST_WORD));
}

/**
 * A tsquery for rows of the team with words that begin with each of these. The database converts it
 * to lower case, as in the index. Lexemes are quoted, so nothing typed is an operator, and quotes
 * are separators.
 */
export function searchQuery(team_id: string, words: readonly string[]): string {
  return [`'#${team_id}'`, ...words.map((word) => `'${word.replaceAll('\\', '\\\\')}':*`)].join(' & ');
}

/** The same, with each word whole. */
export function exactQuery(team_id: string, words: readonly string[]): string {
  return [`'#${team_id}'`, ...words.map((word) => `'${word.replaceAll('\\', '\\\\')}'`)].join(' & ');
}

/**
 * SQL for the words of a row's text, equal to the expression of the index: any other would scan the
 * table. The team is a word too, so that a search does not read other teams' guests called Maria.
 */
export const indexedWords = (row: string, text: string): string =>
  `array_to_tsvector(array_remove(string_to_array(translate(lower(${text}), '@.,;:+_/()''"#-', '              '), ' ') || ('#' || ${row}.team_id), ''))`;

/** The searched columns of a reservation `r`: name, email address and booking code. */
export const RESERVATION_WORDS = indexedWords(
  'r',
  "r.guest_name || ' ' || coalesce(r.guest_email, '') || ' ' || coalesce(left(r.external_id, 200), '')",
);

/** The searched columns of a signature `s`: the signer's name and address. */
export const SIGNER_WORDS = indexedWords('s', "s.signer_name || ' ' || coalesce(s.signer_email, '')");
