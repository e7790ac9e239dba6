import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { findBreakingChanges } from './openapi-breaking';

const current = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
/**
 * The OpenAPI document of the last release. At a release it is created with `gzip -n
 * docs/openapi.json`.
 */
const released = JSON.parse(gunzipSync(readFileSync('docs/openapi.released.json.gz')).toString('utf8'));

it('the committed document breaks nothing for clients of the last release', () => {
  const stable = findBreakingChanges(released, current).filter((one) => one.stability === 'stable');
  expect(stable).toEqual([]);
});

it('a document breaks nothing compared to itself', () => {
  expect(findBreakingChanges(current, structuredClone(current))).toEqual([]);
});

// biome-ignore lint/suspicious/noExplicitAny: the tests change a document at will.
type Document = any;

/** Returns a small document, which the tests modify. */
const base = (): Document => ({
  paths: {
    '/things': {
      get: {
        operationId: 'things_list',
        'x-scope': 'things:read',
        'x-stability': 'stable',
        parameters: [
          { in: 'query', name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 100 } },
          { in: 'query', name: 'status', schema: { type: 'string', enum: ['a', 'b'] } },
        ],
        responses: { '200': json({ $ref: '#/components/schemas/Thing' }), '304': { description: '' }, '404': json({}) },
      },
      post: {
        operationId: 'things_create',
        'x-scope': 'things:write',
        'x-stability': 'stable',
        requestBody: {
          ...json({
            type: 'object',
            additionalProperties: false,
            required: ['name'],
            properties: {
              name: { type: 'string', maxLength: 120, pattern: '^a' },
              note: { anyOf: [{ type: 'string', maxLength: 10 }, { type: 'null' }] },
              kind: { type: 'string', enum: ['x', 'y'] },
              size: { type: 'number' },
              tags: { type: 'array', maxItems: 5, items: { type: 'string' } },
            },
          }),
        },
        responses: { '201': { ...json({ $ref: '#/components/schemas/Thing' }), headers: { ETag: {} } } },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        required: ['id', 'object', 'at', 'note', 'size', 'state', 'parts'],
        properties: {
          id: { type: 'string' },
          object: { type: 'string', const: 'thing' },
          at: { type: 'string', format: 'date-time' },
          note: { type: 'string' },
          size: { type: 'number' },
          state: { type: 'string', enum: ['new', 'old'] },
          parts: { type: 'array', items: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } },
        },
      },
    },
  },
});
function json(schema: Document) {
  return { content: { 'application/json': { schema } } };
}
const get = (document: Document) => document.paths['/things'].get;
const post = (document: Document) => document.paths['/things'].post;
const body = (document: Document) => post(document).requestBody.content['application/json'].schema;
const thing = (document: Document) => document.components.schemas.Thing;

function changesAfter(edit: (document: Document) => void): string[] {
  const after = base();
  edit(after);
  return findBreakingChanges(base(), after).map(({ operation, change }) => `${operation}: ${change}`);
}

