/**
 * What may go wrong, as classes: one for each type of the API's errors, and those without an
 * answer.
 */
import type { ErrorCode, ErrorType } from './types.js';

/**
 * What an answer said of its error; all of it may be missing where something between us and the API
 * answered.
 */
export interface ErrorFacts {
  readonly type: ErrorType | 'connection_error';
  readonly code: ErrorCode | 'unexpected_response' | 'connection_failed' | 'timeout' | (string & {});
  readonly message: string;
  readonly param?: string | null;
  readonly request_id?: string | null;
  readonly doc_url?: string | null;
  readonly status?: number;
  readonly headers?: Headers;
  readonly cause?: unknown;
}

/** Every error that a call of the client throws, but for the reason of a signal that aborted it. */
export class ThresholdError extends Error {
  override name = 'ThresholdError';
  /** `not_found_error`. Each has a class. */
  readonly type: ErrorFacts['type'];
  /** `resource_missing`. What to branch on. */
  readonly code: ErrorFacts['code'];
  /** The field that is wrong: `fees[0].amount_cents`. */
  readonly param: string | null;
  /** `req_…`; quote it when you write to us. Null when nobody answered. */
  readonly requestId: string | null;
  /** Where the code is explained. */
  readonly docUrl: string | null;
  /** The answer's status. Null when nobody answered. */
  readonly status: number | null;
  readonly headers: Headers | null;

  constructor(facts: ErrorFacts) {
    super(facts.message, { cause: facts.cause });
    this.type = facts.type;
    this.code = facts.code;
    this.param = facts.param ?? null;
    this.docUrl = facts.doc_url ?? null;
    this.status = facts.status ?? null;
    this.headers = facts.headers ?? null;
    this.requestId = facts.request_id ?? this.headers?.get('x-request-id') ?? null;
  }
}

/** 400, and others where the request itself is wrong. */
export class InvalidRequestError extends ThresholdError {
  override name = 'InvalidRequestError';
}
/** 401: the key is missing, malformed, revoked, expired or of another environment. */
export class AuthenticationError extends ThresholdError {
  override name = 'AuthenticationError';
}
/** 402: not on Pro, or the plan's limit. */
export class PlanLimitError extends ThresholdError {
  override name = 'PlanLimitError';
}
/** 403: the key has not the scope, or the caller not the address. */
export class PermissionError extends ThresholdError {
  override name = 'PermissionError';
}
/** 404: there is no such thing in this team and mode. */
export class NotFoundError extends ThresholdError {
  override name = 'NotFoundError';
}
/** 409: its state does not allow it, it exists, or it was changed meanwhile. */
export class ConflictError extends ThresholdError {
  override name = 'ConflictError';
}
/** 422: the idempotency key was used for another request. */
export class IdempotencyError extends ThresholdError {
  override name = 'IdempotencyError';
}
/** 429, after every retry. */
export class RateLimitError extends ThresholdError {
  override name = 'RateLimitError';
  /** Seconds until the next request passes. */
  get retryAfter(): number {
    return Math.ceil((retryAfterMs(this.headers) ?? 0) / 1000);
  }
}
/** 5xx, or an answer that is none of the API. */
export class ApiError extends ThresholdError {
  override name = 'ApiError';
}
/**
 * No answer, or a part of one: DNS, TLS, a cut connection. A write may have happened; the same
 * idempotency key makes repeating it safe.
 */
export class ConnectionError extends ThresholdError {
  override name = 'ConnectionError';
}
/** No whole answer in time. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** What `Retry-After` says, in seconds or as a date. Null when it says nothing. */
export function retryAfterMs(headers: Headers | null): number | null {
  const said = headers?.get('retry-after');
  if (!said) return null;
  const seconds = Number(said);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(said) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(ms, 0);
}

const CLASSES: Record<string, typeof ThresholdError> = {
  invalid_request_error: InvalidRequestError,
  authentication_error: AuthenticationError,
  plan_limit_error: PlanLimitError,
  permission_error: PermissionError,
  not_found_error: NotFoundError,
  conflict_error: ConflictError,
  idempotency_error: IdempotencyError,
  rate_limit_error: RateLimitError,
};

/**
 * The error of an answer that is no success: the API's own, or one that something in between gave.
 */
export function errorOf(status: number, headers: Headers, text: string): ThresholdError {
  let said: Partial<ErrorFacts> | undefined;
  try {
    said = JSON.parse(text).error;
  } catch {}
  if (typeof said?.code !== 'string' || typeof said.type !== 'string') return unexpected(status, headers, text);
  const message = String(said.message);
  return new (CLASSES[said.type] ?? ApiError)({ ...(said as ErrorFacts), message, status, headers });
}

/** Of an answer that the API does not give. */
export function unexpected(status: number, headers: Headers, text: string): ApiError {
  const to = headers.get('location');
  const words = to ? `, to ${to}` : text ? `: ${text.slice(0, 200)}` : '';
  return new ApiError({
    type: 'api_error',
    code: 'unexpected_response',
    message: `Unexpected answer ${status}${words}`,
    status,
    headers,
  });
}
