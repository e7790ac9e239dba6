import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { READ_ONLY_DESCRIPTION_PREFIX } from '@/shared/read-only';
import {
  findRequestedObjectId,
  MAX_LOGGED_BODY_CHARACTERS,
  REDACTED_VALUE,
  redactHttpBody,
  redactUrlQuery,
  TRUNCATED_VALUE_TEXT,
  UNREDACTED_FIELD_NAMES,
} from './redact.rules';

const kept = (body: Record<string, unknown>) => JSON.parse(redactHttpBody(body));

describe('a stored body', () => {
  it('contains the parameters of the operation and nothing of the guest', () => {
    expect(
      kept({
        property_id: 'prop_01jd8z6q0v7m3k5n9r2t4w6y8a',
        guest_name: 'Grace Hopper',
        guest_email: 'grace@example.com',
        checkin_date: '2026-12-24',
        checkout_date: '2026-12-27',
        source: 'direct',
        locale: null,
      }),
    ).toEqual({
      property_id: 'prop_01jd8z6q0v7m3k5n9r2t4w6y8a',
      guest_name: REDACTED_VALUE,
      guest_email: REDACTED_VALUE,
      checkin_date: '2026-12-24',
      checkout_date: '2026-12-27',
      source: 'direct',
      locale: null,
    });
  });

  it('contains rules and fees, and no arrival detail, secret or address', () => {
    expect(
      kept({
        rules: [{ id: 'rule_01jd8z6q0v7m3k5n9r2t4w6y8a', text: 'No smoking indoors.', category: null }],
        fees: [{ label: 'Late check-out', amount_cents: 2500, unit: 'hour' }],
        arrival_details: { wifi: { network: 'Harbour', password: 'sesame' }, door_code: '4711' },
        arrival_release: { wifi: 'after_signing', door_code: 'manual' },
        headers: { 'X-Gateway-Key': 'k_4f9c' },
        url: 'https://hooks.example/T0/B0/secret',
        lat: 38.7,
        parallel_stays: true,
      }),
    ).toEqual({
      rules: [{ id: 'rule_01jd8z6q0v7m3k5n9r2t4w6y8a', text: 'No smoking indoors.', category: null }],
      fees: [{ label: 'Late check-out', amount_cents: 2500, unit: 'hour' }],
      arrival_details: { wifi: { network: REDACTED_VALUE, password: REDACTED_VALUE }, door_code: REDACTED_VALUE },
      arrival_release: { wifi: 'after_signing', door_code: 'manual' },
      headers: { 'X-Gateway-Key': REDACTED_VALUE },
      url: REDACTED_VALUE,
      lat: REDACTED_VALUE,
      parallel_stays: true,
    });
  });

  it('contains nothing in an unexpected place or under an unknown name', () => {
    expect(
      kept({
        checkin_date: 'Grace Hopper arrives on Friday',
        property_id: 'grace@example.com',
        text: 'the door code is 4711',
        guestName: 'Grace',
        phone: 491701234567,
        'grace@example.com': true,
        rules: 'the door code is 4711',
        status: { source: 'direct' },
      }),
    ).toEqual({
      checkin_date: REDACTED_VALUE,
      property_id: REDACTED_VALUE,
      text: REDACTED_VALUE,
      guestName: REDACTED_VALUE,
      phone: REDACTED_VALUE,
      [REDACTED_VALUE]: true,
      rules: REDACTED_VALUE,
      status: { source: REDACTED_VALUE },
    });
  });

  it.each([
    ['checkin_date', '2026-12-24T15:00:00.000+01:00', true],
    ['checkin_date', '2026-12-2', false],
    ['checkin_date', '2026-12-24 Grace', false],
    ['checkin_date', 'Grace 2026-12-24', false],
    ['property_id', 'prop_01jd8z6q0v7m3k5n9r2t4w6y8a', true],
    ['property_id', 'Grace prop_01jd8z6q0v7m3k5n9r2t4w6y8a', false],
    ['property_id', 'prop_01jd8z6q0v7m3k5n9r2t4w6y8a Grace', false],
    ['embed_origins', 'https://portal.example', true],
    ['embed_origins', 'http://localhost:3000', true],
    ['embed_origins', 'https://grace:4711@portal.example', false],
    ['embed_origins', 'https://portal.example/door/4711', false],
    ['embed_origins', 'Grace https://portal.example', false],
  ])('%s %j is stored: %j', (name, value, is_kept) => {
    expect(kept({ [name]: value })).toEqual({ [name]: is_kept ? value : REDACTED_VALUE });
  });

  it('contains the first two hundred characters of a rule, without splitting one', () => {
    const shown = (text: string) => kept({ rules: [{ text }] }).rules[0].text;
    expect(shown('x'.repeat(200))).toBe('x'.repeat(200));
    expect(shown('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`);
    expect(shown(`${'x'.repeat(199)}😀`)).toBe(`${'x'.repeat(199)}\uFFFD…`);
  });

  it.each([
    ['names', Object.fromEntries(Array.from({ length: 3_000 }, (_, nth) => [`f${nth}`, true]))],
    ['values without information', { status: Array(5_000).fill(null) }],
    ['omitted values', { guest_name: Array(5_000).fill('Grace') }],
    ['stored values', { events: Array(5_000).fill('reservation.signed') }],
  ])('contains the beginning of many %s, and states that it was cut', (_name, body) => {
    const text = redactHttpBody(body);
    expect(text.length).toBeLessThanOrEqual(MAX_LOGGED_BODY_CHARACTERS);
    expect(text).toMatch(/"\[cut\]"(?::true|\])\}$/);
  });

  it('is JSON within its size limit for any JSON, and contains only expected values', () => {
    const secret = 'Grace Hopper, door 4711';
    const anything = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 }));
    fc.assert(
      fc.property(anything, fc.constantFrom('guest_name', 'wifi', 'x', 'arrival_details', 'headers'), (body, name) => {
        const text = redactHttpBody({ [name]: secret, ...body, nested: [{ [name]: secret }] });
        expect(text.length).toBeLessThanOrEqual(MAX_LOGGED_BODY_CHARACTERS);
        expect(text).not.toContain(secret);
        JSON.parse(text);
      }),
    );
  });

  it('contains the beginning of a long body, as JSON', () => {
    const rules = Array.from({ length: 2_000 }, (_, nth) => ({ text: `Rule ${nth} ${'\u0001"\\'.repeat(200)}` }));
    const text = redactHttpBody({ rules, status: 'enabled' });
    expect(text.length).toBeLessThanOrEqual(MAX_LOGGED_BODY_CHARACTERS);
    expect(JSON.parse(text).rules.at(-1)).toBe(TRUNCATED_VALUE_TEXT);
  });
});