describe('a breaking change', () => {
  it.each<[string, (document: Document) => void, string]>([
    [
      'a removed path',
      (d) => {
        delete d.paths['/things'];
      },
      'GET /things: the operation was removed',
    ],
    [
      'a removed method',
      (d) => {
        delete d.paths['/things'].post;
      },
      'POST /things: the operation was removed',
    ],
    [
      'a changed operationId',
      (d) => {
        get(d).operationId = 'things_all';
      },
      'GET /things: operationId things_list became things_all',
    ],
    [
      'a changed scope',
      (d) => {
        get(d)['x-scope'] = 'all:read';
      },
      'GET /things: the scope things:read became all:read',
    ],
    [
      'a stable operation that becomes beta',
      (d) => {
        get(d)['x-stability'] = 'beta';
      },
      'GET /things: the operation is no longer stable',
    ],
    [
      'a removed parameter',
      (d) => {
        get(d).parameters.shift();
      },
      'GET /things: the parameter query limit was removed',
    ],
    [
      'a required parameter',
      (d) => {
        get(d).parameters[0].required = true;
      },
      'GET /things: the parameter query limit became required',
    ],
    [
      'a new required parameter',
      (d) => {
        get(d).parameters.push({ in: 'query', name: 'team', required: true, schema: {} });
      },
      'GET /things: the parameter query team is new and required',
    ],
    [
      'a smaller maximum',
      (d) => {
        get(d).parameters[0].schema.maximum = 50;
      },
      'GET /things: parameter query limit: maximum 100 became 50',
    ],
    [
      'a larger minimum',
      (d) => {
        get(d).parameters[0].schema.minimum = 2;
      },
      'GET /things: parameter query limit: minimum 1 became 2',
    ],
    [
      'a removed enum value in requests',
      (d) => {
        get(d).parameters[1].schema.enum = ['a'];
      },
      'GET /things: parameter query status: b was removed from the values',
    ],
    [
      'a required body',
      (d) => {
        post(d).requestBody.required = true;
      },
      'POST /things: the request body became required',
    ],
    [
      'a removed body',
      (d) => {
        delete post(d).requestBody;
      },
      'POST /things: the request body was removed',
    ],
    [
      'a removed request field',
      (d) => {
        delete body(d).properties.note;
      },
      'POST /things: request body: the field note was removed',
    ],
    [
      'a field that became required',
      (d) => {
        body(d).required.push('note');
      },
      'POST /things: request body: the field note became required',
    ],
    [
      'a new required request field',
      (d) => {
        body(d).properties.owner = { type: 'string' };
        body(d).required.push('owner');
      },
      'POST /things: request body: the field owner is new and required',
    ],
    [
      'a request field of another type',
      (d) => {
        body(d).properties.size = { type: 'string' };
      },
      'POST /things: request body, size: the type number became string',
    ],
    [
      'a narrower request type',
      (d) => {
        body(d).properties.size = { type: 'integer' };
      },
      'POST /things: request body, size: the type number became integer',
    ],
    [
      'null no longer accepted',
      (d) => {
        body(d).properties.note = { type: 'string', maxLength: 10 };
      },
      'POST /things: request body, note: the type string or null became string',
    ],
    [
      'a shorter text',
      (d) => {
        body(d).properties.name.maxLength = 80;
      },
      'POST /things: request body, name: maxLength 120 became 80',
    ],
    [
      'a new limit',
      (d) => {
        body(d).properties.tags.items.maxLength = 3;
      },
      'POST /things: request body, tags[]: maxLength unlimited became 3',
    ],
    [
      'a changed pattern',
      (d) => {
        body(d).properties.name.pattern = '^b';
      },
      'POST /things: request body, name: the pattern ^a became ^b',
    ],
    [
      'an enumeration where any value was accepted',
      (d) => {
        body(d).properties.name.enum = ['a'];
      },
      'POST /things: request body, name: only a are taken now',
    ],
    [
      'a removed success status',
      (d) => {
        delete get(d).responses['304'];
      },
      'GET /things: the status 304 was removed',
    ],
    [
      'a changed success status',
      (d) => {
        post(d).responses = { '200': post(d).responses['201'] };
      },
      'POST /things: the status 201 was removed',
    ],
    [
      'a removed header',
      (d) => {
        post(d).responses['201'].headers = {};
      },
      'POST /things: the header ETag of 201 was removed',
    ],
    [
      'a removed response body',
      (d) => {
        get(d).responses['200'] = {};
      },
      'GET /things: the body of 200 was removed',
    ],
    [
      'a removed response field',
      (d) => {
        delete thing(d).properties.size;
      },
      'GET /things: answer 200: the field size was removed',
    ],
    [
      'a field that may be absent',
      (d) => {
        thing(d).required.shift();
      },
      'GET /things: answer 200: the field id may now be absent',
    ],
    [
      'a field that may be null',
      (d) => {
        thing(d).properties.note = { type: ['string', 'null'] };
      },
      'GET /things: answer 200, note: the type string became string or null',
    ],
    [
      'a changed constant',
      (d) => {
        thing(d).properties.object.const = 'item';
      },
      'GET /things: answer 200, object: the constant thing became item',
    ],
    [
      'a changed format',
      (d) => {
        thing(d).properties.at.format = 'date';
      },
      'GET /things: answer 200, at: the format date-time became date',
    ],
    [
      'a change in a nested schema',
      (d) => {
        thing(d).properties.parts.items.properties.a = { type: 'integer' };
      },
      'GET /things: answer 200, parts[], a: the type string became integer',
    ],
  ])('%s', (_name, edit, expected) => {
    expect(changesAfter(edit)).toContain(expected);
  });

  it('is classified by the stability that the old document promised', () => {
    const before = base();
    get(before)['x-stability'] = 'beta';
    const after = base();
    delete after.paths['/things'];
    expect(findBreakingChanges(before, after).map((one) => one.stability)).toEqual(['beta', 'stable']);
  });
});

describe('a compatible change', () => {
  it.each<[string, (document: Document) => void]>([
    [
      'a new path',
      (d) => {
        d.paths['/others'] = d.paths['/things'];
      },
    ],
    [
      'a new optional parameter',
      (d) => {
        get(d).parameters.push({ in: 'query', name: 'x', schema: { type: 'string' } });
      },
    ],
    [
      'a larger limit',
      (d) => {
        get(d).parameters[0].schema.maximum = 500;
        body(d).properties.name.maxLength = 200;
      },
    ],
    [
      'a removed limit',
      (d) => {
        delete body(d).properties.name.maxLength;
        delete body(d).properties.name.pattern;
      },
    ],
    [
      'a new enum value',
      (d) => {
        get(d).parameters[1].schema.enum.push('c');
        thing(d).properties.state.enum.push('lost');
      },
    ],
    [
      'a new optional request field',
      (d) => {
        body(d).properties.x = { type: 'string' };
      },
    ],
    [
      'a request field no longer required',
      (d) => {
        body(d).required = [];
      },
    ],
    [
      'a wider request type',
      (d) => {
        body(d).properties.kind = { type: ['string', 'null'] };
      },
    ],
    [
      'a new response field',
      (d) => {
        thing(d).properties.x = { type: 'string' };
        thing(d).required.push('x');
      },
    ],
    [
      'a narrower response type',
      (d) => {
        thing(d).properties.size = { type: 'integer' };
      },
    ],
    [
      'a new or removed error',
      (d) => {
        delete get(d).responses['404'];
        get(d).responses['409'] = json({});
      },
    ],
    [
      'a changed description',
      (d) => {
        get(d).summary = 'New';
        thing(d).description = 'New';
      },
    ],
  ])('%s', (_name, edit) => {
    expect(changesAfter(edit)).toEqual([]);
  });
});
