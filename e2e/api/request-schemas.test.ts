/**
 * Tests that the server and the OpenAPI document agree about request bodies: the server refuses
 * what the schema refuses and accepts what it allows. Sets each property of each body, at any
 * depth, to values of every kind.
 */
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOpenApiDocument } from '@/api/openapi';
import { inlineOpenApiComponentReferences } from '@/api/openapi-components';
import { setConfig } from '@/config';
import { MATRIX_TEST_OPTIONS, selectSampledCases } from '@/testing/sample';
import {
  type ApiCaller,
  type ApiTestContext,
  buildReservationInput,
  createApiCaller,
  makeProperty,
  makeReservation,
  makeTestClock,
  makeUniqueText,
  makeWebhookEndpoint,
  openApiTestContext,
  type ResponseBody,
} from './test-context';

setConfig({ app_url: 'https://threshold.example', api_root: 'https://threshold.example/v1' });
const document: ResponseBody = inlineOpenApiComponentReferences(JSON.parse(JSON.stringify(buildOpenApiDocument())));
const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi', undefined, false);

interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  pattern?: string;
  format?: string;
}

const deref = (schema: Schema): Schema =>
  schema.$ref ? deref(document.components.schemas[schema.$ref.split('/').at(-1) ?? '']) : schema;
const variants = (schema: Schema): Schema[] => deref(schema).anyOf?.flatMap(variants) ?? [deref(schema)];

const bodies = Object.entries<ResponseBody>(document.paths).flatMap(([path, methods]) =>
  Object.entries<ResponseBody>(methods).flatMap(([method, operation]) => {
    const media = operation.requestBody?.content['application/json'];
    if (!media) return [];
    const { schema, example } = media as { schema: Schema; example: ResponseBody };
    return [{ row: `${method.toUpperCase()} ${path}`, method, path, schema, example }];
  }),
);

/**
 * Returns the path of every property at any depth. Paths into arrays contain an index: `['rules',
 * 0, 'text']`.
 */
function propertiesOf(schema: Schema, at: (string | number)[] = []): { path: (string | number)[]; schema: Schema }[] {
  return variants(schema).flatMap((one) => [
    ...Object.entries(one.properties ?? {}).flatMap(([name, property]) => [
      { path: [...at, name], schema: property },
      ...propertiesOf(property, [...at, name]),
    ]),
    ...(one.items ? propertiesOf(one.items, [...at, 0]) : []),
  ]);
}

const VALUES: unknown[] = [
  null,
  '',
  '   ',
  'text',
  'x'.repeat(130),
  'x'.repeat(600),
  'x'.repeat(2_100),
  'x'.repeat(5_100),
  'a@example.com',
  'a@@example.com',
  'https://example.com/a',
  'ftp://example.com/a',
  '2027-02-29',
  '2027-03-01',
  'EUR',
  'conditional_pet',
  'conditional_nothing',
  'reservation.signed',
  '#1a2b3c',
  0,
  -1,
  1.5,
  400,
  3_000_000_000,
  true,
  'true',
  [],
  ['x'],
  {},
  { zzz: 1 },
];

let world: ApiTestContext;
let live: ApiCaller;
const ids: Record<string, string> = {};

beforeAll(async () => {
  world = await openApiTestContext();
  setConfig({ outbound_allow_loopback: false });
  live = createApiCaller(world.api, world.team.live);
  const property = await makeProperty(live);
  ids.property = property.id;
  ids.packet = (await live.get(`/properties/${property.id}/packet`)).body.id;
  ids.reservation = (await makeReservation(live, world.clock, property.id)).id;
  ids.endpoint = (await makeWebhookEndpoint(live)).id;
  ids.clock = (await makeTestClock(createApiCaller(world.api, world.team.test))).id;
});
afterAll(() => world.close());

const PACKET = () => ({
  name: 'House rules',
  welcome_message: 'Welcome.',
  currency: 'EUR',
  rules: [{ text: 'No smoking.', category: 'House' }],
  fees: [{ label: 'Late check-out', amount_cents: 500 }],
  safety_notes: 'Exit on the left.',
  arrival_details: { wifi: { network: 'n', password: 'p' }, door_code: '1' },
  arrival_release: { door_code: 'after_signing' },
});

/**
 * Bodies that the server accepts repeatedly. They contain every nested object, so that the test can
 * set its properties. Other operations use the document's example.
 */
