/** What the server says is wrong is known to the messages, so that a host reads it in their own language. */
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { findRepeated, readImport } from '@/modules/reservations/import/import.rules';
import { ERRORS, type ErrorCode } from '@/shared/errors';
import { HOST_LOCALES } from '@/shared/language/host-language';
import en from './messages/en.json';
import { findRefusal, sayIn } from './refusals';

/** What only a caller with a key, or with a client of their own, is told. */
const FOR_CLIENTS = new Set<ErrorCode>([
  'invalid_json',
  'conflicting_cursors',
  'idempotency_key_too_long',
  'idempotency_key_in_use',
  'idempotency_key_mismatch',
  'malformed_request',
  'request_timeout',
  'headers_too_large',
  'unsupported_media_type',
  'method_not_allowed',
  'route_not_found',
  'api_key_missing',
  'api_key_malformed',
  'api_key_invalid',
  'api_key_revoked',
  'api_key_expired',
  'api_key_wrong_environment',
  'insufficient_scope',
  'ip_not_allowed',
]);

/** Files that speak to whoever runs the installation, to a partner's program, or of what a page has other words for. */
const TO_OTHERS = new RegExp(
  [
    'modules/accounts/(service|sender\\.service)\\.ts$',
    'modules/accounts/(sign-in/(auth|auth-guard)|confirmation/confirmation)\\.ts$',
    'modules/forwarded-mail/mail/',
    'modules/sync-sources/dry-run\\.ts$',
  ].join('|'),
);

/** What no page lets it come to. */
const NOT_SHOWN = [/^No such team: /, /^There is no mail "/, /force=true/, /is not a short code/];

/** The texts an expression can be; what is put into one stands as `x`, which no sentence has. */
function textsOf(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) {
    return [node.head.text + node.templateSpans.map(({ literal }) => `x${literal.text}`).join('')];
  }
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  if (ts.isBinaryExpression(node)) return [...textsOf(node.left), ...textsOf(node.right)];
  return [];
}

/** The functions by which modules refuse with a sentence. */
const REFUSES = /^(wrong|failed|refused|refuse|unusable|notAllowed|repeated\.set)$/;

