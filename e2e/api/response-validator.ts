/**
 * Checks every response of the test suite against the OpenAPI document. The operation and status
 * must be documented, the body must match its schema, the operation must list an error's code, and
 * the common headers must be present.
 */
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { inlineOpenApiComponentReferences } from '@/api/openapi-components';
import type { ApiResponse, TestApiServer } from '@/testing/api';

type Json = Record<string, unknown>;
interface DocumentedResponse {
  headers?: Record<string, unknown>;
  content?: { 'application/json'?: { examples?: Record<string, unknown> } };
}
type Operation = { operationId: string; responses: Record<string, DocumentedResponse> };

const ALWAYS = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
/**
 * Error codes of responses to requests that match no operation, or that the server refuses before
 * it matches them.
 */
const UNROUTED = new Set(['route_not_found', 'method_not_allowed', 'request_too_large', 'rate_limit_exceeded']);

const escapePointer = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * Makes the document's schemas refuse undeclared fields. Clients must accept additional fields, but
 * the server may not send any.
 */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (node === null || typeof node !== 'object') return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]));
  return copy.type === 'object' && copy.properties ? { additionalProperties: false, ...copy } : copy;
}

export class ResponseValidator {
  private readonly ajv: Ajv2020;
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly paths: { pattern: string; expression: RegExp }[];
  /** The checked responses, such as `properties_create 201`. */
  readonly seen = new Set<string>();
  private readonly request_ids = new Set<string>();

  private readonly document: Json;

  constructor(published: Json) {
    this.document = inlineOpenApiComponentReferences(published);
    const { document } = this;
    this.ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
    addFormats.default(this.ajv);
    this.ajv.addSchema(closed(document) as Json, 'openapi', undefined, false);
    this.paths = Object.keys(document.paths as Json)
      // Fixed segments precede parameters, as in the router.
      .sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
      .map((pattern) => ({ pattern, expression: new RegExp(`^${pattern.replace(/\{[^}]+\}/g, '[^/]+')}$`) }));
  }

  /** Throws an Error that lists the differences between the response and the OpenAPI document. */
  check(method: string, path: string, response: ApiResponse<unknown>): void {
    const problems = this.problemsOf(method, path, response);
    if (problems.length > 0) {
      const head = `${method} ${path} -> ${response.status} ${response.text.slice(0, 600)}`;
      throw new Error(`The answer differs from the OpenAPI document.\n${head}\n- ${problems.join('\n- ')}`);
    }
  }

  private problemsOf(method: string, path: string, response: ApiResponse<unknown>): string[] {
    const problems = this.headerProblems(method, response);
    const found = this.find(method, path);
    if (response.status >= 400 && method !== 'HEAD') problems.push(...this.errorProblems(response, found?.operation));
    if (!found) {
      if (response.status < 400) problems.push('no operation of the document has this method and path');
      return problems;
    }
    const status = String(response.status);
    const documented = found.operation.responses[status];
    if (!documented) {
      if (response.status !== 405)
        problems.push(`status ${status} is not documented for ${found.operation.operationId}`);
      return problems;
    }
    for (const name of Object.keys(documented.headers ?? {})) {
      if (ALWAYS.includes(name.toLowerCase()) && !response.headers.get(name))
        problems.push(`header ${name} is missing`);
    }
    if (documented.content?.['application/json']) {
      problems.push(...this.bodyProblems(method, found, status, response));
    } else if (response.text !== '') {
      problems.push('a body where the document has none');
    }
    if (problems.length === 0) this.seen.add(`${found.operation.operationId} ${status}`);
    return problems;
  }

  private headerProblems(method: string, { status, headers, text }: ApiResponse<unknown>): string[] {
    const problems = ALWAYS.filter((name) => !headers.get(name)).map((name) => `header ${name} is missing`);
    for (const name of ALWAYS.slice(1)) {
      if (!/^\d+$/.test(headers.get(name) ?? '')) problems.push(`header ${name} is not a whole number`);
    }
    const request_id = headers.get('x-request-id') ?? '';
    if (!/^req_[A-Za-z0-9_-]{8,}$/.test(request_id)) problems.push('X-Request-Id does not match its pattern');
    if (this.request_ids.has(request_id)) {
      problems.push('X-Request-Id was used before');
    }
    this.request_ids.add(request_id);
    if (status === 429 && !/^[1-9]\d*$/.test(headers.get('retry-after') ?? ''))
      problems.push('429 without Retry-After');
    if (text !== '' && !headers.get('content-type')?.startsWith('application/json')) {
      problems.push(`content type ${headers.get('content-type')}`);
    }
    if (method === 'HEAD' && text !== '') problems.push('a body after HEAD');
    return problems;
  }

  private errorProblems(response: ApiResponse<unknown>, operation: Operation | undefined): string[] {
    const validate = this.compile('openapi#/components/schemas/Error');
    if (!validate(response.body)) return [this.ajv.errorsText(validate.errors)];
    const { error } = response.body as { error: { code: string; doc_url: string; request_id: string } };
    const problems: string[] = [];
    // A replayed body is identical to the stored one, so it contains the id of the original
    // request.
    const answered_as = response.headers.get('x-original-request-id') ?? response.headers.get('x-request-id');
    if (error.request_id !== answered_as) problems.push('request_id differs from X-Request-Id');
    if (!error.doc_url.endsWith(`/docs/errors#${error.code}`)) problems.push('doc_url does not lead to the code');
    const listed = operation?.responses[String(response.status)]?.content?.['application/json']?.examples ?? {};
    if (!(error.code in listed) && !UNROUTED.has(error.code)) {
      problems.push(`${error.code} is not among the documented codes of ${operation?.operationId ?? 'no operation'}`);
    }
    return problems;
  }

  private bodyProblems(
    method: string,
    found: { pattern: string; operation: Operation },
    status: string,
    response: ApiResponse<unknown>,
  ): string[] {
    if (method === 'HEAD') return [];
    const pointer = [
      'paths',
      found.pattern,
      method.toLowerCase(),
      'responses',
      status,
      'content',
      'application/json',
      'schema',
    ];
    const validate = this.compile(`openapi#/${pointer.map(escapePointer).map(encodeURIComponent).join('/')}`);
    return validate(response.body) ? [] : [this.ajv.errorsText(validate.errors, { separator: '; ' })];
  }

  private find(method: string, path: string): { pattern: string; operation: Operation } | null {
    const plain = path.split('?', 1)[0] ?? '';
    const match = this.paths.find(({ expression }) => expression.test(plain));
    const methods = match && ((this.document.paths as Json)[match.pattern] as Record<string, Operation>);
    const operation = methods?.[(method === 'HEAD' ? 'GET' : method).toLowerCase()];
    return match && operation ? { pattern: match.pattern, operation } : null;
  }

  private compile(reference: string): ValidateFunction {
    let validate = this.compiled.get(reference);
    if (!validate) {
      validate = this.ajv.compile({ $ref: reference });
      this.compiled.set(reference, validate);
    }
    return validate;
  }
}

/** Returns the same API, with each response validated. */
export function withResponseValidation(api: TestApiServer, validator: ResponseValidator): TestApiServer {
  return {
    ...api,
    async request(method, path, options) {
      const response = await api.request<never>(method, path, options);
      validator.check(method, path, response);
      return response;
    },
  };
}
