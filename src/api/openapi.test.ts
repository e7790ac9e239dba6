import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { EVENT_TYPE_NAMES } from '@/events/catalogue';
import { ERRORS } from '@/shared/errors';
import { buildOpenApiDocument } from './openapi';
import { inlineOpenApiComponentReferences } from './openapi-components';

setConfig({ app_url: 'https://threshold.example', api_root: 'https://threshold.example/v1' });

// biome-ignore lint/suspicious/noExplicitAny: a JSON document of any shape is walked.
type Node = any;
const document: Node = JSON.parse(JSON.stringify(buildOpenApiDocument()));
const written_out: Node = inlineOpenApiComponentReferences(document);
const operations = Object.entries<Node>(written_out.paths).flatMap(([path, methods]) =>
  Object.entries<Node>(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
);

it('docs/openapi.json matches the generated document (`npm run openapi` writes it)', () => {
  expect(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))).toEqual(document);
});

const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
addFormats.default(ajv);
ajv.addSchema(written_out, 'openapi', undefined, false);

function problems(pointer: string[], value: unknown): string | null {
  const path = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const validate = ajv.compile({ $ref: `openapi#/${path}` });
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

describe.each(operations)('%s', (row, operation) => {
  const [method = '', path = ''] = row.split(' ');
  const at = ['paths', path, method.toLowerCase()];

  it('has examples that are valid by its own schemas', () => {
    const request = operation.requestBody?.content['application/json'];
    if (request)
      expect(problems([...at, 'requestBody', 'content', 'application/json', 'schema'], request.example)).toBeNull();
    for (const [status, response] of Object.entries<Node>(operation.responses)) {
      const media = response.content?.['application/json'];
      if (!media || Number(status) >= 400) continue;
      expect(problems([...at, 'responses', status, 'content', 'application/json', 'schema'], media.example)).toBeNull();
    }
  });

  it('documents 401, 413, 429 and the errors of its inputs, with an example for each code', () => {
    const statuses = Object.keys(operation.responses);
    expect(statuses).toEqual(expect.arrayContaining(['401', '403', '408', '413', '429', '500']));
    if (operation.requestBody) expect(statuses).toEqual(expect.arrayContaining(['400', '415']));
    if (method === 'POST' || method === 'PATCH') expect(statuses).toContain('422');
    for (const status of statuses.filter((one) => Number(one) >= 400)) {
      const { examples } = operation.responses[status].content['application/json'];
      expect(Object.keys(examples).length).toBeGreaterThan(0);
      for (const code of Object.keys(examples)) expect(ERRORS[code as keyof typeof ERRORS].status).toBe(Number(status));
    }
  });

  it('accepts cursors if it accepts a limit, so that every page can be reached', () => {
    const names = (operation.parameters ?? []).map((parameter: Node) => parameter.name);
    if (names.includes('limit')) expect(names).toEqual(expect.arrayContaining(['starting_after', 'ending_before']));
  });

  it('requires the API key, and documents its scope and stability', () => {
    expect(operation.security ?? document.security).toEqual([{ ApiKey: [] }]);
    expect(operation['x-scope']).toMatch(/^[a-z_]+:(read|write|send|run)$/);
    expect(['stable', 'beta']).toContain(operation['x-stability']);
  });
});

it('resources always have every field, and allow additional ones (specification, "Versioning")', () => {
  for (const name of [
    'Property',
    'Reservation',
    'Packet',
    'Certificate',
    'SyncSource',
    'SmsMessage',
    'WebhookEndpoint',
    'WebhookDelivery',
  ]) {
    const schema = document.components.schemas[name];
    // The API returns this field only for a send with a test key (specification, "Reservation").
    const optional = name === 'Reservation' ? ['email_preview_url'] : [];
    expect([...schema.required, ...optional].sort(), name).toEqual(Object.keys(schema.properties).sort());
    expect(schema.additionalProperties, name).toBeUndefined();
  }
});

it('the error examples are valid errors, with one for every code', () => {
  const examples = Object.entries<Node>(document.components.examples).filter(([name]) => name in ERRORS);
  expect(examples.length).toBeGreaterThan(50);
  for (const [code, { value }] of examples) {
    expect(problems(['components', 'schemas', 'Error'], value), code).toBeNull();
    expect(value.error.code).toBe(code);
  }
});

/**
 * Yields every property and parameter of the document with its path. A reference has the
 * description of its target.
 */
function* described(node: Node, path: string): Generator<readonly [string, string]> {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const [index, child] of node.entries()) yield* described(child, `${path}[${index}]`);
    return;
  }
  const descriptionOf = (schema: Node): string =>
    schema.description || (schema.$ref ? descriptionOf(at(schema.$ref)) : '') || '';
  if (typeof node.in === 'string' && typeof node.name === 'string')
    yield [`${path} ${node.name}`, descriptionOf(node)] as const;
  for (const [name, child] of Object.entries<Node>(node)) {
    if (name === 'example' || name === 'examples') continue;
    if (name === 'properties')
      for (const [property, schema] of Object.entries<Node>(child))
        yield [`${path}.${property}`, descriptionOf(schema)] as const;
    yield* described(child, `${path}/${name}`);
  }
}
const at = (reference: string): Node =>
  reference
    .slice(2)
    .split('/')
    .reduce((node, part) => node[part], document);