const valid: Record<string, () => ResponseBody> = {
  'POST /properties': () => ({ name: makeUniqueText('Property ') }),
  'PATCH /properties/{id}': () => ({ name: makeUniqueText('Property ') }),
  'POST /properties/{id}/packets': () => ({ name: makeUniqueText('Variant ') }),
  'PATCH /packets/{id}': PACKET,
  'PUT /properties/{id}/packet': PACKET,
  'PATCH /properties/{id}/packet': PACKET,
  'POST /reservations': () => buildReservationInput(world.clock, ids.property as string),
  'PATCH /reservations/{id}': () => ({ guest_name: makeUniqueText('Guest ') }),
  'POST /test_clocks': () => ({ frozen_time: '2030-01-01T00:00:00Z' }),
  'POST /test_clocks/{id}/advance': () => ({ frozen_time: '2030-01-02T00:00:00Z' }),
  'POST /webhook_endpoints': () => ({ url: `https://example.com/${makeUniqueText('hook')}`, events: ['*'] }),
  'PATCH /webhook_endpoints/{id}': () => ({ url: `https://example.com/${makeUniqueText('hook')}` }),
};

const ID_OF: [RegExp, string][] = [
  [/^\/properties/, 'property'],
  [/^\/packets/, 'packet'],
  [/^\/reservations/, 'reservation'],
  [/^\/webhook_endpoints/, 'endpoint'],
  [/^\/test_clocks/, 'clock'],
];
const filled = (path: string) =>
  path.replace('{id}', ids[ID_OF.find(([start]) => start.test(path))?.[1] ?? ''] as string);

/** The existing ids that replace the ids in examples. */
const OWN_ID: Record<string, () => string | undefined> = { prop: () => ids.property, pkt: () => ids.packet };

/** Returns the document's example with ids that exist. */
const withOwnIds = (example: ResponseBody): ResponseBody =>
  JSON.parse(JSON.stringify(example), (_name, value) => OWN_ID[/^([a-z]+)_01jd/.exec(value)?.[1] ?? '']?.() ?? value);
const validBody = (row: string, example: ResponseBody): ResponseBody => valid[row]?.() ?? withOwnIds(example);

/** Returns the key for a path. Test clocks exist only in test mode. */
const keyOf = (path: string) => (path.startsWith('/test_clocks') ? world.team.test : world.team.live);

function withValue(body: ResponseBody, path: (string | number)[], value: unknown): ResponseBody {
  const copy = structuredClone(body);
  let at = copy;
  for (const part of path.slice(0, -1)) {
    at[part] ??= {};
    at = at[part];
  }
  at[path.at(-1) ?? ''] = value;
  return copy;
}

/**
 * Rules that a schema cannot express: a pattern for the field, and a pattern that the description
 * of the field or of its operation must match.
 */
const PROSE: [RegExp, RegExp][] = [
  [/guest_name$/, /[Mm]ust contain a letter/],
  [/timezone$/, /IANA/],
  [/logo_url$/, /https?/],
  [/url$/, /https/],
  [/subdomain$/, /[Rr]eserved/],
  [/(checkin|checkout)_date$/, /after `checkin_date`/],
  [/packet_id$/, /variant/],
  [/copy_from$/, /packet/],
  [/events/, /alone/],
  [/frozen_time$/, /year 2(000|100)/],
  [/test_clock_id$/, /test mode/],
];

/** Removes resources that the tests created, because the plan and the mode limit their number. */
async function clear() {
  const { systemDb } = await import('@/infra/db/client');
  await systemDb().testClock.deleteMany({ where: { id: { not: ids.clock } } });
  await systemDb().testClock.updateMany({ data: { target_time: null } });
  await systemDb().webhookEndpoint.deleteMany({ where: { id: { not: ids.endpoint } } });
  await systemDb().packet.deleteMany({ where: { id: { not: ids.packet } } });
  await systemDb().property.deleteMany({ where: { id: { not: ids.property } } });
}

