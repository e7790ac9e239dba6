/**
 * What the server says is wrong, in a host's language: refusals, problems of an import, reasons in a list. The server
 * speaks English, as `/v1` does; `refusals` of messages/en.json has its sentences, with places for what differs, and a
 * sentence is found by them. One that is not there is said as it came. Only the server uses this: no page carries it.
 */
import type { HostLocale } from '@/shared/language/host-language';
import en from './messages/en.json';
import { knownWords } from './schema-words';
import type { WordsOf } from './words-of';

/** An English sentence of the server in the language of who reads it. */
export type Say = (sentence: string) => string;

type Key = keyof (typeof en)['refusals'];

interface Template {
  key: Key;
  /** What stands before, between and after its places. */
  words: string[];
  places: string[];
}

const templateOf = ([key, english]: [string, string]): Template => {
  const parts = english.split(/\{(\w+)\}/);
  return {
    key: key as Key,
    words: parts.filter((_part, index) => index % 2 === 0),
    places: parts.filter((_part, index) => index % 2 === 1),
  };
};

const said = ({ words }: Template) => words.join('').length;

const TEMPLATES = Object.entries(en.refusals)
  .map(templateOf)
  // The one that says most is looked at first.
  .sort((a, b) => said(b) - said(a));

/** What stands in the places of a sentence that has the template's words, each at least a character; null for any other. Linear: the sentence may hold a stranger's text. */
function valuesOf({ words, places }: Template, sentence: string): Record<string, string> | null {
  const [first = '', ...others] = words;
  if (!sentence.startsWith(first)) return null;
  const last = others.pop();
  if (last === undefined) return sentence === first ? {} : null;
  const values: string[] = [];
  let at = first.length;
  for (const next of others) {
    const found = sentence.indexOf(next, at + 1);
    if (found === -1) return null;
    values.push(sentence.slice(at, found));
    at = found + next.length;
  }
  if (!sentence.endsWith(last) || sentence.length - last.length <= at) return null;
  values.push(sentence.slice(at, sentence.length - last.length));
  return Object.fromEntries(places.map((name, index) => [name, values[index] ?? '']));
}

/** Which of the messages a sentence is, and what stands in its places; null for one that is not among them. */
export function findRefusal(sentence: string): { key: Key; values: Record<string, string> } | null {
  for (const template of TEMPLATES) {
    const values = valuesOf(template, sentence);
    if (values) return { key: template.key, values };
  }
  return null;
}

/** A message with its places filled: those of refusals hold names and nothing to count. */
const fill = (message: string, values: Record<string, string>): string =>
  message.replaceAll(/\{(\w+)\}/g, (_place, name: string) => values[name] ?? '');

/** Sentences within sentences; a stranger's text may look like any number of them. */
const DEEPEST = 6;

/** How the server's sentences are said in a language. */
export async function sayIn(locale: HostLocale): Promise<Say> {
  if (locale === 'en') return (sentence) => sentence;
  const { default: messages } = (await import(`./messages/${locale}.json`)) as { default: typeof en };
  const ui = (key: keyof (typeof en)['ui'], values: Record<string, string> = {}) => fill(messages.ui[key], values);
  const say = (sentence: string, within: number): string => {
    const found = findRefusal(sentence);
    if (!found) return knownWords(sentence, ui as WordsOf<'ui'>) ?? sentence;
    const { key, values } = found;
    // What stands in a place may be a sentence itself: `Line 3: No name.`
    const said =
      within < DEEPEST
        ? Object.fromEntries(Object.entries(values).map(([name, value]) => [name, say(value, within + 1)]))
        : values;
    return fill(messages.refusals[key], said);
  };
  return (sentence) => say(sentence, 0);
}
