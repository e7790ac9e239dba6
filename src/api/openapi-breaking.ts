/**
 * Finds the changes in a new OpenAPI document that break clients of the old one (specification,
 * "Versioning"). Pure: takes two documents and returns sentences.
 *
 * A request that was accepted must stay accepted. The API refuses unknown fields, so removing a
 * request field is breaking too. A response may gain fields, error statuses and enumeration values,
 * but may not lose or change any of these.
 */

// biome-ignore lint/suspicious/noExplicitAny: a JSON document of any shape is walked.
type Node = any;

export interface BreakingChange {
  /** For example `POST /reservations`. */
  operation: string;
  stability: 'stable' | 'beta';
  /** For example `request body: field guest_email became required`. */
  change: string;
}

type Report = (change: string) => void;
type Direction = 'request' | 'response';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** Maximum depth of nested schemas. It ends the walk if a schema ever refers to itself. */
const MAX_DEPTH = 30;

/** Returns every breaking difference, in the order of the old document. */
export function findBreakingChanges(before: Node, after: Node): BreakingChange[] {
  const changes: BreakingChange[] = [];
  for (const [path, methods] of Object.entries<Node>(before.paths ?? {})) {
    for (const method of METHODS.filter((name) => methods[name])) {
      const [old, now] = [methods[method], after.paths?.[path]?.[method]];
      const operation = `${method.toUpperCase()} ${path}`;
      const stability = old['x-stability'] === 'beta' ? 'beta' : 'stable';
      const report: Report = (change) => changes.push({ operation, stability, change });
      if (!now) report('the operation was removed');
      else compareOperation(new Comparison(before, after, report), old, now, report);
    }
  }
  return changes;
}

function compareOperation(comparison: Comparison, old: Node, now: Node, report: Report): void {
  if (old.operationId !== now.operationId) report(`operationId ${old.operationId} became ${now.operationId}`);
  if (old['x-scope'] !== now['x-scope']) report(`the scope ${old['x-scope']} became ${now['x-scope']}`);
  if (old['x-stability'] !== 'beta' && now['x-stability'] === 'beta') report('the operation is no longer stable');
  comparison.parameters(old.parameters ?? [], now.parameters ?? []);
  comparison.body(old.requestBody, now.requestBody);
  for (const [status, response] of Object.entries<Node>(old.responses ?? {})) {
    if (Number(status) >= 400) continue;
    if (!now.responses?.[status]) report(`the status ${status} was removed`);
    else comparison.response(status, response, now.responses[status]);
  }
}

class Comparison {
  constructor(
    private readonly before: Node,
    private readonly after: Node,
    private readonly report: Report,
  ) {}

  parameters(old: Node[], now: Node[]): void {
    const named = (list: Node[], document: Node): Map<string, Node> =>
      new Map(list.map((item) => resolve(item, document)).map((item) => [`${item.in} ${item.name}`, item]));
    const [olds, nows] = [named(old, this.before), named(now, this.after)];
    for (const [name, parameter] of olds) {
      const next = nows.get(name);
      if (!next) this.report(`the parameter ${name} was removed`);
      else {
        if (next.required && !parameter.required) this.report(`the parameter ${name} became required`);
        this.schema(parameter.schema, next.schema, `parameter ${name}`, 'request');
      }
    }
    for (const [name, parameter] of nows) {
      if (parameter.required && !olds.has(name)) this.report(`the parameter ${name} is new and required`);
    }
  }

  body(old: Node, now: Node): void {
    const [olds, nows] = [contentOf(old), contentOf(now)];
    if (now?.required && !old?.required) this.report('the request body became required');
    if (olds && !nows) this.report('the request body was removed');
    if (olds && nows) this.schema(olds, nows, 'request body', 'request');
  }

  response(status: string, old_response: Node, now_response: Node): void {
    const [old, now] = [resolve(old_response, this.before), resolve(now_response, this.after)];
    for (const name of Object.keys(old.headers ?? {})) {
      if (!now.headers?.[name]) this.report(`the header ${name} of ${status} was removed`);
    }
    const [olds, nows] = [contentOf(old), contentOf(now)];
    if (olds && !nows) this.report(`the body of ${status} was removed`);
    if (olds && nows) this.schema(olds, nows, `answer ${status}`, 'response');
  }