describe.each(bodies)('$row', ({ row, method, path, schema, example }) => {
  it('accepts the example that the document shows', async () => {
    await clear();
    const body = withOwnIds(example);
    const answer = await world.api.request<ResponseBody>(method.toUpperCase(), filled(path), {
      key: keyOf(path),
      body,
    });
    expect(answer.body.error).toBeUndefined();
    expect(answer.status).toBeLessThan(300);
  });

  it('has a named body schema that forbids additional fields', () => {
    expect(schema.$ref).toMatch(/^#\/components\/schemas\/[A-Z][A-Za-z]+$/);
    for (const one of [schema, ...propertiesOf(schema).map((property) => property.schema)].flatMap(variants)) {
      if (one.properties) expect(one.additionalProperties, JSON.stringify(one).slice(0, 200)).toBe(false);
    }
  });

  // A schema is tested once, even when several operations use it.
  const judged = bodies.find((body) => body.schema.$ref === schema.$ref)?.row === row;
  (judged ? it : () => {})(
    'accepts exactly the bodies that its schema allows',
    { ...MATRIX_TEST_OPTIONS, timeout: 300_000 },
    async () => {
      const validate = ajv.compile({ $ref: `openapi${schema.$ref}` });
      const disagreements: string[] = [];
      const base = validBody(row, example);
      expect(validate(base), ajv.errorsText(validate.errors)).toBe(true);
      for (const property of propertiesOf(schema)) {
        const name = property.path.join('.');
        for (const value of selectSampledCases(VALUES)) {
          const body = withValue(validBody(row, example), property.path, value);
          const allowed = validate(body);
          if (method === 'post') await clear();
          const answer = await world.api.request<ResponseBody>(method.toUpperCase(), filled(path), {
            key: keyOf(path),
            body,
          });
          const shown = `${name} = ${JSON.stringify(value).slice(0, 40)}: ${answer.status} ${answer.body?.error?.message ?? ''}`;
          if (answer.status >= 500) disagreements.push(`${shown} (fault)`);
          if (allowed === (answer.status !== 400)) continue;
          const text = JSON.stringify([property.schema, document.paths[path][method].description, deref(schema)]);
          const top = deref(schema).properties?.[String(property.path[0])];
          const said =
            PROSE.some(([which, words]) => which.test(name) && words.test(text)) ||
            top?.description?.startsWith('Read-only: accepted only') === true;
          if (allowed && said) continue;
          disagreements.push(`${shown} but the schema ${allowed ? 'allows' : 'refuses'} it`);
        }
      }
      expect(disagreements).toEqual([]);
    },
  );

  it('reports an optional property that is null as invalid, not as missing', async () => {
    if (method === 'post') await clear();
    for (const property of propertiesOf(schema)) {
      const parent = property.path.slice(0, -1);
      const holder = variants(
        parent.reduce<Schema>((one, part) => {
          const [found] = variants(one).filter((candidate) => candidate.properties || candidate.items);
          return (typeof part === 'number' ? found?.items : found?.properties?.[part]) as Schema;
        }, schema),
      ).find((one) => one.properties);
      const required = holder?.required?.includes(String(property.path.at(-1))) ?? false;
      const body = withValue(validBody(row, example), property.path, null);
      const answer = await world.api.request<ResponseBody>(method.toUpperCase(), filled(path), {
        key: keyOf(path),
        body,
      });
      if (answer.status < 400) continue;
      expect([property.path.join('.'), answer.status, answer.body.error.code], answer.body.error.message).toEqual([
        property.path.join('.'),
        400,
        required ? 'missing_required_field' : 'invalid_field',
      ]);
      if (!required) expect(answer.body.error.message).not.toMatch(/is required/);
    }
  });

  it('stores an empty optional text as null', async () => {
    const answered: [string, unknown][] = [];
    if (method === 'post') await clear();
    for (const property of propertiesOf(schema)) {
      const texts = variants(property.schema);
      if (
        !texts.some((one) => one.type === 'null') ||
        !texts.some((one) => one.type === 'string' && !one.pattern && !one.format && !one.enum)
      )
        continue;
      const body = withValue(validBody(row, example), property.path, '  ');
      const answer = await world.api.request<ResponseBody>(method.toUpperCase(), filled(path), {
        key: keyOf(path),
        body,
      });
      if (answer.status >= 400) continue;
      const shown = property.path.reduce((at, part) => at?.[part], answer.body) ?? null;
      answered.push([property.path.join('.'), shown]);
    }
    expect(answered.filter(([, shown]) => shown !== null)).toEqual([]);
    if (/PacketUpdate|Property/.test(schema.$ref ?? '')) expect(answered.length).toBeGreaterThan(0);
  });
});
