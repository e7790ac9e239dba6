/** A name as it may stand in a mail to somebody who does not know the sender: nothing in it can become a link or a message. */

const LONGEST = 80;

/**
 * At most 80 letters, digits, spaces and `' ’ - & ,`. Dots, slashes, `@` and the like become spaces, so that no mail program
 * makes a link of it; line ends, control and direction characters go too.
 */
export function plainName(text: string, otherwise: string): string {
  const words = text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N}'’&,-]+/gu, ' ')
    .trim();
  return Array.from(words).slice(0, LONGEST).join('').trim() || otherwise;
}