it('describes every property, parameter and schema', () => {
  const found = [...described({ ...document.components, paths: document.paths, webhooks: document.webhooks }, '#')];
  expect(found.length).toBeGreaterThan(500);
  expect(found.filter(([, description]) => description.trim() === '').map(([path]) => path)).toEqual([]);
  const schemas = Object.entries<Node>(document.components.schemas);
  const bare = schemas.filter(([name, schema]) => !schema.description && !/(List|Create|Update|Advance)$/.test(name));
  expect(bare.map(([name]) => name)).toEqual([]);
});

it('gives every schema and field a unique name in generated types, which are named by schema and field', () => {
  const pascal = (text: string) => text.replace(/(^|[_.])(\w)/g, (_, _mark, letter: string) => letter.toUpperCase());
  const names = new Map<string, string[]>();
  const add = (name: string, where: string) => names.set(name, [...(names.get(name) ?? []), where]);
  const walk = (name: string, where: string, schema: Node) => {
    if (!schema || schema.$ref) return;
    add(name, where);
    for (const [field, inner] of Object.entries<Node>(schema.properties ?? {}))
      walk(name + pascal(field), `${where}.${field}`, inner);
    if (schema.items) walk(`${name}Item`, `${where}[]`, schema.items);
  };
  for (const [name, schema] of Object.entries<Node>(document.components.schemas)) walk(pascal(name), name, schema);
  expect(names.size).toBeGreaterThan(200);
  expect([...names.values()].filter((places) => places.length > 1)).toEqual([]);
});

it('stays small: shared parts are defined once', () => {
  const remedy = 'Share what repeats (openapi-components.ts), or raise the limit for a new operation.';
  expect(Buffer.byteLength(JSON.stringify(document)), remedy).toBeLessThan(340_000);
  expect(Object.keys(document.components.responses)).toEqual(expect.arrayContaining(['Unauthorized', 'RateLimited']));
});

it('states in the description which operations are beta', () => {
  for (const [row, operation] of operations)
    expect(/\bBeta: it may change/.test(operation.description), row).toBe(operation['x-stability'] === 'beta');
});

describe('the webhooks', () => {
  const strict = JSON.parse(JSON.stringify(document), (_, value) =>
    value?.type === 'object' && value.properties ? { additionalProperties: false, ...value } : value,
  );
  const checker = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  addFormats.default(checker);
  checker.addSchema(strict, 'strict', undefined, false);

  it('cover every event type, distinguished by their type', () => {
    expect(Object.keys(document.webhooks)).toEqual(EVENT_TYPE_NAMES);
    const { oneOf, discriminator } = document.components.schemas.Event;
    expect(Object.keys(discriminator.mapping)).toEqual(EVENT_TYPE_NAMES);
    expect(oneOf.map(({ $ref }: Node) => $ref)).toEqual(Object.values(discriminator.mapping));
    const { events } = document.components.schemas.WebhookEndpointCreate.properties;
    expect(at(events.items.$ref).enum).toEqual(['*', ...EVENT_TYPE_NAMES]);
  });

  it.each(EVENT_TYPE_NAMES)('%s: its example and a test event are valid and have no undeclared fields', (type) => {
    const media = document.webhooks[type].post.requestBody.content['application/json'];
    const validate = checker.compile({ $ref: `strict${media.schema.$ref}` });
    const test = { ...media.example, data: { ...media.example.data, test_event: true } };
    for (const body of [media.example, test])
      expect(validate(body) ? null : checker.errorsText(validate.errors)).toBeNull();
    const union = checker.compile({ $ref: 'strict#/components/schemas/Event' });
    expect(union(media.example) ? null : checker.errorsText(union.errors)).toBeNull();
    expect(union({ ...media.example, type: 'reservation.unknown' })).toBe(false);
  });
});
