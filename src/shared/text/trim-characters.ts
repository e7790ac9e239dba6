/**
 * Taking characters off a text's ends. A pattern like `/\/+$/` looks for the end from every character it could begin
 * at, which takes time with the square of the length; these look at each character once.
 */

/** Without the characters at its end. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Without the characters at its beginning. */
export function trimStartOf(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}
