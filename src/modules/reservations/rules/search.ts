/** The words of a search for reservations. Pure. */

/** Separators of words. Searches must split like the index. */
const SEPARATORS = /[@.,;:+_/()'"#\s-]+/u;
const MOST_WORDS = 8;
const LONGEST_WORD = 100;

/**
 * Splits a search into words. An email address is several words. Returns an empty list without any
 * word.
 */
export function splitSearchWords(text: string): string[] {
  const words = text.split(SEPARATORS).filter(Boolean);
  return [...new Set(words)].slice(0, MOST_WORDS).map((word) => word.slice(0, LONGEST_WORD));
}

/**
 * Returns a tsquery for rows of the team with words that begin with each of these. The database
 * converts it to lower case, like the index. Lexemes are quoted, so that typed text contains no
 * operators. Quotes are separators.
 */
export function buildSearchQuery(team_id: string, words: readonly string[]): string {
  return [`'#${team_id}'`, ...words.map((word) => `'${word.replaceAll('\\', '\\\\')}':*`)].join(' & ');
}

/** Returns a tsquery like `buildSearchQuery` that matches whole words only. */
export function buildExactQuery(team_id: string, words: readonly string[]): string {
  return [`'#${team_id}'`, ...words.map((word) => `'${word.replaceAll('\\', '\\\\')}'`)].join(' & ');
}

/**
 * Returns SQL for the words of a row's text, equal to the expression of the index. Any other
 * expression would scan the table. The team's id is also a word, so that a search does not read
 * matching rows of other teams.
 */
export const buildIndexedWordsSql = (row: string, text: string): string =>
  `array_to_tsvector(array_remove(string_to_array(translate(lower(${text}), '@.,;:+_/()''"#-', '              '), ' ') || ('#' || ${row}.team_id), ''))`;

/** The searched columns of a reservation `r`: name, email address and booking code. */
export const RESERVATION_SEARCH_SQL = buildIndexedWordsSql(
  'r',
  "r.guest_name || ' ' || coalesce(r.guest_email, '') || ' ' || coalesce(left(r.external_id, 200), '')",
);

/** The searched columns of a signature `s`: the signer's name and address. */
export const SIGNER_SEARCH_SQL = buildIndexedWordsSql('s', "s.signer_name || ' ' || coalesce(s.signer_email, '')");
