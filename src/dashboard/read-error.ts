/** What a failed call says, in one shape: the API's own error object when the server sent one, else the network's. */

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

export function readError(error: unknown): ReadableError {
  const data = (error as { data?: ErrorData | null } | null)?.data;
  if (data?.error) {
    const { code, message, param, request_id } = data.error;
    return { status: data.httpStatus ?? 500, code, message, param, request_id };
  }
  return {
    status: 503,
    code: 'network',
    message: 'The server could not be reached. Check the connection and try again.',
    param: null,
    request_id: null,
  };
}
