/**
 * Generates the OpenAPI 3.1 document from the procedures. trpc-openapi creates the paths and
 * schemas. This file adds success statuses, headers, error responses by code, scopes and stability.
 */
import type { AnyRouter } from '@trpc/server';
import { generateOpenApiDocument } from 'trpc-openapi';
import { config } from '@/config';
import type { EventType } from '@/events/catalogue';
import { buildSamplePayload } from '@/modules/webhooks/event-log/sample-payloads';
import { ERRORS, type ErrorCode } from '@/shared/errors';
import { READ_ONLY_DESCRIPTION_PREFIX } from '@/shared/read-only';
import { extractSharedComponents } from './openapi-components';
import { buildSchemaExample } from './openapi-examples';
import { getResponseExample } from './openapi-response-examples';
import { addWebhookSchemasToOpenApi, WEBHOOK_DELIVERY_HEADER_PARAMETERS } from './openapi-webhooks';
import { isReplayableHttpStatus } from './rest/idempotency';
import { listRoutes } from './rest/routes';
import { appRouter } from './router';
import type { OperationMeta } from './trpc/init';

type Json = Record<string, unknown>;

/** Error codes that any operation can return. */
const COMMON: readonly ErrorCode[] = [
  'api_key_missing',
  'api_key_malformed',
  'api_key_invalid',
  'api_key_revoked',
  'api_key_expired',
  'api_key_wrong_environment',
  'insufficient_scope',
  'ip_not_allowed',
  'rate_limit_exceeded',
  'request_timeout',
  'request_too_large',
  'internal_error',
  'service_unavailable',
];
const WITH_BODY: readonly ErrorCode[] = [
  'invalid_json',
  'missing_required_field',
  'invalid_field',
  'unknown_field',
  'unsupported_media_type',
];
const WITH_KEY: readonly ErrorCode[] = [
  'idempotency_key_too_long',
  'idempotency_key_in_use',
  'idempotency_key_mismatch',
];

const WITH_CURSORS: readonly ErrorCode[] = ['invalid_cursor', 'conflicting_cursors'];

const REPLAY_HEADERS = ['Idempotent-Replay', 'X-Original-Request-Id'];
const RATE_HEADERS = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

const isIdempotent = (method: string) => method === 'POST' || method === 'PATCH';

function codesOf(method: string, meta: OperationMeta, query: readonly string[]): ErrorCode[] {
  const writes = method === 'POST' || method === 'PATCH' || method === 'PUT';
  return [
    ...new Set<ErrorCode>([
      ...COMMON,
      // `unknown_field` reports an unknown query parameter, and `invalid_field` an id that contains
      // unusable text.
      'unknown_field',
      'invalid_field',
      ...(writes ? WITH_BODY : []),
      ...(isIdempotent(method) ? WITH_KEY : []),
      ...(query.includes('starting_after') ? WITH_CURSORS : []),
      ...(meta.pro_only ? (['plan_required'] as const) : []),
      ...meta.errors,
    ]),
  ];
}

/** Statuses of responses that may be sent before the key is checked. */
const BEFORE_THE_KEY: readonly number[] = [401, 408, 413];

function errorResponses(method: string, codes: readonly ErrorCode[]): Json {
  const by_status = new Map<number, ErrorCode[]>();
  for (const code of codes) by_status.set(ERRORS[code].status, [...(by_status.get(ERRORS[code].status) ?? []), code]);
  return Object.fromEntries(
    [...by_status]
      .sort(([a], [b]) => a - b)
      .map(([status, list]) => [
        String(status),
        {
          description: `${list.map((code) => `\`${code}\``).join(', ')}.`,
          headers: headerReferences([
            ...RATE_HEADERS,
            ...(status === 429 || list.includes('idempotency_key_in_use') ? ['Retry-After'] : []),
            ...(status === 401 ? ['WWW-Authenticate'] : []),
            ...(isIdempotent(method) && isReplayableHttpStatus(status) ? REPLAY_HEADERS : []),
            ...(BEFORE_THE_KEY.includes(status) ? [] : ['Deprecation']),
          ]),
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Error' },
              examples: Object.fromEntries(list.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
            },
          },
        },
      ]),
  );
}

function errorExample(code: ErrorCode): Json {
  const { type, message } = ERRORS[code];
  return {
    error: {
      type,
      code,
      message,
      param: null,
      doc_url: `https://threshold.example/docs/errors#${code}`,
      request_id: 'req_01jd8z6q0v7m3k5n9r2t4w6y8a',
    },
  };
}

