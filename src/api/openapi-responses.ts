/** Error responses of the OpenAPI document: most operations share them, so that each is written once, as a component. */

type Json = Record<string, unknown>;
interface Document {
  paths: Record<string, Record<string, Json>>;
  components: Record<string, Json>;
}

const NAMES: Record<string, string> = {
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

const REFERENCE = '#/components/responses/';

function* errorsOf(document: Document): Generator<{ status: string; responses: Json }> {
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const responses = operation.responses as Json;
    for (const status of Object.keys(responses)) if (Number(status) >= 400) yield { status, responses };
  }
}

/** Moves error responses that several operations have to the components. The first of a status has its bare name. */
export function shareResponses(document: Document): void {
  const uses = new Map<string, number>();
  for (const { status, responses } of errorsOf(document)) {
    const text = status + JSON.stringify(responses[status]);
    uses.set(text, (uses.get(text) ?? 0) + 1);
  }
  const named = new Map<string, string>();
  const shared: Json = {};
  for (const { status, responses } of errorsOf(document)) {
    const text = status + JSON.stringify(responses[status]);
    if ((uses.get(text) ?? 0) < 2) continue;
    let name = named.get(text);
    if (!name) {
      const others = Object.keys(shared).filter((one) => one.startsWith(NAMES[status] ?? '')).length;
      name = `${NAMES[status]}${others === 0 ? '' : others + 1}`;
      named.set(text, name);
      shared[name] = responses[status];
    }
    responses[status] = { $ref: REFERENCE + name };
  }
  document.components.responses = shared;
}

/** The document with every response written out where it is used, for readers of our own. */
export function writeOutResponses<D extends object>(document: D): D {
  const copy = structuredClone(document) as unknown as Document;
  for (const { status, responses } of errorsOf(copy)) {
    const { $ref } = responses[status] as { $ref?: string };
    if ($ref) responses[status] = copy.components.responses?.[$ref.slice(REFERENCE.length)];
  }
  return copy as unknown as D;
}
