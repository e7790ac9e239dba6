/** What a person types into the search of reservations, as words to look for. Pure. */

/** Separators of the index (migration reservation_search); white space besides. Both sides must split alike. */
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
