/**
 * Builds examples of request bodies for the OpenAPI document from the examples in the schemas.
 * Examples of responses are in openapi-response-examples.ts.
 */

import { READ_ONLY_DESCRIPTION_PREFIX } from '@/shared/read-only';

type Json = Record<string, unknown>;

interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  example?: unknown;
  format?: string;
  minimum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

const FORMATS: Record<string, string> = {
  'date-time': '2026-11-21T09:30:00.000Z',
  date: '2030-12-24',
  uri: 'https://example.com/',
  email: 'ada@example.com',
};

/** Example values by field name, for names that identify the content of a field. */
const NAMES: Record<string, unknown> = {
  guest_name: 'Ada Lovelace',
  name: 'Harbour Loft',
  checkin_date: '2030-12-24',
  checkout_date: '2030-12-28',
  status: 'draft',
  title: 'Harbour Loft',
  event_type: 'reservation.signed',
  currency: 'EUR',
  text: 'No smoking indoors.',
  state_label: 'Not started',
};

/** Builds an example of a schema. Optional fields without an example or a default are omitted. */
export function buildSchemaExample(schema: Schema, components: Record<string, Schema>, name = ''): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref) return buildSchemaExample(components[schema.$ref.split('/').at(-1) ?? ''] ?? {}, components, name);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return buildSchemaExample(variants.find((variant) => variant.type !== 'null') ?? {}, components, name);
  if (schema.enum) return schema.enum.includes(NAMES[name]) ? NAMES[name] : schema.enum[0];
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return objectExample(schema, components);
    case 'array':
      return schema.items ? [buildSchemaExample(schema.items, components, name)] : [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return NAMES[name] ?? FORMATS[schema.format ?? ''] ?? 'text';
  }
}

const isReadOnly = ({ description }: Schema) => description?.startsWith(READ_ONLY_DESCRIPTION_PREFIX) ?? false;

function objectExample(schema: Schema, components: Record<string, Schema>): Json {
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([name, field]) =>
      schema.required?.includes(name) ||
      (!isReadOnly(field) && (field.example !== undefined || field.default !== undefined)),
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, buildSchemaExample(field, components, name)]));
}
