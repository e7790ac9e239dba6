/**
 * Word lists that recognise the meaning of a text. A phrase has one or more words. `*` stands for
 * any ending of a word, and `…` for up to three words. Only whole words match, because names may
 * contain parts of the words. Case and accents are ignored. In languages written without spaces,
 * phrases match anywhere. Pure, in linear time.
 */

/** Normalises a text for comparison with phrases: lower case, without accents. */
export const foldCaseAndAccents = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('đ', 'd');

/** Returns the words of a folded text. In Catalan the middle dot is a letter. */
export const splitWords = (folded: string): string[] => folded.split(/[^\p{L}·]+/u).filter((word) => word !== '');

const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const MOST_BETWEEN = 3;

type Part = { readonly word: string; readonly open: boolean; readonly gap: boolean };

/** A list of phrases, compiled for searching texts. */
export class PhraseMatcher {
  /** Phrases by first word. `open` contains the phrases whose first word ends in `*`. */
  private readonly exact = new Map<string, Part[][]>();
  private readonly open: Part[][] = [];
  private readonly anywhere: string[] = [];

  constructor(lines: readonly string[]) {
    for (const phrase of lines.join('|').split('|')) {
      const folded = foldCaseAndAccents(phrase.trim());
      if (WITHOUT_SPACES.test(folded)) this.anywhere.push(folded);
      else this.add(partsOf(folded));
    }
    this.anywhere.sort((a, b) => b.length - a.length);
  }

  /**
   * Returns the words of a folded text that belong to no phrase. At each position the longest
   * phrase is removed.
   */
  without(folded: string): string {
    const words = splitWords(this.anywhere.reduce((text, phrase) => text.replaceAll(phrase, ' '), folded));
    const left: string[] = [];
    for (let at = 0; at < words.length; ) {
      const length = this.lengthAt(words, at);
      if (length === 0) left.push(words[at]!);
      at += Math.max(length, 1);
    }
    return left.join(' ');
  }

  /** Returns the length in words of the longest phrase without a gap that starts at a position. */
  private lengthAt(words: readonly string[], at: number): number {
    const here = [...(this.exact.get(words[at]!) ?? []), ...this.open].filter((parts) => followsAt(words, at, parts));
    return Math.max(0, ...here.map(({ length }) => length));
  }

  private add(parts: Part[]): void {
    const [first] = parts;
    if (!first) return;
    if (first.open) this.open.push(parts);
    else this.exact.set(first.word, [...(this.exact.get(first.word) ?? []), parts]);
  }

  /** Returns whether a folded word is part of any phrase in the list. */
  knows(word: string): boolean {
    const all = [...[...this.exact.values()].flat(), ...this.open];
    return all.some((parts) => parts.some((part) => isWord(word, part)));
  }

  /**
   * Returns whether a text contains a phrase. The text is given both folded and split into words.
   */
  isIn(folded: string, words: readonly string[]): boolean {
    return (
      words.some((word, at) =>
        [...(this.exact.get(word) ?? []), ...this.open].some((parts) => followsAt(words, at, parts)),
      ) || this.anywhere.some((phrase) => folded.includes(phrase))
    );
  }
}

function partsOf(folded: string): Part[] {
  const parts: Part[] = [];
  let gap = false;
  for (const piece of folded.split(' ')) {
    if (piece === '…' || piece === '...') gap = true;
    else if (piece !== '') {
      const open = piece.endsWith('*');
      for (const word of splitWords(open ? piece.slice(0, -1) : piece)) {
        parts.push({ word, open, gap });
        gap = false;
      }
    }
  }
  return parts;
}

const isWord = (word: string | undefined, part: Part) =>
  word !== undefined && (part.open ? word.startsWith(part.word) : word === part.word);

/**
 * Returns whether the words at a position match a phrase. A word after a gap (`…` in the phrase) is
 * matched at its first occurrence. No phrase needs backtracking.
 */
function followsAt(words: readonly string[], at: number, parts: readonly Part[]): boolean {
  let place = at;
  for (const [index, part] of parts.entries()) {
    if (index > 0) place += 1;
    const last = part.gap ? place + MOST_BETWEEN : place;
    while (place < last && !isWord(words[place], part)) place += 1;
    if (!isWord(words[place], part)) return false;
  }
  return true;
}
