/** Moves repeated parts of the OpenAPI document to its components. */

type Json = Record<string, unknown>;
type Components = Record<string, Json>;
interface Document {
  paths: Record<string, Record<string, Json>>;
  webhooks: Record<string, Record<string, Json>>;
  components: Components;
}
interface Media {
  schema: { $ref?: string };
  example?: unknown;
  examples?: Record<string, unknown>;
}

const NAMES: Record<string, string> = {
  '2XX': 'Accepted',
  204: 'Deleted',
  302: 'Redirect',
  304: 'NotModified',
  400: 'BadRequest',
  401: 'Unauthorized',
  402: 'PlanLimit',
  403: 'Forbidden',
  404: 'NotFound',
  408: 'RequestTimeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'TooLarge',
  415: 'UnsupportedMediaType',
  422: 'KeyMismatch',
  429: 'RateLimited',
  500: 'InternalError',
  503: 'Unavailable',
};

/**
 * Components for fields that several objects share. The key is the component's name, and the value
 * is the path of one of these fields.
 */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Timestamp: ['Reservation', 'properties', 'created_at'],
  EventSubscription: ['WebhookEndpoint', 'properties', 'events', 'items'],
  Metadata: ['ReservationUpdate', 'properties', 'metadata'],
  GuestLanguage: ['ReservationUpdate', 'properties', 'locale'],
  ArrivalReleaseRule: ['PacketUpdate', 'properties', 'arrival_release', 'properties', 'wifi'],
};
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  Timestamp: 'A time in UTC.',
  EventSubscription: 'An event type, or `*` for all.',
};

/** Replaces repeated parts of the document with references to components. */
export function extractSharedComponents(document: Document): void {
  const { components } = document;
  shareFields(document);
  components.parameters = { ...shareParameters(document), ...components.parameters };
  components.examples = { ...components.examples, ...shareExamples(document) };
  components.responses = shareResponses(document);
}

/**
 * Replaces the schemas of shared fields with references. A field keeps its own description, which
 * generators print above the field.
 */
function shareFields(document: Document): void {
  const { schemas = {} } = document.components;
  const names = new Map<string, string>();
  const shared: Json = {};
  for (const [name, path] of Object.entries(FIELDS)) {
    const field = path.reduce((node, part) => node[part] as Json, schemas);
    shared[name] = { ...field, description: DESCRIPTIONS[name] ?? field.description };
    names.set(typeTextOf(field), name);
  }
  const replaced = (node: unknown): unknown => {
    if (node === null || typeof node !== 'object') return node;
    if (Array.isArray(node)) return node.map(replaced);
    const name = names.get(typeTextOf(node as Json));
    if (name) {
      const { description } = node as Json;
      return { $ref: `#/components/schemas/${name}`, ...(description ? { description } : {}) };
    }
    const children = Object.entries(node).map(([key, child]) => [
      key,
      key === 'example' || key === 'examples' ? child : replaced(child),
    ]);
    return Object.fromEntries(children);
  };
  document.components.schemas = { ...(replaced(schemas) as Json), ...shared };
  document.paths = replaced(document.paths) as Document['paths'];
}

const typeTextOf = ({ description: _description, example: _example, ...type }: Json) => JSON.stringify(type);

interface Place {
  /** The preferred name of the component. A number is appended when the name is taken. */
  name: string;
  value: unknown;
  replace: (reference: { $ref: string }) => void;
}

/** Replaces values that occur more than once with references. Returns the new components. */
function share(kind: string, places: readonly Place[]): Json {
  const uses = new Map<string, number>();
  for (const { value } of places) uses.set(JSON.stringify(value), (uses.get(JSON.stringify(value)) ?? 0) + 1);
  const named = new Map<string, string>();
  const shared: Json = {};
  for (const { name, value, replace } of places) {
    const text = JSON.stringify(value);
    if ((uses.get(text) ?? 0) < 2) continue;
    let chosen = named.get(text);
    for (let number = 1; !chosen; number += 1) {
      const free = number === 1 ? name : `${name}${number}`;
      if (!(free in shared)) chosen = free;
    }
    named.set(text, chosen);
    shared[chosen] = value;
    replace({ $ref: `#/components/${kind}/${chosen}` });
  }
  return shared;
}

const operationsOf = ({ paths, webhooks }: Document) =>
  Object.entries({ ...paths, ...webhooks }).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation, responses: operation.responses as Components })),
  );

const mediaOf = (body: unknown) =>
  (body as { content?: Record<string, Media> } | undefined)?.content?.['application/json'];

/** Moves repeated parameters, such as `property_id` and `limit`, to components. */
function shareParameters(document: Document): Json {
  const places = operationsOf(document).flatMap(({ path, operation }) => {
    const list = operation.parameters as (Json & { in?: string; name?: string })[];
    const [, first = ''] = path.split('/');
    const resource = first.replace(/ies$/, 'y').replace(/s$/, '');
    return list.flatMap((value, index) => {
      if (!value.name) return [];
      const name = value.in === 'path' ? `${resource}_${value.name}` : value.name;
      return [{ name, value, replace: (reference: Json) => (list[index] = reference) }];
    });
  });
  return share('parameters', places);
}

/**
 * Moves repeated examples to components. A component is named after the first operation with the
 * example.
 */
function shareExamples(document: Document): Json {
  const places = operationsOf(document).flatMap(({ operation, responses }) =>
    [mediaOf(operation.requestBody), ...Object.values(responses).map(mediaOf)].flatMap((media) =>
      media?.example === undefined
        ? []
        : [
            {
              name: operation.operationId as string,
              value: { value: media.example },
              replace: (reference: Json) => {
                delete media.example;
                media.examples = { example: reference };
              },
            },
          ],
    ),
  );
  return share('examples', places);
}

/**
 * Moves repeated responses to components. A component is named after its status if NAMES contains
 * the status, and otherwise after the resource in its body.
 */
function shareResponses(document: Document): Json {
  const places = operationsOf(document).flatMap(({ responses }) =>
    Object.entries(responses).map(([status, value]) => ({
      name: NAMES[status] ?? mediaOf(value)?.schema.$ref?.split('/').at(-1) ?? '',
      value,
      replace: (reference: Json) => (responses[status] = reference),
    })),
  );
  return share('responses', places);
}

/**
 * Returns the document with its references to parameters, examples and responses resolved. Our own
 * code expects this form.
 */
export function inlineOpenApiComponentReferences<D extends object>(document: D): D {
  const copy = structuredClone(document) as unknown as Document;
  const solid = <T>(value: T): T => {
    const [, , kind = '', name = ''] = ((value as { $ref?: string }).$ref ?? '').split('/');
    return name ? structuredClone(copy.components[kind]?.[name] as T) : value;
  };
  const writeOutExample = (media: Media | undefined) => {
    const { example } = media?.examples ?? {};
    if (!media || !example) return;
    media.example = (solid(example) as { value: unknown }).value;
    delete media.examples;
  };
  for (const { operation, responses } of operationsOf(copy)) {
    operation.parameters = (operation.parameters as Json[]).map(solid);
    writeOutExample(mediaOf(operation.requestBody));
    for (const [status, response] of Object.entries(responses)) {
      responses[status] = solid(response);
      writeOutExample(mediaOf(responses[status]));
    }
  }
  return copy as unknown as D;
}
