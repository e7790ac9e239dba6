/**
 * What a failed call says, in one shape: the API's own error object when the server sent one, else
 * the network's.
 */

export interface ReadableError {
  /** HTTP status; 503 when nothing answered. */
  status: number;
  code: string;
  message: string;
  /** The field it is about, as a dotted path. */
  param: string | null;
  /** `req_…`. */
  request_id: string | null;
}

interface ErrorData {
  httpStatus?: number;
  error?: { code: string; message: string; param: string | null; request_id: string | null };
}

/**
 * What is said when nothing answered, in the language of the page: a page is of one, and only a
 * browser calls.
 */
let unreachable = '';
export const sayWhenUnreachable = (words: string): void => {
  unreachable = words;
};
export const whenUnreachable = (): string => unreachable;

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
