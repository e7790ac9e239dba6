/**
 * Tests that each field of the API and of every event that may grant access is either masked in
 * shared views or listed as harmless.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { buildSamplePayload } from '@/modules/webhooks/event-log/sample-payloads';
import {
  ACCESS_GRANTING_FIELD_NAMES,
  MASKED_VALUE,
  maskAccessGrantingFields,
  maskValuesInText,
} from './access-granting-fields';
import { EVENT_TYPE_NAMES } from './catalogue';

/** Fields whose name or type looks like a capability, but which grant no access. */
const HARMLESS: ReadonlySet<string> = new Set([
  'doc_url',
  'logo_url',
  'signing_secret_last4',
  'signing_secret_warning',
  // `url` is an endpoint's URL, whose query the shared page omits, or the path of a list.
  'url',
]);

const LOOKS_LIKE_ONE = /token|secret|url|uri|link|password|capabilit|^key$|_key$/i;

type Schema = { properties?: Record<string, Schema>; anyOf?: Schema[]; format?: string; [key: string]: unknown };
const isAddress = ({ format, anyOf = [] }: Schema): boolean => format === 'uri' || anyOf.some(isAddress);

/** Returns fields below `node` that are named like a capability, or whose value is a URL. */
function* suspects(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const item of node) yield* suspects(item);
  else if (node !== null && typeof node === 'object') {
    const { properties, ...rest } = node as Schema;
    for (const [name, schema] of Object.entries(properties ?? {})) {
      if (LOOKS_LIKE_ONE.test(name) || isAddress(schema)) yield name;
      yield* suspects(schema);
    }
    for (const value of Object.values(rest)) yield* suspects(value);
  }
}

it('every field that may grant access is masked or listed as harmless', () => {
  const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  expect([...new Set(suspects(document))].sort()).toEqual([...ACCESS_GRANTING_FIELD_NAMES, ...HARMLESS].sort());
});

/** Returns every string below a value, with the names on the path to it. */
function* strings(value: unknown, name = ''): Generator<[string, string]> {
  if (typeof value === 'string') yield [name, value];
  else if (value !== null && typeof value === 'object')
    for (const [key, item] of Object.entries(value)) yield* strings(item, Array.isArray(value) ? name : key);
}

it.each(EVENT_TYPE_NAMES)(
  '%s: masks the fields of its event that grant access, and leaves all others unchanged',
  (type) => {
    const data = buildSamplePayload(type, new Date('2026-05-04T10:00:00Z'));
    const whole = { id: 'evt_1', data: { ...data, verify_token: 'a-token' } };
    const { text, hidden } = maskAccessGrantingFields(JSON.stringify(whole));
    expect(hidden).toContain('a-token');
    const shown = [...strings(JSON.parse(text))];
    for (const [name, value] of shown) expect(value === MASKED_VALUE).toBe(ACCESS_GRANTING_FIELD_NAMES.has(name));
    expect(shown).toHaveLength([...strings(whole)].length);
  },
);

it('masks secrets that a receiver echoes, and text that is not JSON', () => {
  expect(maskValuesInText('got "a-token" and a-token', ['a-token', ''])).toBe(
    `got "${MASKED_VALUE}" and ${MASKED_VALUE}`,
  );
  expect(maskAccessGrantingFields('{"verify_token": "a-token"').text).toBe(MASKED_VALUE);
  expect(maskAccessGrantingFields('{"verify_token":null,"n":1.5}').text).toBe('{"verify_token":null,"n":1.5}');
});