const headerReferences = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const HEADERS: Json = {
  'X-Request-Id': {
    description: 'The request’s id; also in errors.',
    schema: { type: 'string' },
    example: 'req_01jd8z6q0v7m3k5n9r2t4w6y8a',
  },
  'X-RateLimit-Limit': { description: 'Requests per minute.', schema: { type: 'integer' }, example: 100 },
  'X-RateLimit-Remaining': {
    description: 'How many more requests are sure to be accepted.',
    schema: { type: 'integer' },
    example: 99,
  },
  'X-RateLimit-Reset': {
    description: 'When the full limit is available again, in Unix seconds.',
    schema: { type: 'integer' },
    example: 1795253460,
  },
  'WWW-Authenticate': { description: 'The authentication scheme.', schema: { type: 'string' }, example: 'Bearer' },
  'Retry-After': { description: 'Whole seconds to wait.', schema: { type: 'integer' }, example: 7 },
  ETag: {
    description: 'The resource’s strong entity tag.',
    schema: { type: 'string' },
    example: '"3q2-7wAAAAAAAAAAAAAAAAAAAAA"',
  },
  Location: {
    description: 'The URL to follow, or the URL of the created resource.',
    schema: { type: 'string', format: 'uri' },
  },
  'Idempotent-Replay': {
    description: '`true` when this is the stored response of an earlier request.',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Original-Request-Id': {
    description: 'On a replay: the id of the earlier request.',
    schema: { type: 'string' },
    example: 'req_01jd8z6q0v7m3k5n9r2t4w6y8a',
  },
  Deprecation: { description: '`true` when the key was rotated.', schema: { type: 'string', enum: ['true'] } },
};

const ERROR_SCHEMA: Json = {
  type: 'object',
  description: 'What went wrong.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      description: 'The error.',
      required: ['type', 'code', 'message', 'param', 'doc_url', 'request_id'],
      properties: {
        type: {
          type: 'string',
          enum: [...new Set(Object.values(ERRORS).map((definition) => definition.type))],
          description: 'The kind of error. It is determined by the code.',
        },
        code: { type: 'string', enum: Object.keys(ERRORS), description: 'The machine code.' },
        message: { type: 'string', description: 'What is wrong, for people. The wording may change.' },
        param: { type: ['string', 'null'], description: 'The field that is wrong, as a dotted path.' },
        doc_url: { type: ['string', 'null'], format: 'uri', description: 'Where the code is described.' },
        request_id: { type: ['string', 'null'], description: 'The request’s id, as in `X-Request-Id`.' },
      },
    },
  },
};

const PARAMETERS = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'A new key for each logical write, at most 255 characters. The response is stored for 24 hours.',
    schema: { type: 'string', maxLength: 255 },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The write happens only when the resource still has this ETag.',
    schema: { type: 'string' },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'Returns 304 when the resource still has this ETag.',
    schema: { type: 'string' },
  },
};

const reference = (name: keyof typeof PARAMETERS) => ({ $ref: `#/components/parameters/${name}` });

