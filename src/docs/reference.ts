/**
 * Renders the API reference from the OpenAPI document: one page for each kind of resource, and one
 * page that lists every operation.
 */
import { buildOpenApiDocument } from '@/api/openapi';
import { inlineOpenApiComponentReferences } from '@/api/openapi-components';
import { config } from '@/config';
import type { DocsPageMetadata } from './pages';
import { buildRequestSamples } from './request-samples';

interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  description?: string;
  default?: unknown;
  example?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Media {
  schema: Schema;
  example?: unknown;
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  'x-scope': string;
  'x-stability': string;
  parameters?: (Schema & { name?: string; in?: string; required?: boolean; schema?: Schema })[];
  requestBody?: { content: { 'application/json': Media } };
  responses: Record<
    string,
    { description: string; content?: { 'application/json'?: Media & { examples?: Record<string, unknown> } } }
  >;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string; description: string }[];
  components: { schemas: Record<string, Schema>; parameters: Record<string, Schema> };
}

interface Placed {
  path: string;
  method: string;
  operation: Operation;
}

const slugOf = (tag: string) => `reference/${tag.toLowerCase().replaceAll(' ', '-')}`;
const lastOf = (reference: string) => reference.split('/').at(-1) ?? '';
const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();
const rowsOf = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');

/** Returns all reference pages, with the overview first. */
export function buildReferencePages(): (Omit<DocsPageMetadata, 'source'> & { text: string })[] {
  const document = inlineOpenApiComponentReferences(buildOpenApiDocument()) as unknown as Document;
  const placed = placedOf(document);
  const of = (tag: string) => placed.filter(({ operation }) => operation.tags.includes(tag));
  return [
    {
      slug: 'reference',
      title: 'API reference',
      description: 'Every operation, generated from the OpenAPI document.',
      text: overview(document, of),
    },
    ...document.tags.map(({ name, description }) => ({
      slug: slugOf(name),
      title: name,
      description,
      text: tagPage(name, description, of(name), document),
    })),
  ];
}

/** Returns an example request for each operation as JSON. The pages' forms send these requests. */
export function buildTryItRequests(): string {
  const document = inlineOpenApiComponentReferences(buildOpenApiDocument()) as unknown as Document;
  const entries = placedOf(document).map(({ path, method, operation }) => {
    const parameters = parametersOf(operation, document).flatMap(({ name = '', in: place, example, schema = {} }) =>
      place === 'header' ? [] : [{ name, place, example: String(example ?? schema.example ?? '') }],
    );
    const body = operation.requestBody?.content['application/json'].example;
    return [
      operation.operationId,
      { method, path, parameters, ...(body ? { body: JSON.stringify(body, null, 2) } : {}) },
    ];
  });
  return JSON.stringify(Object.fromEntries(entries));
}

const placedOf = ({ paths }: Document): Placed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );

const parametersOf = (operation: Operation, document: Document) =>
  (operation.parameters ?? []).map((one) => {
    const known = one.$ref ? (document.components.parameters[lastOf(one.$ref)] ?? one) : one;
    return known as NonNullable<Operation['parameters']>[number];
  });

function overview({ tags }: Document, of: (tag: string) => Placed[]): string {
  const lists = tags.map(({ name, description }) => {
    const rows = of(name).map(({ path, method, operation }) => [
      `[${operation.summary}](/docs/${slugOf(name)}#${operation.operationId})`,
      `\`${method}\` \`/v1${path}\``,
      operation['x-stability'],
    ]);
    return `## ${name}\n\n${description}\n\n${rowsOf(['Operation', 'Request', 'Stability'], rows)}`;
  });
  return `# API reference

Every operation of version 1. All of it is generated from the [OpenAPI 3.1 document](/v1/openapi.json), which code
generators and API clients read; it is made by the server that answers you, so it cannot be behind it.

- The root of the API is \`${config().api_root}\`. Bodies are JSON; timestamps are ISO 8601 in UTC, dates are \`YYYY-MM-DD\`.
- Every request carries a key: see [Authentication](/docs/authentication).
- Under each request is “Try it”: it goes to this server with a test key that you paste, and shows what comes back. Live keys are
  refused there.
- \`stable\` operations keep the [promise of version 1](/docs/versioning); \`beta\` ones may change with 30 days’ notice.

${lists.join('\n\n')}
`;
}

function tagPage(name: string, description: string, operations: Placed[], document: Document): string {
  const { schemas } = document.components;
  const resources = new Set<string>();
  const described = operations.map((one) => operationText(one, document, resources));
  const objects = [...resources].map((schema) => {
    const rows = fieldRows(schemas[schema] ?? {}, schemas);
    const lead = schemas[schema]?.description ?? '';
    return `## ${schema} {#schema-${schema}}\n\n${lead}\n\n${rowsOf(['Field', 'Type', 'Description'], rows)}`;
  });
  return `# ${name}\n\n${description}\n\n${described.join('\n\n')}\n\n${objects.join('\n\n')}\n`;
}

