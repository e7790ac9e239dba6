/** Every language says everything, and leaves the same places for what differs. */
import { readdirSync, readFileSync } from 'node:fs';
import compile from 'icu-minify/compile';
import { describe, expect, it } from 'vitest';
import { AUDIT_ACTIONS, AUDIT_DETAIL_NAMES, detailName } from '@/modules/audit-log/actions';
import { HOST_LOCALES } from '@/shared/language/host-language';
import { loadMessages } from './load';

type Messages = Record<string, Record<string, string>>;

const DIR = 'src/dashboard/i18n/messages';
const read = (locale: string) => JSON.parse(readFileSync(`${DIR}/${locale}.json`, 'utf8')) as Messages;
const flat = (messages: Messages) =>
  Object.entries(messages).flatMap(([space, words]) =>
    Object.entries(words).map(([key, text]): [string, string] => [`${space}.${key}`, text]),
  );

/** Where the thing that is named would have to be declined, the sentence goes without it. */
const WITHOUT_ITS_NAME = ['ui.no_one_fits_these_filters'];

/** What a message is compiled to: texts, `#`, `[name]`, `[name, kind, options]`, and `[tag, ...children]`. */
type Part = string | 0 | [name: string, ...rest: unknown[]];

/** The arguments and tags of a message, each once: `count 2` where it counts, `<link>`. */
function placesOf(text: string): string[] {
  const places = new Set<string>();
  const visitAll = (parts: unknown) => Array.isArray(parts) && (parts as Part[]).forEach(visit);
  const visit = (part: Part): void => {
    if (!Array.isArray(part)) return;
    const [name, kind, options] = part;
    if (kind === undefined) places.add(name);
    else if (typeof kind === 'number' && kind > 0) {
      places.add(`${name} ${kind}`);
      if (options && typeof options === 'object') Object.values(options).forEach(visitAll);
    } else {
      places.add(`<${name}>`);
      visitAll(part.slice(1));
    }
  };
  visitAll(compile(text));
  return [...places].sort();
}

it('the places of a message are found in all its parts', () => {
  const text = '{n, plural, one {{who} has # <b>thing {x}</b>} other {{whose}}} of {y}';
  expect(placesOf(text)).toEqual(['<b>', 'n 2', 'who', 'whose', 'x', 'y']);
  expect(placesOf('nothing')).toEqual([]);
});

const english = new Map(flat(read('en')));

it('there is a file for each language, and for no other', () => {
  expect(readdirSync(DIR).sort()).toEqual(HOST_LOCALES.map((locale) => `${locale}.json`).sort());
});

describe.each(HOST_LOCALES)('%s', (locale) => {
  const own = new Map(flat(read(locale)));

  it('has every message, and no others', () => {
    expect([...own.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it('has no empty message, and none that cannot be compiled', () => {
    expect([...own].filter(([, text]) => text.trim() === '').map(([key]) => key)).toEqual([]);
    for (const text of own.values()) expect(() => compile(text)).not.toThrow();
  });

  it('leaves the same places as English', () => {
    const differs = [...own].filter(([key, text]) => {
      if (WITHOUT_ITS_NAME.includes(key)) return false;
      return placesOf(text).join() !== placesOf(english.get(key) ?? '').join();
    });
    expect(differs).toEqual([]);
  });

  it('knows one and many wherever it counts', () => {
    const plurals = [...own].filter(([, text]) => text.includes('plural,'));
    expect(plurals.length).toBeGreaterThan(10);
    expect(plurals.filter(([, text]) => !/(?:one|=0|=1) \{/.test(text) || !/other \{/.test(text))).toEqual([]);
  });
});

it('every action of the audit log has its words, in English those of the log', () => {
  const { settings } = read('en');
  for (const [action, words] of Object.entries(AUDIT_ACTIONS))
    expect(settings, action).toHaveProperty(`action_${action.replaceAll('.', '_')}`, words);
});

it('every detail of the audit log has its words, in English those of its CSV', () => {
  const { settings } = read('en');
  for (const name of AUDIT_DETAIL_NAMES) expect(settings, name).toHaveProperty(`detail_${name}`, detailName(name));
});

it('French does not break a line before its marks', () => {
  expect(flat(read('fr')).filter(([, text]) => / [?!;:»]|« /.test(text))).toEqual([]);
});

it('what a page sends of a language is plain, and no more than its own', async () => {
  const prototypes = new Set<unknown>();
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    prototypes.add(Object.getPrototypeOf(value));
    Object.values(value).forEach(visit);
  };
  const messages = await loadMessages('de', ['home', 'ui']);
  visit(messages);
  expect(Object.keys(messages)).toEqual(['home', 'ui']);
  expect([...prototypes].every((each) => each === Object.prototype || each === Array.prototype)).toBe(true);
});

it('every message is said somewhere', () => {
  const sources = ['src/dashboard', 'src/app', 'src/shared/refusals']
    .flatMap((dir) => readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((file) => `${dir}/${file}`))
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  // Made of a part and a status, a source or the like: `status_${status}`, `${what}_ago`.
  const made = [...sources.matchAll(/`(\w*)\$\{[^}]*\}(\w*)`/g)].map(([, start = '', end = '']) => ({ start, end }));
  const unsaid = [...english.keys()].filter((name) => {
    const key = name.slice(name.indexOf('.') + 1);
    const whole = sources.includes(`'${key}'`);
    return !whole && !made.some(({ start, end }) => (start || end) && key.startsWith(start) && key.endsWith(end));
  });
  expect(unsaid).toEqual([]);
});