describe('a stored query', () => {
  it('contains filters and cursors, and no text', () => {
    const query = redactUrlQuery(
      '/v1/reservations?status=signed&limit=5&checkin_date.gte=2026-12-01&search=grace%40example.com&status=x%20y',
    );
    expect([...new URLSearchParams(query ?? '')]).toEqual([
      ['status', 'signed'],
      ['limit', '5'],
      ['checkin_date.gte', '2026-12-01'],
      ['search', REDACTED_VALUE],
      ['status', REDACTED_VALUE],
    ]);
    expect(redactUrlQuery('/v1/reservations')).toBeNull();
    expect(redactUrlQuery('/v1/reservations?')).toBeNull();
  });

  it('has a limited size', () => {
    expect(redactUrlQuery(`/v1/x?${'limit=1&'.repeat(10_000)}`)).toBe(Array(30).fill('limit=1').join('&'));
  });
});

/**
 * Fields of the API whose values are never stored. A new field must be added here or to the stored
 * fields.
 */
const NOT_KEPT = [
  'address',
  'arrival_details',
  'arrival_release',
  'checkin_notes',
  'city',
  'custom_domain',
  'door_code',
  'external_id',
  'guest_email',
  'guest_name',
  'headers',
  'lat',
  'lng',
  'logo_url',
  'metadata',
  'name',
  'network',
  'object',
  'parking_notes',
  'password',
  'reply_to_email',
  'safety_notes',
  'url',
  'welcome_message',
  'wifi',
];

it('every field that a partner can send is listed as stored or dropped', () => {
  const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  const names = new Set<string>();
  const resolve = (schema: { $ref?: string }): Record<string, unknown> =>
    schema.$ref
      ? schema.$ref
          .split('/')
          .slice(1)
          .reduce((at, key) => at[key], document)
      : (schema as Record<string, unknown>);
  const isBoolean = (schema: Record<string, unknown>) => schema.type === 'boolean';
  const walk = (given: object): void => {
    const schema = resolve(given);
    for (const some of ['anyOf', 'oneOf', 'allOf'] as const)
      for (const one of (schema[some] as object[]) ?? []) walk(one);
    for (const [name, field] of Object.entries((schema.properties as object) ?? {})) {
      // The API ignores read-only fields, and the log drops them like unknown fields.
      if (field.description?.startsWith(READ_ONLY_DESCRIPTION_PREFIX)) continue;
      if (!isBoolean(resolve(field))) names.add(name);
      walk(field);
    }
    if (schema.items) walk(schema.items as object);
  };
  for (const operations of Object.values<object>(document.paths)) {
    for (const operation of Object.values<{ requestBody?: object; parameters?: object[] }>(operations as never)) {
      const content = operation.requestBody && (resolve(operation.requestBody).content as Record<string, object>);
      for (const { schema } of Object.values(content ?? {}) as { schema: object }[]) walk(schema);
      for (const parameter of (operation.parameters ?? []).map(resolve))
        if (parameter.in === 'query') names.add(String(parameter.name));
    }
  }
  expect(names.size).toBeGreaterThan(40);
  expect([...names].filter((name) => !UNREDACTED_FIELD_NAMES.has(name)).sort()).toEqual(NOT_KEPT);
});

it.each([
  ['/v1/reservations/res_01jd8z6q0v7m3k5n9r2t4w6y8a/send', '{}', 200, 'res_01jd8z6q0v7m3k5n9r2t4w6y8a'],
  [
    '/v1/reservations',
    '{"id":"res_01jd8z6q0v7m3k5n9r2t4w6y8a","object":"reservation"}',
    201,
    'res_01jd8z6q0v7m3k5n9r2t4w6y8a',
  ],
  ['/v1/reservations', '{"object":"list","data":[{"id":"res_01jd8z6q0v7m3k5n9r2t4w6y8a"}]}', 200, null],
  ['/v1/reservations', '{"error":{}}', 400, null],
  ['/v1/reservations', '{"id":"res_01jd8z6q0v7m3k5n9r2t4w6y8a"}', 300, null],
] as const)('%s with the response %s and status %i is logged for the object %s', (path, body, status, expected) => {
  expect(findRequestedObjectId(path, { status, body })).toBe(expected);
});
