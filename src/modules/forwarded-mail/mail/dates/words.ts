/**
 * Months and weekdays in each language as mails write them: whole, declined, shortened. A word may
 * be a month in one language and a weekday or another month in another ("mar" is March and Tuesday,
 * "listopada" November and October). In date-words.json January and Sunday are first, and `hr` is
 * also Serbian, Bosnian and Slovenian. Languages whose dates are numbers and signs have no words
 * (mentions.ts).
 */
import DATE_WORDS from './date-words.json';

export type Language = keyof typeof DATE_WORDS;

export const LANGUAGES = Object.keys(DATE_WORDS) as Language[];

/** The meanings of a word in a language: a month from 1, a weekday from 0 (Sunday). */
export interface DateWord {
  readonly month?: number;
  readonly weekday?: number;
}

const words = new Map(LANGUAGES.map((language) => [language, wordsOf(DATE_WORDS[language])]));

/** Languages with the weekday after the date: "12 Haziran Cuma". */
export const WEEKDAY_LAST_LANGUAGES: readonly Language[] = ['tr', 'hu'];

/** Returns the words of a language, in lower case. */
export const getDateWords = (language: Language): ReadonlyMap<string, DateWord> => words.get(language)!;

/** Returns whether the word is a weekday in any language. */
export const isWeekdayInAnyLanguage = (word: string): boolean =>
  LANGUAGES.some((language) => getDateWords(language).get(word)?.weekday !== undefined);

const ALIASES: Readonly<Record<string, Language>> = { nb: 'no', nn: 'no', sr: 'hr', bs: 'hr', sl: 'hr' };

/** Returns the language of a tag like `fr-ca`, or null when it is not supported. */
export function getTagLanguage(tag: string | null): Language | null {
  const code = (tag ?? '').toLowerCase().split(/[-_]/)[0] ?? '';
  return LANGUAGES.find((language) => language === code) ?? ALIASES[code] ?? null;
}

function wordsOf({ months, weekdays }: { months: string; weekdays: string }): Map<string, DateWord> {
  const words = new Map<string, DateWord>();
  const add = (name: string, meaning: DateWord) => words.set(name, { ...meaning, ...words.get(name) });
  for (const [index, names] of months.split('|').entries())
    for (const name of names.split(' ')) add(name, { month: index + 1 });
  for (const [weekday, names] of weekdays.split('|').entries())
    for (const name of names.split(' ')) add(name, { weekday });
  // Many mails lack accents. A word that means something else without them keeps its own meaning.
  const exact = new Set(words.keys());
  for (const [word, meaning] of [...words]) {
    const plain = word.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ł', 'l').replaceAll('ø', 'o');
    if (!exact.has(plain)) add(plain, meaning);
  }
  return words;
}
