/**
 * Removes characters from the ends of a text. A pattern like `/\/+$/` searches from every possible
 * start, which takes quadratic time. These functions read each character once.
 */

/** Returns the text without these characters at its end. */
export function trimCharactersFromEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Returns the text without these characters at its start. */
export function trimCharactersFromStart(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}
