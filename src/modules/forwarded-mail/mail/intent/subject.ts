/** Removes names and quotations from a subject, because the channel did not write them. Pure. */
import { foldCaseAndAccents, splitWords } from '@/shared/text/phrases';
import { removeQuotedText } from './guest-messages';
import {
  BOOKING_CANCELLATION_PHRASES,
  BOOKING_CHANGE_PHRASES,
  BOOKING_CONFIRMATION_PHRASES,
  BOOKING_NOUNS,
  NEW_BOOKING_PHRASES,
} from './phrases';

/** Returns the subject without names and quotations. */
export function removeNamesAndQuotedText(subject: string, names: readonly string[]): string {
  const plain = withoutNames(removeQuotedText(subject.normalize('NFC')), names);
  return withoutNameBehind(plain);
}

/** Phrases that channels use in subjects. */
const CHANNEL_PHRASES = [
  BOOKING_CANCELLATION_PHRASES,
  BOOKING_CHANGE_PHRASES,
  BOOKING_CONFIRMATION_PHRASES,
  NEW_BOOKING_PHRASES,
];
const MOST_NAMES = 12;
const LONGEST_NAME = 120;

/**
 * Removes names. If a full name does not occur, removes each of its words, except words that
 * channels use in their own subjects, such as a word for “cancelled”.
 */
function withoutNames(subject: string, names: readonly string[]): string {
  let left = subject;
  for (const name of new Set(names.slice(0, MOST_NAMES).map((one) => one.trim().normalize('NFC')))) {
    if (!/\p{L}{2}/u.test(name) || name.length > LONGEST_NAME) continue;
    const without = cut(left, name);
    if (without !== left) left = without;
    else for (const word of name.split(/\s+/)) if (/\p{L}{2}/u.test(word) && !isPhrase(word)) left = cut(left, word);
  }
  return left;
}

/** Removes all occurrences of the words, ignoring case. Matches only whole words. */
function cut(text: string, words: string): string {
  const [lower, sought] = [text.toLowerCase(), words.toLowerCase()];
  // Some letters change their length in lower case. The positions would then differ, so nothing is
  // removed.
  if (lower.length !== text.length) return text;
  let out = '';
  let from = 0;
  for (let at = lower.indexOf(sought); at >= 0; at = lower.indexOf(sought, at + 1)) {
    const end = at + sought.length;
    if (at < from || isLetter(text[at - 1]) || isLetter(text[end])) continue;
    out += `${text.slice(from, at)} `;
    from = end;
  }
  return out + text.slice(from);
}

// In scripts without spaces, every position is a word boundary.
const isLetter = (char: string | undefined) =>
  char !== undefined &&
  /\p{L}/u.test(char) &&
  !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(char);

const isPhrase = (word: string) => CHANNEL_PHRASES.some((phrases) => phrases.knows(foldCaseAndAccents(word)));

const says = (text: string) => {
  const folded = foldCaseAndAccents(text);
  const words = splitWords(folded);
  return CHANNEL_PHRASES.some((phrases) => phrases.isIn(folded, words));
};

/**
 * Removes the part after the channel's phrase if it looks like a name (two to six capitalized
 * words), because the subject may be the only place with the guest's name.
 */
function withoutNameBehind(subject: string): string {
  const parts = subject.split(/(\s[-–—|]\s|[:：,!]\s?)/u);
  let after_phrase = false;
  return parts
    .map((part, index) => {
      if (index % 2 === 1) return part;
      if (after_phrase && isNameLike(part)) return ' ';
      after_phrase ||= says(part);
      return part;
    })
    .join('');
}

const PARTICLES = new Set(
  'de del della di da do dos das du des la le van von der den ten ter af av el al bin ben zu y e'.split(' '),
);

function isNameLike(part: string): boolean {
  const words = part.trim().split(/\s+/);
  if (words.length < 2 || words.length > 6) return false;
  const folded = foldCaseAndAccents(part);
  if (BOOKING_NOUNS.isIn(folded, splitWords(folded))) return false;
  return words.every((word) => PARTICLES.has(word) || /^\p{Lu}[\p{L}\p{M}.’'-]*$/u.test(word));
}
