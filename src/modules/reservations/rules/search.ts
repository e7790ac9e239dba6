/** Parses a search for reservations into words and builds its SQL. Pure. */

/** Separators of words. A search must split text exactly as the index does. */
const SEPARATORS = /[@.,;:+_/()'"#\s-]+/u;
const MOST_WORDS = 8;
const LONGEST_WORD = 100;

/**
 * Splits a search into words. An email address is several words. Returns an empty list if there is
 * no word.
 */
export function splitSearchWords(text: string): string[] {
  const words = text.split(SEPARATORS).filter(Boolean);
  return [...new Set(words)].slice(0, MOST_WORDS).map((word) => word.slice(0, LONGEST_WORD));
}

/**
 * Returns a tsquery that matches the team's rows in which each of the words is a prefix of some
 * word. Lexemes are quoted, so operators in the typed text have no effect. The words contain no
 * quotes, because quotes are separators.
 */
export function buildWordPrefixTsquery(team_id: string, words: readonly string[]): string {
  return [`'#${team_id}'`, ...words.map((word) => `'${word.replaceAll('\\', '\\\\')}':*`)].join(' & ');
}

/** Returns a tsquery like `buildWordPrefixTsquery` that matches whole words only. */
export function buildWholeWordTsquery(team_id: string, words: readonly string[]): string {
  return [`'#${team_id}'`, ...words.map((word) => `'${word.replaceAll('\\', '\\\\')}'`)].join(' & ');
}

/**
 * Returns SQL for the words of a row's text, equal to the expression of the index. Any other
 * expression would scan the table. The team's id is also a word, so a search does not read matching
 * rows of other teams.
 */
export const buildSearchIndexWordsSql = (row: string, text: string): string =>
  `array_to_tsvector(array_remove(string_to_array(translate(lower(${text}), '@.,;:+_/()''"#-', '              '), ' ') || ('#' || ${row}.team_id), ''))`;

/** The searched columns of a reservation `r`: name, email address and booking code. */
export const RESERVATION_SEARCH_SQL = buildSearchIndexWordsSql(
  'r',
  "r.guest_name || ' ' || coalesce(r.guest_email, '') || ' ' || coalesce(left(r.external_id, 200), '')",
);

/** The searched columns of a signature `s`: the signer's name and address. */
export const SIGNER_SEARCH_SQL = buildSearchIndexWordsSql('s', "s.signer_name || ' ' || coalesce(s.signer_email, '')");
