import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { ERRORS } from '@/shared/errors';
import { buildOpenApiDocument } from './openapi';

setConfig({ app_url: 'https://threshold.example', api_root: 'https://threshold.example/v1' });

// biome-ignore lint/suspicious/noExplicitAny: a JSON document of any shape is walked.
type Node = any;
const document: Node = JSON.parse(JSON.stringify(buildOpenApiDocument()));
const operations = Object.entries<Node>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Node>(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
);

it('docs/openapi.json is the generated document (`npm run openapi` writes it)', () => {
  expect(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))).toEqual(document);
});

const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi', undefined, false);

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

  it('documents 401, 413 and 429, the errors of what it takes, and names its codes by example', () => {
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

  it('needs the key, and says its scope and stability', () => {
    expect(operation.security).toEqual([{ ApiKey: [] }]);
    expect(operation['x-scope']).toMatch(/^[a-z_]+:(read|write|send|run)$/);
    expect(['stable', 'beta']).toContain(operation['x-stability']);
  });
});

it('resources have every field always, and leave room for more (specification, "Versioning")', () => {
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
    // Only a send with a test key answers it (specification, "Reservation").
    const optional = name === 'Reservation' ? ['email_preview_url'] : [];
    expect([...schema.required, ...optional].sort(), name).toEqual(Object.keys(schema.properties).sort());
    expect(schema.additionalProperties, name).toBeUndefined();
  }
});

it('the error examples are valid errors, and every code of an operation has one', () => {
  for (const [code, { value }] of Object.entries<Node>(document.components.examples)) {
    expect(problems(['components', 'schemas', 'Error'], value), code).toBeNull();
    expect(value.error.code).toBe(code);
  }
});