  private schema(old: Node, now: Node, where: string, direction: Direction, depth = 0): void {
    if (depth > MAX_DEPTH) return;
    const [a, b] = [plain(old, this.before), plain(now, this.after)];
    const [accepted, offered] = direction === 'request' ? [a.types, b.types] : [b.types, a.types];
    const lost = [...accepted].filter((type) => !covers(offered, type));
    if (lost.length > 0) {
      this.report(`${where}: the type ${[...a.types].join(' or ')} became ${[...b.types].join(' or ')}`);
      return;
    }
    this.values(a.schema, b.schema, where, direction);
    if (direction === 'request') this.limits(a.schema, b.schema, where);
    else if (a.schema.format !== b.schema.format) {
      this.report(`${where}: the format ${a.schema.format} became ${b.schema.format}`);
    }
    if (a.schema.items && b.schema.items) {
      this.schema(a.schema.items, b.schema.items, `${where}[]`, direction, depth + 1);
    }
    this.fields(a.schema, b.schema, where, direction, depth);
  }

  private fields(old: Node, now: Node, where: string, direction: Direction, depth: number): void {
    const [olds, nows] = [old.properties ?? {}, now.properties ?? {}];
    const [required, requires] = [new Set<string>(old.required), new Set<string>(now.required)];
    for (const [name, schema] of Object.entries<Node>(olds)) {
      if (!(name in nows)) {
        if (direction === 'response' || now.additionalProperties === false) {
          this.report(`${where}: the field ${name} was removed`);
        }
        continue;
      }
      if (direction === 'request' && requires.has(name) && !required.has(name)) {
        this.report(`${where}: the field ${name} became required`);
      }
      if (direction === 'response' && required.has(name) && !requires.has(name)) {
        this.report(`${where}: the field ${name} may now be absent`);
      }
      this.schema(schema, nows[name], `${where}, ${name}`, direction, depth + 1);
    }
    if (direction === 'response') return;
    for (const name of Object.keys(nows)) {
      if (!(name in olds) && requires.has(name)) this.report(`${where}: the field ${name} is new and required`);
    }
  }

  private values(old: Node, now: Node, where: string, direction: Direction): void {
    const [olds, nows] = [valuesOf(old), valuesOf(now)];
    if (direction === 'request') {
      const gone = olds ? olds.filter((value) => nows && !nows.includes(value)) : [];
      if (gone.length > 0) this.report(`${where}: ${gone.join(', ')} was removed from the values`);
      if (!olds && nows) this.report(`${where}: only ${nows.join(', ')} are taken now`);
    } else if (old.const !== undefined && old.const !== now.const) {
      this.report(`${where}: the constant ${old.const} became ${now.const}`);
    }
  }

  private limits(old: Node, now: Node, where: string): void {
    for (const name of ['maxLength', 'maximum', 'maxItems'] as const) {
      if (now[name] !== undefined && (old[name] === undefined || now[name] < old[name])) {
        this.report(`${where}: ${name} ${old[name] ?? 'unlimited'} became ${now[name]}`);
      }
    }
    for (const name of ['minLength', 'minimum', 'minItems'] as const) {
      if (now[name] !== undefined && (old[name] === undefined || now[name] > old[name])) {
        this.report(`${where}: ${name} ${old[name] ?? 'unlimited'} became ${now[name]}`);
      }
    }
    if (now.pattern !== undefined && now.pattern !== old.pattern) {
      this.report(`${where}: the pattern ${old.pattern ?? 'of any text'} became ${now.pattern}`);
    }
  }
}

function contentOf(body: Node): Node {
  return body?.content?.['application/json']?.schema;
}

function resolve(schema: Node, document: Node): Node {
  let node = schema ?? {};
  while (node.$ref) {
    node =
      node.$ref
        .slice(2)
        .split('/')
        .reduce((at: Node, part: string) => at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document) ?? {};
  }
  return node;
}

/**
 * Returns all types that a schema allows, and its first variant that is not null. A schema without
 * `anyOf` or `oneOf` is its own only variant.
 */
function plain(schema: Node, document: Node): { schema: Node; types: Set<string> } {
  const node = resolve(schema, document);
  const variants: Node[] = (node.anyOf ?? node.oneOf ?? [node]).map((variant: Node) => resolve(variant, document));
  const types = new Set(variants.flatMap(typesOf));
  return { schema: variants.find((variant) => variant.type !== 'null') ?? {}, types };
}

function typesOf(schema: Node): string[] {
  if (schema.type) return [schema.type].flat();
  const values = valuesOf(schema);
  return values ? [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))] : ['any'];
}

function valuesOf(schema: Node): unknown[] | undefined {
  return schema.const !== undefined ? [schema.const] : schema.enum;
}

function covers(types: ReadonlySet<string>, type: string): boolean {
  return types.has(type) || types.has('any') || (type === 'integer' && types.has('number'));
}
