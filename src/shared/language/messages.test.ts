/**
 * Checks that every language has every message with the same placeholders. The failures list what a
 * new language still needs.
 */
import { readdirSync, readFileSync } from 'node:fs';
import compile from 'icu-minify/compile';
import { describe, expect, it } from 'vitest';
import { GUEST_LANGUAGES, GUEST_LOCALES } from '../guest-text/locale';
import { HOST_LOCALES } from './host-language';
import { flattenMessageTree, type MessageTree } from './translator';

const AREAS: Readonly<Record<string, readonly string[]>> = {
  'src/dashboard/i18n/messages': HOST_LOCALES,
  'src/shared/refusals': HOST_LOCALES,
  'src/shared/host-text/messages': HOST_LOCALES,
  'src/shared/guest-text/messages': GUEST_LOCALES,
  'src/modules/certificates/document/messages': GUEST_LOCALES,
};
const VARIANTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(GUEST_LANGUAGES).flatMap(([locale, { variant_of }]) => (variant_of ? [[locale, variant_of]] : [])),
);

/**
 * Messages in which some languages omit the inserted noun, because they would have to decline it.
 */
const WITHOUT_ITS_NAME = ['ui.no_one_fits_these_filters', 'no_such_in_mode'];

const fileOf = (area: string, locale: string) =>
  new Map(flattenMessageTree(JSON.parse(readFileSync(`${area}/${locale}.json`, 'utf8')) as MessageTree));
const messagesOf = (area: string, locale: string) =>
  new Map([...(VARIANTS[locale] ? fileOf(area, VARIANTS[locale]) : []), ...fileOf(area, locale)]);

/** A compiled message: texts, `#`, `[name]`, `[name, kind, options]`, and `[tag, ...children]`. */
type Part = string | 0 | [name: string, ...rest: unknown[]];
const [SELECT, PLURAL, NUMBER] = [1, 2, 4];

interface Place {
  name: string;
  /** The kind of placeholder: null for a value inserted unchanged, `tag` for a tag. */
  kind: number | 'tag' | null;
  options: Record<string, unknown>;
}

function placesOf(text: string): Place[] {
  const places: Place[] = [];
  const visitAll = (parts: unknown) => Array.isArray(parts) && (parts as Part[]).forEach(visit);
  const visit = (part: Part): void => {
    if (!Array.isArray(part)) return;
    const [name, kind, options] = part;
    if (kind === undefined) places.push({ name, kind: null, options: {} });
    else if (typeof kind === 'number' && kind > 0) {
      places.push({ name, kind, options: (options ?? {}) as Record<string, unknown> });
      if (options && typeof options === 'object') Object.values(options).forEach(visitAll);
    } else {
      places.push({ name, kind: 'tag', options: {} });
      visitAll(part.slice(1));
    }
  };
  visitAll(compile(text));
  return places;
}

/** Returns each placeholder once, with its kind: `count 2` for a plural, `b tag` for a tag. */
const placeNames = (text: string) =>
  [...new Set(placesOf(text).map(({ name, kind }) => (kind === null ? name : `${name} ${kind}`)))].sort();

it('the placeholders of a message are found in all its parts', () => {
  const text = '{n, plural, one {{who} has # <b>thing {x}</b>} other {{whose}}} of {y, number}';
  expect(placeNames(text)).toEqual(['b tag', `n ${PLURAL}`, 'who', 'whose', 'x', `y ${NUMBER}`]);
  expect(placeNames('nothing')).toEqual([]);
});

describe.each(Object.entries(AREAS))('%s', (area, locales) => {
  const english = messagesOf(area, 'en');

  it('has a file for each language, and for no other', () => {
    const files = readdirSync(area).filter((name) => name.endsWith('.json'));
    expect(files.sort()).toEqual(locales.map((locale) => `${locale}.json`).sort());
  });

  describe.each(locales)('%s', (locale) => {
    const own = messagesOf(area, locale);

    it('has every message and no additional ones', () => {
      expect([...own.keys()].sort()).toEqual([...english.keys()].sort());
    });

    it('has no empty or invalid message', () => {
      expect([...own].filter(([, text]) => text.trim() === '').map(([key]) => key)).toEqual([]);
      for (const text of own.values()) expect(() => compile(text), text).not.toThrow();
    });

    it('has the same placeholders as English', () => {
      const differs = [...own].filter(([key, text]) => {
        if (WITHOUT_ITS_NAME.includes(key)) return false;
        return placeNames(text).join() !== placeNames(english.get(key) ?? '').join();
      });
      expect(differs).toEqual([]);
    });

    it('has a form for each plural category of the language', () => {
      const rules = new Intl.PluralRules(locale);
      const needed = new Set(Array.from({ length: 200 }, (_, count) => rules.select(count)));
      const missing = [...own].filter(([, text]) =>
        placesOf(text).some(({ kind, options }) => {
          if (kind === SELECT) return !('other' in options);
          if (kind !== PLURAL) return false;
          const has = (form: string) => form in options || (form === 'one' && ('=1' in options || '=0' in options));
          return [...needed, 'other'].some((form) => !has(form));
        }),
      );
      expect(missing).toEqual([]);
    });

    it.runIf(VARIANTS[locale])('does not repeat messages of its base language', () => {
      const base = fileOf(area, VARIANTS[locale] as string);
      const different = [...fileOf(area, locale)];
      expect(different.length).toBeGreaterThan(0);
      expect(different.filter(([key, text]) => base.get(key) === text)).toEqual([]);
    });
  });
});

it.each(['src/shared/guest-text', 'src/modules/certificates/document'])(
  'the types of the placeholders in %s are generated',
  async (dir) => {
    const lines = [...messagesOf(`${dir}/messages`, 'en')].flatMap(([key, text]) => {
      const types = new Map(placesOf(text).map(({ name, kind }) => [name, kind === null ? 'string' : 'number']));
      const values = [...types].map(([name, type]) => `${name}: ${type}`);
      const name = key.includes('.') ? `'${key}'` : key;
      return values.length > 0 ? [`  ${name}: { ${values.join('; ')} };`] : [];
    });
    const note = `/**
 * The values of the messages in messages/en.json, generated by \`npx vitest run
 * src/shared/language/messages.test.ts -u\`.
 */`;
    const text = [note, 'export interface MessageValues {', ...lines, '}', ''].join('\n');
    await expect(text).toMatchFileSnapshot(`${process.cwd()}/${dir}/message-values.ts`);
  },
);
