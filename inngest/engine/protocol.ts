/**
 * Implements the SDK's executor protocol: encodes and signs calls, and interprets their responses.
 * Stateless.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { toCanonicalJson } from '@/shared/canonical-json';
import { parseRetryAfter } from './timing';
import type { EngineEvent, SerializedError } from './types';

/** An operation that a 206 response reports. */
export interface StepOperation {
  op: string;
  id: string;
  name?: string;
  displayName?: string;
  opts?: Record<string, unknown>;
  data?: unknown;
  error?: unknown;
}

/** The meaning of a response. `final` errors are not retried. */
export type SdkResponse =
  | { kind: 'completed'; output: string }
  | { kind: 'ops'; ops: StepOperation[]; retry_at: Date | null }
  | { kind: 'error'; error: SerializedError; final: boolean; retry_at: Date | null };

/** A completed step as reported to the SDK. `memo` is the JSON of `{data}`, `{error}` or null. */
export interface MemoizedStep {
  id: string;
  memo: string;
}

export interface InngestFunctionCall {
  function_id: string;
  run_id: string;
  event: EngineEvent;
  /** The completed steps, in order of completion. */
  steps: readonly MemoizedStep[];
  attempt: number;
  max_attempts: number;
}

interface Endpoint {
  serve_url: string;
  signing_key: string;
}

/** Builds the request that makes the SDK continue a run. */
export function buildInngestFunctionCallRequest(endpoint: Endpoint, call: InngestFunctionCall): Request {
  const url = new URL(endpoint.serve_url);
  url.searchParams.set('fnId', call.function_id);
  url.searchParams.set('stepId', 'step');
  const stack = call.steps.map((step) => step.id);
  return signedRequest(url.href, 'POST', endpoint.signing_key, {
    event: call.event,
    events: [call.event],
    steps: Object.fromEntries(call.steps.map((step) => [step.id, JSON.parse(step.memo)])),
    version: -1,
    use_api: false,
    // Omits fn_id. Without it the SDK cannot store checkpoints by itself, so all checkpoints go
    // through the engine.
    ctx: {
      run_id: call.run_id,
      attempt: call.attempt,
      max_attempts: call.max_attempts,
      disable_immediate_execution: false,
      use_api: false,
      stack: { stack, current: stack.length },
    },
  });
}

/**
 * Builds the request that makes the SDK return its functions' configuration (an "in-band sync").
 */
export function buildInngestFunctionConfigRequest(endpoint: Endpoint): Request {
  const request = signedRequest(endpoint.serve_url, 'PUT', endpoint.signing_key, { url: endpoint.serve_url });
  request.headers.set('x-inngest-sync-kind', 'in_band');
  return request;
}

/**
 * Interprets the response to a call. Never throws. An unintelligible response counts as an error
 * that is retried.
 */
export async function readSdkResponse(response: Response, now: Date): Promise<SdkResponse> {
  const text = await response.text();
  const retry_at = parseRetryAfter(response.headers.get('retry-after'), now);
  let body: unknown;
  try {
    body = text === '' ? null : JSON.parse(text);
  } catch {
    return {
      kind: 'error',
      error: toSerializedError(`The function answered ${response.status} without JSON`),
      final: false,
      retry_at,
    };
  }
  if (response.status === 200) return { kind: 'completed', output: text === '' ? 'null' : text };
  if (response.status === 206 && Array.isArray(body)) return { kind: 'ops', ops: body as StepOperation[], retry_at };
  const final = response.status === 400 || response.headers.get('x-inngest-no-retry') === 'true';
  return {
    kind: 'error',
    error: toSerializedError(body ?? `The function answered ${response.status}`),
    final,
    retry_at,
  };
}

/** Converts any thrown or reported value to the SDK's error format. */
export function toSerializedError(value: unknown, name = 'Error'): SerializedError {
  if (value instanceof Error) return { name: value.name, message: value.message, stack: value.stack };
  if (typeof value === 'string') return { name, message: value };
  const fields = (value ?? {}) as Record<string, unknown>;
  const message = fields.message ?? fields.error ?? 'Unknown error';
  return {
    ...fields,
    name: typeof fields.name === 'string' ? fields.name : name,
    message: typeof message === 'string' ? message : JSON.stringify(message),
  };
}

/** Compares two secrets in constant time. */
export function areSecretsEqual(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function signedRequest(url: string, method: string, signing_key: string, body: unknown): Request {
  // The SDK verifies the signature of the canonical form of the parsed body, so that form is sent.
  const text = toCanonicalJson(body);
  // Signs with the real time instead of the engine's clock, because the SDK refuses signatures that
  // are more than five minutes off.
  const timestamp = Math.round(Date.now() / 1000).toString();
  const key = signing_key.replace(/^signkey-\w+-/, '');
  const signature = createHmac('sha256', key).update(text).update(timestamp).digest('hex');
  return new Request(url, {
    method,
    body: text,
    headers: {
      // The SDK reads the Host header, which only requests over a network get automatically.
      host: new URL(url).host,
      'content-type': 'application/json',
      'x-inngest-signature': `t=${timestamp}&s=${signature}`,
    },
  });
}
