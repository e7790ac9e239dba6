/** The error of a failed call. A network error is converted to the format of the API's errors. */

export interface DisplayableError {
  /** The HTTP status, or 503 when there was no response. */
  status: number;
  code: string;
  message: string;
  /** The invalid field, as a dotted path. */
  param: string | null;
  /** The request's id: `req_…`. */
  request_id: string | null;
}

interface ErrorData {
  httpStatus?: number;
  error?: { code: string; message: string; param: string | null; request_id: string | null };
}

/**
 * The translated message for calls without a response. A module variable is enough, because only
 * browsers make calls and a page has one language.
 */
let unreachable = '';
export const setServerUnreachableMessage = (words: string): void => {
  unreachable = words;
};
export const getServerUnreachableMessage = (): string => unreachable;

export function toDisplayableError(error: unknown): DisplayableError {
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
