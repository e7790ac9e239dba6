/** Tests the dashboard's messages. `shared/language/messages.test.ts` compares the languages. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { AUDIT_ACTIONS, AUDIT_ENTRY_DETAIL_NAMES, getAuditEntryDetailLabel } from '@/modules/audit-log/actions';
import { loadMessages } from './load';

type Messages = Record<string, Record<string, string>>;

const DIR = 'src/dashboard/i18n/messages';
const read = (locale: string) => JSON.parse(readFileSync(`${DIR}/${locale}.json`, 'utf8')) as Messages;
const flat = (messages: Messages) =>
  Object.entries(messages).flatMap(([space, words]) =>
    Object.entries(words).map(([key, text]): [string, string] => [`${space}.${key}`, text]),
  );

const english = new Map(flat(read('en')));

it('every audit log action has a message, whose English text is the log’s', () => {
  const { settings } = read('en');
  for (const [action, words] of Object.entries(AUDIT_ACTIONS))
    expect(settings, action).toHaveProperty(`action_${action.replaceAll('.', '_')}`, words);
});

it('every audit log detail has a message, whose English text is the CSV’s', () => {
  const { settings } = read('en');
  for (const name of AUDIT_ENTRY_DETAIL_NAMES)
    expect(settings, name).toHaveProperty(`detail_${name}`, getAuditEntryDetailLabel(name));
});

it('French has no breaking space before its punctuation', () => {
  expect(flat(read('fr')).filter(([, text]) => / [?!;:»]|« /.test(text))).toEqual([]);
});

it('a page sends only its own messages, as plain objects', async () => {
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

it('every message is used somewhere', () => {
  const sources = ['src/dashboard', 'src/app', 'src/shared/refusals']
    .flatMap((dir) => readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((file) => `${dir}/${file}`))
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  // Finds keys that are built from a fixed part and a variable, such as `status_${status}` or
  // `${what}_ago`.
  const made = [...sources.matchAll(/`(\w*)\$\{[^}]*\}(\w*)`/g)].map(([, start = '', end = '']) => ({ start, end }));
  const unsaid = [...english.keys()].filter((name) => {
    const key = name.slice(name.indexOf('.') + 1);
    // The code may contain the key in quotation marks, or as a key of SCHEMA_PROBLEMS.
    const whole = sources.includes(`'${key}'`) || sources.includes(`\n  ${key}: '`);
    return !whole && !made.some(({ start, end }) => (start || end) && key.startsWith(start) && key.endsWith(end));
  });
  expect(unsaid).toEqual([]);
});
