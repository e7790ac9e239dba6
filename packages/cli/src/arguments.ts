/**
 * Parses a command line: first words, then fields such as `name=text` or `name:=json`. Options may
 * appear anywhere.
 */
import { UsageError } from './usage.js';

export interface Arguments {
  readonly words: string[];
  readonly fields: Record<string, unknown>;
  readonly options: Record<string, string | true>;
}

/** Options without a value. */
const FLAGS = new Set(['json', 'help', 'live', 'version', 'all', 'paste']);
const VALUED = new Set(['api-root', 'forward-to', 'events', 'name', 'out', 'scopes']);
const FIELD = /^([a-z_][\w.]*)(:?=)(.*)$/s;

/** Parses the arguments. Throws UsageError. */
export function readArguments(given: readonly string[]): Arguments {
  const words: string[] = [];
  const fields: Record<string, unknown> = {};
  const options: Record<string, string | true> = {};
  const rest = [...given];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '-h') options.help = true;
    else if (word.startsWith('--')) {
      const [name = '', inline] = splitOnce(word.slice(2), '=');
      if (FLAGS.has(name) && inline === undefined) options[name] = true;
      else if (VALUED.has(name)) {
        const value = inline ?? rest.shift();
        if (value === undefined) throw new UsageError(`--${name} needs a value.`);
        options[name] = value;
      } else throw new UsageError(`There is no option ${word}.`);
    } else if (word.startsWith('-') && word.length > 1) throw new UsageError(`There is no option ${word}.`);
    else {
      const field = FIELD.exec(word);
      if (field)
        fields[field[1] as string] = field[2] === '=' ? field[3] : readJson(field[1] as string, field[3] ?? '');
      else words.push(word);
    }
  }
  return { words, fields, options };
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function readJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${name}:= needs JSON, like ${name}:=true. For text write ${name}=…`);
  }
}