function operationText({ path, method, operation }: Placed, document: Document, resources: Set<string>): string {
  const { schemas } = document.components;
  const parts = [
    `## ${operation.summary} {#${operation.operationId}}`,
    `\`${method}\` \`/v1${path}\``,
    operation.description.replace(`${operation.summary}.\n\n`, ''),
  ];
  const parameters = parametersOf(operation, document);
  if (parameters.length > 0) {
    const rows = parameters.map(({ name = '', in: place = '', required, description = '', schema = {} }) => [
      `\`${name}\``,
      place,
      `${typeOf(schema, schemas)}${required ? ', required' : ''}`,
      description || schema.description || '',
    ]);
    parts.push(`**Parameters**`, rowsOf(['Name', 'In', 'Type', 'Description'], rows));
  }
  const request = operation.requestBody?.content['application/json'];
  if (request) {
    const schema = resolve(request.schema, schemas);
    parts.push(`**Body**`, rowsOf(['Field', 'Type', 'Description'], fieldRows(schema, schemas, true)));
  }
  parts.push(samples(method, path, parameters, request?.example));
  for (const [status, response] of Object.entries(operation.responses)) {
    if (Number(status) >= 300) continue;
    const media = response.content?.['application/json'];
    if (!media) {
      parts.push(`**Answers ${status}** without a body.`);
      continue;
    }
    const schema = resolve(media.schema, schemas);
    const item = schema.properties?.data?.items?.$ref;
    const shown = item ?? media.schema.$ref;
    if (shown) resources.add(lastOf(shown));
    const link = shown ? `[${lastOf(shown)}](#schema-${lastOf(shown)})` : 'an object';
    parts.push(
      `**Answers ${status}** with ${item ? `a list of ${link}` : link}.`,
      `\`\`\`json\n${JSON.stringify(media.example, null, 2)}\n\`\`\``,
    );
  }
  const redirect = Object.keys(operation.responses).find((status) => status === '302');
  if (redirect) parts.push('**Answers 302** with the file’s address in `Location`.');
  const codes = Object.entries(operation.responses).flatMap(([status, response]) =>
    Object.keys(response.content?.['application/json']?.examples ?? {}).map(
      (code) => `[\`${code}\`](/docs/errors#${code}) ${status}`,
    ),
  );
  parts.push(`**Errors**: ${codes.join(', ')}.`);
  return parts.join('\n\n');
}

/** Returns the request with example path parameters, as one block of tabs in six languages. */
function samples(
  method: string,
  path: string,
  parameters: NonNullable<Operation['parameters']>,
  body: unknown,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    return String(parameter?.example ?? parameter?.schema?.example ?? name);
  });
  const codes = Object.entries(buildRequestSamples({ method, url: config().api_root + filled, body }));
  const blocks = codes.map(([language, code]) => `\`\`\`${language}\n${code}\n\`\`\`\n`);
  return `<!-- tabs -->\n${blocks.join('')}<!-- /tabs -->`;
}

function resolve(schema: Schema, schemas: Record<string, Schema>): Schema {
  return schema.$ref ? (schemas[lastOf(schema.$ref)] ?? {}) : schema;
}

/** Returns one row for each field. The name of a nested field is its path: `rules[].text`. */
function fieldRows(schema: Schema, schemas: Record<string, Schema>, request = false, prefix = ''): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const variants = field.anyOf ?? field.oneOf ?? [field];
    const solid = resolve(variants.find(({ type }) => type !== 'null') ?? field, schemas);
    const required = request && schema.required?.includes(name) ? ', required' : '';
    const row = [
      `\`${prefix}${name}\``,
      `${typeOf(field, schemas)}${required}`,
      field.description || variants.map(({ description }) => description).find(Boolean) || solid.description || '',
    ];
    const items = solid.items ? resolve(solid.items, schemas) : null;
    const inner = items
      ? fieldRows(items, schemas, request, `${prefix}${name}[].`)
      : fieldRows(solid, schemas, request, `${prefix}${name}.`);
    return [row, ...inner];
  });
}

/** Describes a type: `string (date) or null`, `one of …`, `integer, 1 to 336`. */
function typeOf(schema: Schema, schemas: Record<string, Schema>): string {
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return [...new Set(variants.map((variant) => typeOf(variant, schemas)))].join(' or ');
  if (schema.$ref) return typeOf(resolve(schema, schemas), schemas);
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type ?? 'any']).map((type) =>
    type === 'array' ? `array of ${typeOf(schema.items ?? {}, schemas)}` : type,
  );
  const range = [
    schema.format && ` (${schema.format})`,
    schema.minimum !== undefined && schema.maximum !== undefined && `, ${schema.minimum} to ${schema.maximum}`,
    schema.maxLength !== undefined && `, at most ${schema.maxLength} characters`,
    schema.maxItems !== undefined && `, at most ${schema.maxItems}`,
    schema.default !== undefined && `, default \`${JSON.stringify(schema.default)}\``,
  ];
  return types.join(' or ') + range.filter(Boolean).join('');
}
