/**
 * The client's errors: one class for each error type of the API, and classes for calls without a
 * response.
 */
import type { ErrorCode, ErrorType } from './types.js';

/**
 * The error fields of a response. All of them may be missing when a proxy responded instead of the
 * API.
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

/**
 * The base class of every error that the client throws. When a call is aborted, it rejects with the
 * signal's reason instead.
 */
export class ThresholdError extends Error {
  override name = 'ThresholdError';
  /** The type of the error, such as `not_found_error`. Each type has a class. */
  readonly type: ErrorFacts['type'];
  /** The code of the error, such as `resource_missing`. Use it to distinguish errors. */
  readonly code: ErrorFacts['code'];
  /** The invalid field, such as `fees[0].amount_cents`. */
  readonly param: string | null;
  /**
   * The id of the request, such as `req_…`. Include it when you contact support. Null without a
   * response.
   */
  readonly requestId: string | null;
  /** The URL of the error code's documentation. */
  readonly docUrl: string | null;
  /** The HTTP status. Null without a response. */
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

/** 400, or another status for an invalid request. */
export class InvalidRequestError extends ThresholdError {
  override name = 'InvalidRequestError';
}
/** 401: the key is missing, malformed, revoked, expired or of another environment. */
export class AuthenticationError extends ThresholdError {
  override name = 'AuthenticationError';
}
/** 402: the operation requires Pro, or the plan's limit is reached. */
export class PlanLimitError extends ThresholdError {
  override name = 'PlanLimitError';
}
/** 403: the key lacks the scope, or does not allow the caller's address. */
export class PermissionError extends ThresholdError {
  override name = 'PermissionError';
}
/** 404: no such resource in this team and mode. */
export class NotFoundError extends ThresholdError {
  override name = 'NotFoundError';
}
/**
 * 409: the resource's state does not allow the operation, the resource already exists, or it was
 * changed in the meantime.
 */
export class ConflictError extends ThresholdError {
  override name = 'ConflictError';
}
/** 422: the idempotency key was used for another request. */
export class IdempotencyError extends ThresholdError {
  override name = 'IdempotencyError';
}
/** 429, after all retries. */
export class RateLimitError extends ThresholdError {
  override name = 'RateLimitError';
  /** Seconds until a request is accepted again. */
  get retryAfter(): number {
    return Math.ceil((retryAfterMs(this.headers) ?? 0) / 1000);
  }
}
/** 5xx, or a response that was not sent by the API. */
export class ApiError extends ThresholdError {
  override name = 'ApiError';
}
/**
 * No complete response arrived, because of DNS, TLS or an interrupted connection. A write may have
 * been performed. It is safe to repeat it with the same idempotency key.
 */
export class ConnectionError extends ThresholdError {
  override name = 'ConnectionError';
}
/** No complete response arrived within the timeout. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** Parses `Retry-After`, in seconds or as a date. Returns null when it is missing or invalid. */
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

/** Returns the error for an unsuccessful response. The API or a proxy may have sent it. */
export function errorOf(status: number, headers: Headers, text: string): ThresholdError {
  let said: Partial<ErrorFacts> | undefined;
  try {
    said = JSON.parse(text).error;
  } catch {}
  if (typeof said?.code !== 'string' || typeof said.type !== 'string') return unexpected(status, headers, text);
  const message = String(said.message);
  return new (CLASSES[said.type] ?? ApiError)({ ...(said as ErrorFacts), message, status, headers });
}

/** Returns the error for a response that cannot come from the API. */
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
