/**
 * Names of months and weekdays in each language, as mails write them: in full, inflected or
 * abbreviated. The same word may have different meanings: "mar" is March and Tuesday, "listopada"
 * is November and October. In date-words.json the lists begin with January and Sunday, and `hr`
 * also covers Serbian, Bosnian and Slovenian. Languages that write dates with numbers and signs
 * have no words here (mentions.ts).
 */
import DATE_WORDS from './date-words.json';

export type DateLanguage = keyof typeof DATE_WORDS;

export const DATE_LANGUAGES = Object.keys(DATE_WORDS) as DateLanguage[];

/** The meanings of a word in a language: a month (1 to 12), a weekday (0 to 6, from Sunday). */
export interface DateWordMeaning {
  readonly month?: number;
  readonly weekday?: number;
}

const words = new Map(DATE_LANGUAGES.map((language) => [language, wordsOf(DATE_WORDS[language])]));

/** Languages that write the weekday after the date: "12 Haziran Cuma". */
export const LANGUAGES_WITH_WEEKDAY_AFTER_DATE: readonly DateLanguage[] = ['tr', 'hu'];

/** Returns the date words of a language, in lower case. */
export const getDateWordMeanings = (language: DateLanguage): ReadonlyMap<string, DateWordMeaning> =>
  words.get(language)!;

/** Returns whether the word can be a weekday in any language. */
export const isWeekdayInAnyLanguage = (word: string): boolean =>
  DATE_LANGUAGES.some((language) => getDateWordMeanings(language).get(word)?.weekday !== undefined);

const ALIASES: Readonly<Record<string, DateLanguage>> = { nb: 'no', nn: 'no', sr: 'hr', bs: 'hr', sl: 'hr' };

/** Returns the supported language of a tag like `fr-ca`, or null. */
export function getDateLanguageFromTag(tag: string | null): DateLanguage | null {
  const code = (tag ?? '').toLowerCase().split(/[-_]/)[0] ?? '';
  return DATE_LANGUAGES.find((language) => language === code) ?? ALIASES[code] ?? null;
}

function wordsOf({ months, weekdays }: { months: string; weekdays: string }): Map<string, DateWordMeaning> {
  const words = new Map<string, DateWordMeaning>();
  const add = (name: string, meaning: DateWordMeaning) => words.set(name, { ...meaning, ...words.get(name) });
  for (const [index, names] of months.split('|').entries())
    for (const name of names.split(' ')) add(name, { month: index + 1 });
  for (const [weekday, names] of weekdays.split('|').entries())
    for (const name of names.split(' ')) add(name, { weekday });
  // Adds each word without accents too, because many mails omit them, unless that spelling is
  // another word.
  const exact = new Set(words.keys());
  for (const [word, meaning] of [...words]) {
    const plain = word.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ł', 'l').replaceAll('ø', 'o');
    if (!exact.has(plain)) add(plain, meaning);
  }
  return words;
}
