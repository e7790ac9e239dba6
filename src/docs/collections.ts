/**
 * The operations as collections for Postman and Bruno, made from the OpenAPI document as the reference is: there is no file that could be
 * behind it. What creates something keeps its id in a variable, and what needs an id takes it from there.
 */
import { buildOpenApiDocument } from '@/api/openapi';
import { config } from '@/config';

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  description?: string;
  schema?: { example?: unknown; default?: unknown; enum?: unknown[] };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string; description: string }[];
}

interface Operation {
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { example?: unknown } } };
  responses: Record<string, { content?: { 'application/json'?: { schema: { $ref?: string } } } }>;
}

interface Request {
  readonly name: string;
  readonly description: string;
  readonly method: string;
  /** `/reservations/:id/send`. */
  readonly path: string;
  /** The variable behind each place of the path. */
  readonly places: readonly { name: string; variable: string; description: string }[];
  readonly query: readonly { name: string; value: string; description: string }[];
  /** POST and PATCH take a key. */
  readonly keyed: boolean;
  /** JSON, its ids as variables. */
  readonly body: string | null;
  /** Where the id of what it makes is kept. */
  readonly keeps: string | null;
}

/** Which variable stands for an id, by how the id begins. */
const VARIABLES: Readonly<Record<string, string>> = {
  prop_: 'property_id',
  pkt_: 'packet_id',
  res_: 'reservation_id',
  sig_: 'certificate_id',
  ss_: 'sync_source_id',
  clock_: 'test_clock_id',
  req_: 'request_log_id',
  sms_: 'sms_message_id',
  whe_: 'webhook_endpoint_id',
  evt_: 'event_id',
};
const ID = /"(prop_|pkt_|res_|sig_|ss_|sms_|whe_|evt_|clock_|req_)[0-9a-z]{20,}"/g;
const NAME = 'Threshold';

/** `webhook_endpoints` -> `webhook_endpoint_id`. */
const variableOf = (segment: string) => `${segment.replace(/ies$/, 'y').replace(/s$/, '')}_id`;

function folders(): { name: string; description: string; requests: Request[] }[] {
  const document = buildOpenApiDocument() as unknown as Document;
  const placed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return document.tags.map(({ name, description }) => ({
    name,
    description,
    requests: placed.filter(({ operation }) => operation.tags.includes(name)).map(requestOf),
  }));
}

function requestOf({ path, method, operation }: { path: string; method: string; operation: Operation }): Request {
  const parameters = (operation.parameters ?? []).filter((one) => !one.$ref);
  const segments = path.split('/');
  const places = segments.flatMap((segment, index) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (!name) return [];
    const description = parameters.find((one) => one.name === name)?.description ?? '';
    return [{ name, variable: name === 'evt_id' ? 'event_id' : variableOf(segments[index - 1] ?? ''), description }];
  });
  const query = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, description = '', schema = {} }) => ({
      name,
      value: String(schema.example ?? schema.default ?? schema.enum?.[0] ?? ''),
      description,
    }));
  const example = operation.requestBody?.content['application/json'].example;
  const made = operation.responses[201]?.content?.['application/json']?.schema.$ref;
  const body =
    example === undefined
      ? null
      : JSON.stringify(example, null, 2).replace(ID, (_, prefix: string) => `"{{${VARIABLES[prefix]}}}"`);
  return {
    name: operation.summary,
    description: operation.description,
    method,
    path: path.replace(/\{(\w+)\}/g, ':$1'),
    places,
    query,
    keyed: method === 'POST' || method === 'PATCH',
    body,
    keeps: made ? variableOf(segments.at(-1) ?? '') : null,
  };
}

/** Postman's collection format 2.1. */
export function postmanCollection(): string {
  const item = folders().map(({ name, description, requests }) => ({
    name,
    description,
    item: requests.map((one) => ({
      name: one.name,
      ...(one.keeps && {
        event: [
          {
            listen: 'test',
            script: {
              type: 'text/javascript',
              exec: [
                `if (pm.response.code === 201) pm.collectionVariables.set('${one.keeps}', pm.response.json().id);`,
              ],
            },
          },
        ],
      }),
      request: {
        method: one.method,
        description: one.description,
        header: headersOf(one).map(([key, value]) => ({ key, value })),
        url: {
          raw: `{{baseUrl}}${one.path}`,
          host: ['{{baseUrl}}'],
          path: one.path.slice(1).split('/'),
          query: one.query.map(({ name: key, value, description: says }) => ({
            ...{ key, value, description: says },
            disabled: true,
          })),
          variable: one.places.map(({ name: key, variable, description: says }) => ({
            ...{ key, value: `{{${variable}}}`, description: says },
          })),
        },
        ...(one.body && { body: { mode: 'raw', raw: one.body, options: { raw: { language: 'json' } } } }),
      },
    })),
  }));
  const collection = {
    info: {
      name: NAME,
      description: `Every operation of the API. Put a test key into the variable \`apiKey\`. ${config().app_url}/docs`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: config().api_root },
      { key: 'apiKey', value: '' },
      ...Object.values(VARIABLES).map((key) => ({ key, value: '' })),
    ],
    item,
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

/** Bruno's format for a collection in one file. */
export function brunoCollection(): string {
  const items = folders().map(({ name, description, requests }) => ({
    type: 'folder',
    name,
    root: { docs: description },
    items: requests.map((one, index) => ({
      type: 'http',
      name: one.name,
      seq: index + 1,
      request: {
        url: `{{baseUrl}}${one.path}`,
        method: one.method,
        headers: headersOf(one).map(([header, value]) => ({ name: header, value, enabled: true })),
        params: [
          ...one.query.map((query) => ({ ...query, type: 'query', enabled: false })),
          ...one.places.map(({ name: place, variable, description: says }) => ({
            ...{ name: place, value: `{{${variable}}}`, description: says, type: 'path', enabled: true },
          })),
        ],
        body: one.body ? { mode: 'json', json: one.body } : { mode: 'none' },
        auth: { mode: 'inherit' },
        script: one.keeps ? { res: `if (res.status === 201) bru.setVar('${one.keeps}', res.body.id);` } : {},
        vars: {},
        assertions: [],
        tests: '',
        docs: one.description,
      },
    })),
  }));
  const variable = (name: string, value: string, secret = false) => ({
    name,
    value,
    type: 'text',
    enabled: true,
    secret,
  });
  const collection = {
    version: '1',
    name: NAME,
    items,
    environments: [
      { name: 'Test mode', variables: [variable('baseUrl', config().api_root), variable('apiKey', '', true)] },
    ],
    root: { request: { auth: { mode: 'bearer', bearer: { token: '{{apiKey}}' } } } },
    brunoConfig: { version: '1', name: NAME, type: 'collection' },
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

const headersOf = ({ keyed, body }: Request): [string, string][] => [
  ...(body ? [['Content-Type', 'application/json'] as [string, string]] : []),
  ...(keyed ? [['Idempotency-Key', '{{$guid}}'] as [string, string]] : []),
];
