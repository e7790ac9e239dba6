/** Every refusal that the dashboard can receive has a message in each of its languages. */
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { convertZodErrorToAppError } from '@/api/trpc/error-translation';
import { findRepeatedImportLines, parseReservationImport } from '@/modules/reservations/import/import.rules';
import { ReservationCreate } from '@/modules/reservations/schemas';
import { ERRORS, type ErrorCode } from '@/shared/errors';
import { HOST_LOCALES } from '@/shared/language/host-language';
import { flattenMessageTree } from '@/shared/language/translator';
import en from '@/shared/refusals/en.json';
import { createRefusal, isRefusal, type Refusal } from '@/shared/refusals/refusal';
import { createRefusalTranslator } from './refusal-translator';

/** Codes that only API clients receive, not the dashboard. */
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

/**
 * Files whose errors are shown to the operator or to a partner's program, or for which the page has
 * its own messages.
 */
const FOR_OTHERS = new RegExp(
  [
    'modules/accounts/(service|sender\\.service)\\.ts$',
    'modules/accounts/(sign-in/(auth|auth-guard)|confirmation/confirmation)\\.ts$',
    'modules/assistants/(http|authenticate)\\.ts$',
    'modules/forwarded-mail/mail/',
    'modules/sync-sources/',
    'modules/webhooks/delivery/custom-headers\\.rules\\.ts$',
    'modules/stay-calendar/schemas\\.ts$',
    'api/trpc/error-translation\\.ts$',
  ].join('|'),
);
/** Error messages that no page can cause. */
const NOT_SHOWN = [
  /^No such team: /,
  /^There is no mail "/,
  /force=true/,
  /is not a short code/,
  /must start with https/,
];

const files = ['src/modules', 'src/infra', 'src/api', 'src/shared', 'src/operator']
  .flatMap((dir) => readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((file) => `${dir}/${file}`))
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\/testing\//.test(file));
const calls: { file: string; key: string; values: string[] }[] = [];
const sentences: string[] = [];
for (const file of files) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'createRefusal') {
      const [key, values] = node.arguments;
      const names = values && ts.isObjectLiteralExpression(values) ? values.properties : [];
      if (key && ts.isStringLiteral(key))
        calls.push({ file, key: key.text, values: names.map((each) => each.name?.getText() ?? '') });
    }
    if (ts.isNewExpression(node) && node.expression.getText() === 'AppError' && /^src\/modules/.test(file)) {
      const text = /message:\s*(['`])((?:(?!\1).)*)\1/s.exec(node.getText())?.[2];
      if (text?.includes(' ') && !FOR_OTHERS.test(file)) sentences.push(text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

const english = new Map(flattenMessageTree(en));
const placesOf = (text: string) => [...new Set([...text.matchAll(/\{(\w+)[},]/g)].map(([, name]) => name))].sort();
const codes = Object.keys(ERRORS) as ErrorCode[];

it.each(codes.filter((code) => !FOR_CLIENTS.has(code)))('the error %s has a message', (code) => {
  expect(en).toHaveProperty(code, ERRORS[code].message);
});

it('services refuse with message keys, not with sentences', () => {
  expect(sentences.filter((text) => !NOT_SHOWN.some((pattern) => pattern.test(text)))).toEqual([]);
});

it('each refusal passes the values that its message needs', () => {
  const wrong = calls.filter(({ key, values }) => {
    const places = placesOf(english.get(key) ?? '');
    return String([...values].sort()) !== String(places);
  });
  expect(wrong).toEqual([]);
});

it('no refusal message is unused', () => {
  const used = new Set<string>([...codes, ...calls.map(({ key }) => key)]);
  // A key also counts as used when a file contains it in quotation marks or builds it from a
  // variable.
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const made = [...text.matchAll(/createRefusal\(`(\w+\.)\$\{/g)].map(([, start = '']) => start);
  const unused = [...english.keys()].filter(
    (key) => !used.has(key) && !text.includes(`'${key}'`) && !made.some((start) => key.startsWith(start)),
  );
  expect(unused).toEqual([]);
});

describe.each(HOST_LOCALES.filter((locale) => locale !== 'en'))('in %s', (locale) => {
  it('every problem in an import line has a translation', async () => {
    const translate = await createRefusalTranslator(locale);
    const head = 'property,guest_name,guest_email,locale,checkin_date,checkout_date,source,booking_code';
    const long = 'x'.repeat(201);
    const { lines } = parseReservationImport(
      {
        text: [
          head,
          `Nowhere,?,nobody,German,soon,,Elsewhere,${long}`,
          `Twice,${long},,,2027-05-09,2027-05-04,,,a,b`,
          ',,,,2027-05-04,2027-05-09,,',
        ].join('\n'),
        property_id: null,
        day_first: true,
      },
      {
        properties: [1, 2].map((n) => ({ id: `prop_${n}`, name: 'Twice' })),
        channel_names: { channel_a: 'Airbnb', channel_b: 'Vrbo', channel_c: 'Booking.com' },
      },
    );
    const problems = lines.flatMap((line) => line.problems.map(({ message }) => message));
    expect(new Set(problems.map(({ key }) => key)).size).toBeGreaterThan(11);
    const row = { property_id: 'prop_1', guest_name: 'Ada', guest_email: null, locale: null, external_id: null };
    const stay = { ...row, checkin_date: '2027-05-04', checkout_date: '2027-05-09', source: 'direct' as const };
    const line = (number: number, external_id: string) => ({
      ...{ line: number, shown: {}, problems: [], row: { ...stay, guest_name: external_id, external_id } },
    });
    const repeated = findRepeatedImportLines([line(2, 'a'), line(3, 'b'), line(4, 'b')], ['prop_1 code a']);
    expect(repeated.size).toBe(2);
    for (const one of [...problems, ...repeated.values()]) expect(translate(one)).not.toBe(String(one));
  });
});

it('English equals what partners read', async () => {
  const translate = await createRefusalTranslator('en');
  const nested = createRefusal('line_of_the_file', { line: 3, wrong: createRefusal('no_name') });
  expect(translate(nested)).toBe('Line 3: The name is missing.');
});

it('a nested refusal is translated into German, and user input in it stays unchanged', async () => {
  const translate = await createRefusalTranslator('de');
  const wrong = createRefusal('no_e_mail_address', { text: 'a{line}@' });
  expect(translate(createRefusal('nothing_was_imported', { line: 3, wrong }))).toBe(
    'Zeile 3: „a{line}@“ ist keine E-Mail-Adresse. Es wurde nichts importiert.',
  );
});

it('a schema error is in English for partners, and in German for hosts', async () => {
  const error = ReservationCreate.safeParse({
    property_id: 'prop_00000000',
    guest_name: 'Ada',
    guest_email: 'nobody',
    checkin_date: '2027-05-04',
    checkout_date: '2027-05-09',
  }).error;
  const app = convertZodErrorToAppError(error as NonNullable<typeof error>);
  expect(app.message).toBe('`guest_email`: must be an email address');
  expect(isRefusal(app.refusal)).toBe(true);
  expect((await createRefusalTranslator('de'))(app.refusal as Refusal)).toBe(
    '`guest_email`: Muss eine E-Mail-Adresse sein.',
  );
});
