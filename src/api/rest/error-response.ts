/** Builds the specification's error object ("Errors") from an AppError. */
import { config } from '@/config';
import type { AppError } from '@/shared/errors';

/**
 * The URL of a code's entry on the documentation page, which is generated from the same catalogue.
 */
export function docUrl(code: string): string {
  return `${config().app_url}/docs/errors#${code}`;
}

/** The body of every non-2xx response. */
export function errorBody(error: AppError, request_id: string) {
  return {
    error: {
      type: error.definition.type,
      code: error.code,
      message: error.message,
      param: error.param,
      doc_url: docUrl(error.code),
      request_id,
    },
  };
}
