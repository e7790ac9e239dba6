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
  pattern: RegExp;
  /** How much of it is words: the one that says most is looked at first. */
  said: number;
}

const PLACE = /\{(\w+)\}/;

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const templateOf = ([key, english]: [string, string]): Template => {
  // Words and names of places take turns.
  const parts = english.split(PLACE).map((part, index) => (index % 2 ? `(?<${part}>.+?)` : literal(part)));
  return {
    key: key as Key,
    pattern: new RegExp(`^${parts.join('')}$`, 's'),
    said: english.replaceAll(/\{\w+\}/g, '').length,
  };
};

const TEMPLATES = Object.entries(en.refusals)
  .map(templateOf)
  .sort((a, b) => b.said - a.said);

/** Which of the messages a sentence is, and what stands in its places; null for one that is not among them. */
export function findRefusal(sentence: string): { key: Key; values: Record<string, string> } | null {
  for (const { key, pattern } of TEMPLATES) {
    const found = pattern.exec(sentence);
    if (found) return { key, values: { ...found.groups } };
  }
  return null;
}

/** A message with its places filled: those of refusals hold names and nothing to count. */
const fill = (message: string, values: Record<string, string>): string =>
  message.replaceAll(/\{(\w+)\}/g, (_place, name: string) => values[name] ?? '');

/** How the server's sentences are said in a language. */
export async function sayIn(locale: HostLocale): Promise<Say> {
  if (locale === 'en') return (sentence) => sentence;
  const { default: messages } = (await import(`./messages/${locale}.json`)) as { default: typeof en };
  const ui = (key: keyof (typeof en)['ui'], values: Record<string, string> = {}) => fill(messages.ui[key], values);
  const say: Say = (sentence) => {
    const found = findRefusal(sentence);
    if (!found) return knownWords(sentence, ui as WordsOf<'ui'>) ?? sentence;
    const { key, values } = found;
    // What stands in a place may be a sentence itself: `Line 3: No name.`
    const said = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, say(value)]));
    return fill(messages.refusals[key], said);
  };
  return say;
}
