/** A failed call in one shape: the API's error object, or a network error. */

export interface ReadableError {
  /** The HTTP status, or 503 when there was no response. */
  status: number;
  code: string;
  message: string;
  /** The invalid field, as a dotted path. */
  param: string | null;
  /** `req_…`. */
  request_id: string | null;
}

interface ErrorData {
  httpStatus?: number;
  error?: { code: string; message: string; param: string | null; request_id: string | null };
}

/**
 * The message for calls without a response. A page has one language, and only browsers make calls,
 * so a module variable is enough.
 */
let unreachable = '';
export const setUnreachableMessage = (words: string): void => {
  unreachable = words;
};
export const getUnreachableMessage = (): string => unreachable;

export function readError(error: unknown): ReadableError {
  const data = (error as { data?: ErrorData | null } | null)?.data;
  if (data?.error) {
    const { code, message, param, request_id } = data.error;
    return { status: data.httpStatus ?? 500, code, message, param, request_id };
  }
  return {
    status: 503,
    code: 'network',
    message: unreachable,
    param: null,
    request_id: null,
  };
}