/** The sentences with which a file refuses. */
function sentencesOf(name: string): string[] {
  const file = ts.createSourceFile(name, readFileSync(name, 'utf8'), ts.ScriptTarget.Latest, true);
  const constants = new Map<string, string[]>();
  const found: string[] = [];
  const take = (node: ts.Expression) =>
    found.push(...(ts.isIdentifier(node) ? (constants.get(node.text) ?? []) : textsOf(node)));
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      constants.set(node.name.text, textsOf(node.initializer));
    }
    if (ts.isPropertyAssignment(node) && /^NOTHING/.test(node.parent.parent.getText())) take(node.initializer);
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'message') take(node.initializer);
    if (ts.isCallExpression(node) && REFUSES.test(node.expression.getText())) node.arguments.forEach(take);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.filter((text) => /^(x |[\p{Lu}“`].* )/u.test(text));
}

const files = ['src/modules', 'src/infra/outbound', 'src/api/trpc']
  .flatMap((dir) => readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((file) => `${dir}/${file}`))
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\/testing\//.test(file));

const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => !FOR_CLIENTS.has(code));
const refusing = files
  .filter((file) => !TO_OTHERS.test(file))
  .map((file): [string, string[]] => [file, sentencesOf(file)])
  .filter(([, sentences]) => sentences.length > 0);

it.each(codes)('the refusal %s has words', (code) => {
  expect(en.refusals).toHaveProperty(code, ERRORS[code].message);
});

it.each(refusing)('what %s refuses with has words', (_file, sentences) => {
  const shown = sentences.filter((sentence) => !NOT_SHOWN.some((pattern) => pattern.test(sentence)));
  expect(shown.filter((sentence) => findRefusal(sentence) === null)).toEqual([]);
});

it('nothing is counted in them: only names stand in their places', () => {
  expect(Object.values(en.refusals).filter((text) => /\{(?!\w+\})|[<']/.test(text))).toEqual([]);
});

it('nothing is translated that is no longer said', () => {
  const sources = [...files, 'src/shared/errors.ts', 'src/shared/text/storable-text.ts']
    .map((file) => readFileSync(file, 'utf8').replaceAll('\\', ''))
    .join('\n');
  const longest = (text: string) =>
    text.split(/\{\w+\}/).reduce((most, part) => (part.length > most.length ? part : most), '');
  const unsaid = Object.entries(en.refusals).filter(([, text]) => !sources.includes(longest(text)));
  expect(unsaid).toEqual([]);
});

it('the longest that fits is taken, with what stands in its places', () => {
  expect(findRefusal('There is no live-mode property prop_1.')).toEqual({
    key: 'no_such_in_mode',
    values: { mode: 'live', thing: 'property', id: 'prop_1' },
  });
  expect(findRefusal('Line 3: No name. Nothing was imported.')?.key).toBe('nothing_was_imported');
  expect(findRefusal('Line 3: No name.')?.key).toBe('line_of_the_file');
  expect(findRefusal('Something that nobody knows.')).toBeNull();
});

it('in English everything is said as it comes', async () => {
  const say = await sayIn('en');
  expect(say('Line 3: No name.')).toBe('Line 3: No name.');
});

it('in German, with sentences in a sentence', async () => {
  const say = await sayIn('de');
  expect(say('Line 3: “a{b}@” is not an e-mail address. Nothing was imported.')).toBe(
    'Zeile 3: „a{b}@“ ist keine E-Mail-Adresse. Es wurde nichts importiert.',
  );
  expect(say('`guest_email`: must be an e-mail address')).toBe('`guest_email`: Muss eine E-Mail-Adresse sein.');
  expect(say('Something that nobody knows.')).toBe('Something that nobody knows.');
});

describe.each(HOST_LOCALES.filter((locale) => locale !== 'en'))('an import in %s', (locale) => {
  const HEAD = 'property,guest_name,guest_email,locale,checkin_date,checkout_date,source,booking_code';
  const read = (text: string) =>
    readImport(
      { text, property_id: null, day_first: true },
      { properties: [1, 2].map((n) => ({ id: `prop_${n}`, name: 'Twice' })) },
    );

  it.each([
    ['', 'file_is_empty'],
    ['a\n"b', 'line_of_the_file'],
    ['guest', 'columns_are_missing'],
    ['a,b', 'columns_are_missing'],
    [HEAD, 'nothing_below_the_headers'],
    [`${HEAD}${'\na'.repeat(301)}`, 'too_many_lines'],
  ])('of %j says what is wrong with the file', async (text, key) => {
    const problem = read(text).problem ?? '';
    expect(findRefusal(problem)?.key).toBe(key);
    const words = (await sayIn(locale))(problem);
    expect(words).not.toBe(problem);
    // Nothing of the English is left in the middle of it either.
    expect(words).not.toMatch(/\b(the|nor|There|is never)\b/);
  });

  it('says what is wrong with each line, and which are there already', async () => {
    const say = await sayIn(locale);
    const long = 'x'.repeat(201);
    const { lines } = read(
      [
        HEAD,
        `Nowhere,?,nobody,German,soon,,Elsewhere,${long}`,
        `Twice,${long},,,2027-05-09,2027-05-04,,,a,b`,
        ',,,,2027-05-04,2027-05-09,,',
      ].join('\n'),
    );
    const problems = lines.flatMap((line) => line.problems.map(({ message }) => message));
    expect(new Set(problems.map((problem) => findRefusal(problem)?.key)).size).toBeGreaterThan(11);
    const row = { property_id: 'prop_1', guest_name: 'Ada', guest_email: null, locale: null, external_id: null };
    const stay = { ...row, checkin_date: '2027-05-04', checkout_date: '2027-05-09', source: 'direct' as const };
    const line = (number: number, external_id: string) => ({
      ...{ line: number, shown: {}, problems: [], row: { ...stay, guest_name: external_id, external_id } },
    });
    const repeated = findRepeated([line(2, 'a'), line(3, 'b'), line(4, 'b')], ['prop_1 code a']);
    expect(repeated.size).toBe(2);
    for (const english of [...problems, ...repeated.values()]) expect(say(english), english).not.toBe(english);
  });
});