/** Builds the document for this installation's address. */
export function buildOpenApiDocument(): Json {
  const routes = listRoutes(appRouter);
  const procedures = Object.fromEntries(routes.map(({ name, procedure }) => [name, procedure]));
  const partners_router = { _def: { procedures } } as unknown as AnyRouter;
  const document = generateOpenApiDocument(partners_router, {
    title: 'Threshold API',
    version: '1.0.0',
    description:
      'Signed acknowledgment of house rules, fees and check-in notes for short-term rentals. Server to server, with an API key of a Pro account.',
    baseUrl: config().api_root,
    license: { name: 'MIT', identifier: 'MIT' },
    securitySchemes: {
      ApiKey: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer service_live_sk_…`' },
    },
  } as never) as unknown as {
    paths: Record<string, Record<string, Json>>;
    webhooks: Record<string, Record<string, Json>>;
    components: Record<string, Json>;
    info: Json;
    tags?: unknown;
  };

  const tags = new Set<string>();
  for (const { method, pattern, name, meta } of routes) {
    const operation = document.paths[pattern]?.[method.toLowerCase()];
    if (!operation) throw new Error(`${method} ${pattern} is not in the document.`);
    for (const tag of operation.tags as string[]) tags.add(tag);
    decorate(operation, method, name, meta);
  }
  const { schemas } = document.components as { schemas: Record<string, Json> };
  // The published schemas allow undeclared response fields, because version 1 may add fields
  // (specification, "Versioning"). Our own tests check that responses contain none.
  for (const schema of [schemas, document.paths]) {
    setAdditional(schema, undefined);
    dropImpliedLimits(schema);
  }
  nameRequests(document.paths, schemas);
  // Removes the error schemas that trpc-openapi adds, because the bridge never sends such errors.
  for (const name of Object.keys(schemas)) if (name.startsWith('error.')) delete schemas[name];
  schemas.Error = ERROR_SCHEMA;
  document.components.headers = HEADERS;
  const used = JSON.stringify(document.paths);
  dropUnused(schemas, used);
  document.components.examples = Object.fromEntries(
    (Object.keys(ERRORS) as ErrorCode[])
      .filter((code) => used.includes(`"#/components/examples/${code}"`))
      .map((code) => [code, { summary: ERRORS[code].when, value: errorExample(code) }]),
  );
  const others = document.components.parameters as Json | undefined;
  document.components.parameters = { ...others, ...PARAMETERS, ...WEBHOOK_DELIVERY_HEADER_PARAMETERS };
  document.tags = [...tags].map((tag) => ({ name: tag, description: TAGS[tag] ?? `${tag} of the account.` }));
  document.info.contact = { name: 'Threshold', url: `${config().app_url}/docs` };
  addExamples(document.paths, schemas);
  document.webhooks = addWebhookSchemasToOpenApi(schemas, exampleEvent);
  for (const schema of [schemas, document.paths]) liftDescriptions(schema);
  extractSharedComponents(document);
  return { ...document, security: [{ ApiKey: [] }] } as unknown as Json;
}

const EXAMPLE_TIME = new Date('2026-11-21T09:30:00.000Z');

const exampleEvent = (type: EventType): Json => ({
  id: 'evt_01jd8z6q0v7m3k5n9r2t4w6y8a',
  object: 'event',
  type,
  created_at: EXAMPLE_TIME.toISOString(),
  livemode: true,
  sequence: 1,
  data: buildSamplePayload(type, EXAMPLE_TIME),
});

/**
 * Moves the description of a union's variant to its property, and the description of a parameter's
 * schema to the parameter, because tools read descriptions only there.
 */
function liftDescriptions(node: unknown): void {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const child of node) liftDescriptions(child);
    return;
  }
  const schema = node as Json & { anyOf?: Json[]; schema?: Json };
  const holder = [...(schema.anyOf ?? []), ...('in' in schema && schema.schema ? [schema.schema] : [])].find(
    ({ description }) => description,
  );
  if (holder) {
    schema.description ??= holder.description;
    delete holder.description;
  }
  for (const [name, child] of Object.entries(schema)) if (name !== 'example') liftDescriptions(child);
}

/**
 * Forbids (`false`) or allows (`undefined`) undeclared properties of object schemas, at any depth.
 */
function setAdditional(node: unknown, value: false | undefined): void {
  if (node === null || typeof node !== 'object') return;
  const schema = node as Json;
  const declares = schema.type === 'object' && schema.properties !== undefined;
  if (declares && value === false) schema.additionalProperties = false;
  else if (schema.additionalProperties === false) delete schema.additionalProperties;
  for (const child of Object.values(schema)) setAdditional(child, value);
}

/**
 * Removes limits without information: the range of every JSON integer, and `minLength` next to
 * `enum`.
 */
function dropImpliedLimits(node: unknown): void {
  if (node === null || typeof node !== 'object') return;
  const schema = node as Json;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.enum) delete schema.minLength;
  for (const child of Object.values(schema)) dropImpliedLimits(child);
}

/**
 * The `id` in a request body. It is accepted, so that a client can send a resource back unchanged.
 */
const PATH_ID = { description: `${READ_ONLY_DESCRIPTION_PREFIX}: accepted and ignored. The path names the resource.` };

/**
 * Moves each request body to the components, under the name of its resource and operation, such as
 * `ReservationCreate`.
 */
function nameRequests(paths: Record<string, Record<string, Json>>, schemas: Record<string, Json>): void {
  const named = new Map<string, string>();
  for (const [method, operation] of Object.values(paths).flatMap((methods) => Object.entries(methods))) {
    const media = mediaOf(operation.requestBody);
    if (!media) continue;
    setAdditional(media.schema, false);
    if (method !== 'post') (media.schema as { properties: Json }).properties.id = PATH_ID;
    const text = JSON.stringify(media.schema);
    const name = named.get(text) ?? requestName(operation.operationId as string);
    named.set(text, name);
    schemas[name] = media.schema as Json;
    media.schema = { $ref: `#/components/schemas/${name}` };
  }
}

/** Returns the name of a request body: `webhook_endpoints_create` -> `WebhookEndpointCreate`. */
function requestName(operation_id: string): string {
  const words = operation_id.split('_');
  const verb = words.pop() ?? '';
  return [...words, verb]
    .map((word) => (word === verb ? word : word.replace(/ies$/, 'y').replace(/s$/, '')))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** Removes schemas that neither an operation nor another schema refers to. */
function dropUnused(schemas: Record<string, Json>, paths: string): void {
  for (const name of Object.keys(schemas)) {
    const others = Object.entries(schemas).filter(([other]) => other !== name);
    const reference = `"#/components/schemas/${name}"`;
    if (!paths.includes(reference) && !JSON.stringify(others).includes(reference)) delete schemas[name];
  }
}

/** Adds an example to the body of every request and every response. */
function addExamples(paths: Record<string, Record<string, Json>>, schemas: Record<string, Json>): void {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  );
  for (const { path, operation } of all) {
    const request = mediaOf(operation.requestBody);
    if (request) request.example = buildSchemaExample(request.schema as Json, schemas);
    for (const [status, response] of Object.entries(operation.responses as Record<string, Json>)) {
      const media = Number(status) < 300 ? mediaOf(response) : undefined;
      if (!media) continue;
      const schema = String((media.schema as Json).$ref).replace('#/components/schemas/', '');
      media.example = getResponseExample(operation.operationId as string, path, schema);
    }
  }
}

function mediaOf(body: unknown): Json | undefined {
  return (body as { content?: Record<string, Json> } | undefined)?.content?.['application/json'];
}

const TAGS: Record<string, string> = {
  Properties: 'Listings, with their branding and automation settings.',
  Packets: 'The rules, fees and check-in notes that a guest acknowledges, in several variants per property.',
  Reservations: 'One guest’s signing event each: created, sent, signed.',
  Certificates: 'The proof of a signature: a sealed PDF and its audit trail.',
  'Sync sources': 'Calendar feeds and forwarding addresses that create reservations automatically.',
  'SMS messages': 'The SMS delivery log.',
  Events: 'Recorded events, with the bodies that webhooks deliver.',
  'Request logs': 'Requests to the API in the last 30 days.',
  'Test clocks': 'Clocks that set the time of properties in test mode.',
  'Webhook endpoints': 'Where events are sent, and every attempt to send them.',
};

function decorate(operation: Json, method: string, name: string, meta: OperationMeta): void {
  const parameters = (operation.parameters as { in: string; name: string }[] | undefined) ?? [];
  const query = parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name);
  operation.operationId = name.replace('.', '_');
  const beta = meta.stability === 'beta' ? ' Beta: it may change with 30 days’ notice.' : '';
  operation.description = `${operation.description ?? `${operation.summary}.`}\n\nNeeds the scope \`${meta.scope}\`.${beta}`;
  operation['x-stability'] = meta.stability;
  operation['x-scope'] = meta.scope;
  delete operation.security;
  operation.parameters = [
    ...parameters,
    ...(isIdempotent(method) ? [reference('Idempotency-Key')] : []),
    ...(meta.errors.includes('etag_mismatch') ? [reference('If-Match')] : []),
    ...(meta.etag && method === 'GET' ? [reference('If-None-Match')] : []),
  ];
  operation.responses = responses(operation.responses as Json, method, meta, codesOf(method, meta, query));
}

function responses(generated: Json, method: string, meta: OperationMeta, codes: readonly ErrorCode[]): Json {
  const success = generated['200'] as Json;
  const headers = headerReferences([
    ...RATE_HEADERS,
    ...(meta.etag ? ['ETag'] : []),
    ...(meta.success_status === 201 ? ['Location'] : []),
    ...(isIdempotent(method) ? REPLAY_HEADERS : []),
    'Deprecation',
  ]);
  const status = meta.success_status;
  const answer: Json =
    status === 204
      ? { description: 'Deleted.', headers }
      : status === 302
        ? { description: 'A redirect to the file.', headers: { ...headers, ...headerReferences(['Location']) } }
        : { ...success, description: DESCRIPTIONS[status] ?? 'Success.', headers };
  const unchanged =
    meta.etag && method === 'GET' ? { '304': { description: 'Not modified since the given ETag.', headers } } : {};
  return { [String(status)]: answer, ...unchanged, ...errorResponses(method, codes) };
}

const DESCRIPTIONS: Record<number, string> = { 200: 'Success.', 201: 'Created.', 202: 'Queued.' };
