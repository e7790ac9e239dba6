import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildOpenApiDocument } from '@/api/openapi';
import { appRouter } from '@/api/router';
import { isApiKeyScopeName } from '@/modules/api-keys/scopes';
import { ERRORS } from '@/shared/errors';
import { createRouteMatcher, listRoutes, type Route } from './routes';

const routes = listRoutes(appRouter);

/** The specification's endpoint tables. */
const ROWS = `
GET /properties
POST /properties
GET /properties/{id}
PATCH /properties/{id}
DELETE /properties/{id}
GET /reservations
POST /reservations
GET /reservations/{id}
PATCH /reservations/{id}
DELETE /reservations/{id}
POST /reservations/{id}/send
POST /reservations/{id}/resend
POST /reservations/{id}/cancel
GET /reservations/{id}/email_preview
GET /reservations/{id}/events
GET /reservations/{id}/copy-link
GET /certificates
GET /certificates/{id}
GET /certificates/{id}/download
GET /sync_sources
GET /sync_sources/{id}
POST /sync_sources/{id}/run
GET /sms_messages
GET /sms_messages/{id}
GET /webhook_endpoints
POST /webhook_endpoints
GET /webhook_endpoints/{id}
PATCH /webhook_endpoints/{id}
DELETE /webhook_endpoints/{id}
POST /webhook_endpoints/{id}/rotate
GET /webhook_endpoints/{id}/deliveries
GET /webhook_endpoints/{id}/deliveries/{evt_id}
POST /webhook_endpoints/{id}/deliveries/{evt_id}/redeliver
GET /properties/{id}/packets
POST /properties/{id}/packets
GET /packets/{id}
PATCH /packets/{id}
DELETE /packets/{id}
POST /packets/{id}/set-default
POST /packets/{id}/archive
POST /packets/{id}/restore
GET /properties/{id}/packet
PUT /properties/{id}/packet
PATCH /properties/{id}/packet`
  .trim()
  .split('\n');

it('every row of the specification’s endpoint tables is an operation, and all others are beta', () => {
  const all = routes.map((route) => `${route.method} ${route.pattern}`);
  expect(ROWS.filter((row) => !all.includes(row))).toEqual([]);
  const beyond = routes.filter((route) => !ROWS.includes(`${route.method} ${route.pattern}`));
  expect(beyond.filter(({ meta }) => meta.stability !== 'beta').map(({ name }) => name)).toEqual([]);
});

interface Response {
  $ref?: string;
  content?: { 'application/json'?: { example?: unknown; examples?: object } };
}
const document = buildOpenApiDocument() as {
  components: { responses: Record<string, Response> };
  paths: Record<
    string,
    Record<
      string,
      {
        summary?: string;
        description?: string;
        tags?: string[];
        operationId: string;
        requestBody?: unknown;
        responses: Record<string, Response>;
      }
    >
  >;
};
/** Resolves a response that several operations share. */
const shared = (response?: Response): Response | undefined =>
  response?.$ref ? document.components.responses[response.$ref.split('/').at(-1) ?? ''] : response;
const showsExample = (media?: { example?: unknown; examples?: object }) =>
  media?.example !== undefined || media?.examples !== undefined;
const documented = (route: Route) => {
  const operation = document.paths[route.pattern]?.[route.method.toLowerCase()];
  if (!operation) throw new Error(`${route.name} is not documented.`);
  return operation;
};

describe.each(routes.map((route) => [route.name, route] as const))('%s', (_name, route) => {
  const definition = route.procedure._def as unknown as { inputs: unknown[]; output?: unknown; type: string };

  it('has input and output schemas, and its input rejects unknown fields', () => {
    const [input] = definition.inputs;
    expect(definition.inputs).toHaveLength(1);
    expect(input).toBeInstanceOf(z.ZodObject);
    expect(
      (input as z.ZodObject)
        .safeParse({ certainly_unknown: 1 })
        .error?.issues.some((issue) => issue.code === 'unrecognized_keys'),
    ).toBe(true);
    expect(definition.output).toBeInstanceOf(z.ZodType);
    expect(definition.type).toBe(route.method === 'GET' ? 'query' : 'mutation');
  });

  it('has a scope of the catalogue, and a read scope only if it reads', () => {
    expect(isApiKeyScopeName(route.meta.scope)).toBe(true);
    if (route.method !== 'GET') expect(route.meta.scope).not.toMatch(/:read$/);
  });

  it('lists catalogued errors, including resource_missing if its path has an id', () => {
    for (const code of route.meta.errors) expect(Object.keys(ERRORS)).toContain(code);
    if (route.pattern.includes('{')) expect(route.meta.errors).toContain('resource_missing');
    expect(new Set(route.meta.errors).size).toBe(route.meta.errors.length);
  });

  it('is documented with summary, description, tag and examples of request and response', () => {
    const operation = documented(route);
    expect(operation.summary).toMatch(/^[A-Z]/);
    expect(operation.description).toContain(`\`${route.meta.scope}\``);
    expect(operation.tags).toHaveLength(1);
    const success = shared(operation.responses[String(route.meta.success_status)]);
    expect(success).toBeDefined();
    if (![204, 302].includes(route.meta.success_status)) {
      expect(success?.content?.['application/json']).toSatisfy(showsExample);
    }
    if (operation.requestBody) {
      const { content } = operation.requestBody as { content: Record<string, { example?: unknown }> };
      expect(content['application/json']).toSatisfy(showsExample);
    }
  });
});

describe('listRoutes', () => {
  it('gives every operation its own path, name and operation id', () => {
    expect(new Set(routes.map((route) => `${route.method} ${route.pattern}`)).size).toBe(routes.length);
    expect(new Set(routes.map((route) => documented(route).operationId)).size).toBe(routes.length);
  });
});

describe('createRouteMatcher', () => {
  const match = createRouteMatcher(routes);

  it('matches every operation by its pattern, and returns the path parameters', () => {
    for (const route of routes) {
      const found = match(route.method, route.pattern.replace('{id}', 'an%20id').replace('{evt_id}', 'evt_1'));
      expect(found).toMatchObject({ kind: 'found', route: { name: route.name } });
      if (found.kind === 'found' && route.pattern.includes('{id}')) expect(found.params.id).toBe('an id');
      if (found.kind === 'found' && route.pattern.includes('{evt_id}')) expect(found.params.evt_id).toBe('evt_1');
    }
  });

  it('distinguishes an unknown path from a wrong method', () => {
    expect(match('GET', '/nothing')).toEqual({ kind: 'unknown' });
    expect(match('GET', '/properties/')).toEqual({ kind: 'unknown' });
    expect(match('PUT', '/properties')).toEqual({ kind: 'wrong_method', allow: ['GET', 'POST'] });
  });
});
