/** Generates values such as strangers might send: valid for a schema, or completely unexpected. */
import type { Random } from '@/testing/random';

export interface JsonSchemaForValueGeneration {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, JsonSchemaForValueGeneration>;
  required?: string[];
  items?: JsonSchemaForValueGeneration;
  anyOf?: JsonSchemaForValueGeneration[];
  oneOf?: JsonSchemaForValueGeneration[];
  allOf?: JsonSchemaForValueGeneration[];
  format?: string;
  example?: unknown;
  default?: unknown;
  maxLength?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

/**
 * Ids from the server's answers, by prefix (`res_`). Requests with existing ids reach more code.
 */
export class KnownResourceIds {
  /** `usual` is the prefix of the ids in fields that are only called `id`. */
  constructor(
    private readonly known = new Map<string, string[]>(),
    private readonly usual?: string,
  ) {}

  /**
   * Returns the same known ids with another default prefix. This prefix determines the kind of id
   * for fields that are only called `id`.
   */
  of(usual: string | undefined): KnownResourceIds {
    return new KnownResourceIds(this.known, usual);
  }

  learn(text: string): void {
    for (const [id, prefix = ''] of text.matchAll(/\b([a-z]{2,5}_)[0-9a-z]{20,40}\b/g)) {
      const list = this.known.get(prefix) ?? [];
      if (list.includes(id)) continue;
      // Stores only some of the oldest and newest ids of each kind.
      this.known.set(prefix, [...list.slice(0, 10), ...list.slice(-10), id]);
    }
  }

  any(random: Random, prefix = this.usual): string {
    const lists = [...this.known].filter(([name]) => !prefix || name === prefix).flatMap(([, ids]) => ids);
    const [first, ...rest] = lists;
    return first && random.chance(0.9)
      ? random.pick([first, ...rest])
      : `${prefix ?? 'res_'}01jd8z6q0v7m3k5n9r2t4w6y8a`;
  }
}

/**
 * Returns a text that often breaks software. Texts that slow parsers down are repeated up to a
 * field's limit.
 */
export function generateHostileText(random: Random): string {
  const n = random.pick([3, 60, 120, 500, 5_000, 60_000]);
  return random.pick([
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x\udc00y',
    '\u202eevil\u2066',
    '\u200b\u200d\ufeff',
    '👩‍👩‍👧‍👦'.repeat(50),
    'e\u0301'.repeat(200),
    '-1',
    '1e999',
    'NaN',
    '__proto__',
    'constructor',
    '0001-01-01',
    '9999-12-31',
    '2027-02-30',
    '10000-01-01T00:00:00Z',
    'a@b',
    `${'a'.repeat(64)}@${'b.'.repeat(80)}com`,
    'https://user:pass@example.com:99999/',
    'https://[::1]/',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    '../../../../etc/passwd',
    "'; DROP TABLE teams; --",
    '<script>alert(1)</script>',
    '\r\nSet-Cookie: a=b',
    '%00%ff%u0000',
    '=1+1|cmd',
    'x'.repeat(n),
    ' '.repeat(n),
    '\n'.repeat(n),
    'a!'.repeat(n),
    `{{${' '.repeat(n)}{`,
    '{{'.repeat(n),
    `{{${'a'.repeat(n)}`,
    '('.repeat(n),
    '<'.repeat(n),
    `<a ${'href="'.repeat(n)}`,
    'http://'.repeat(n),
    `${'1,'.repeat(n)}`,
    '"'.repeat(n),
    '\\'.repeat(n),
    '='.repeat(n),
    '-'.repeat(n),
    `${'.'.repeat(n)}@`,
    'W/"a", '.repeat(n),
    ';'.repeat(n),
    `en${'-x'.repeat(n)}`,
  ]);
}

/** Returns a JSON value of any kind and depth. */
export function generateHostileValue(random: Random, depth = 0): unknown {
  if (random.chance(0.5)) return generateHostileText(random);
  const deep = (levels: number): unknown => (levels === 0 ? 'x' : [deep(levels - 1)]);
  return random.pick<unknown>([
    null,
    true,
    0,
    -1,
    1.5,
    Number.MAX_SAFE_INTEGER,
    1e308,
    [],
    {},
    deep(random.pick([5, 500])),
    Array.from({ length: random.pick([2, 300, 3_000]) }, () => 'x'),
    JSON.parse('{"__proto__": {"admin": true}, "constructor": {"prototype": {}}}'),
    depth < 3 ? { [generateHostileText(random).slice(0, 50)]: generateHostileValue(random, depth + 1) } : null,
  ]);
}

const PREFIXES: Record<string, string> = {
  property: 'prop_',
  property_id: 'prop_',
  reservation_id: 'res_',
  packet_id: 'pkt_',
  copy_from: 'pkt_',
  evt_id: 'evt_',
  event_id: 'evt_',
  endpoint_id: 'whe_',
  starting_after: '',
  ending_before: '',
  id: '',
};

/**
 * Returns a value that the schema usually allows. Any part may be replaced by an unexpected value.
 */
export function generateValueForSchema(
  schema: JsonSchemaForValueGeneration,
  random: Random,
  ids: KnownResourceIds,
  name = '',
  wild = 0.12,
): unknown {
  if (random.chance(wild)) return generateHostileValue(random);
  const variants = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  const [first, ...rest] = variants ?? [];
  if (first) return generateValueForSchema(random.pick([first, ...rest]), random, ids, name, wild);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum?.length) return random.pick(schema.enum as [unknown, ...unknown[]]);
  if (schema.example !== undefined && schema.type !== 'object' && random.chance(0.4)) return schema.example;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([key]) => (schema.required?.includes(key) ? random.chance(0.97) : random.chance(0.5)))
          .map(([key, property]) => [key, generateValueForSchema(property, random, ids, key, wild)]),
      );
    case 'array':
      return Array.from({ length: random.pick([0, 1, 2, Math.min(schema.maxItems ?? 5, 200) + 1]) }, () =>
        generateValueForSchema(schema.items ?? {}, random, ids, name, wild),
      );
    case 'integer':
    case 'number':
      return random.pick([schema.minimum ?? 0, schema.maximum ?? 100, 1, random.between(0, 5_000), 0.5]);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return textOf(schema, random, ids, name);
  }
}

function textOf(schema: JsonSchemaForValueGeneration, random: Random, ids: KnownResourceIds, name: string): string {
  if (name in PREFIXES) return ids.any(random, PREFIXES[name] || undefined);
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  switch (schema.format) {
    case 'date':
      return day(random.between(-400, 400)).slice(0, 10);
    case 'date-time':
      return day(random.between(-400, 400));
    case 'email':
      return `guest${random.between(0, 99)}@example.com`;
    case 'uri':
      return `https://example.com/${random.between(0, 999)}`;
  }
  return random.chance(0.5) ? 'Text' : 'é'.repeat(Math.min(schema.maxLength ?? 200, 20_000));
}
