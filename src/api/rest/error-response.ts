/** Builds the specification's error object ("Errors") from an AppError. */
import { config } from '@/config';
import type { AppError } from '@/shared/errors';

/**
 * Returns the URL of an error code's entry in the documentation, which is generated from the same
 * catalogue.
 */
export function getErrorDocUrl(code: string): string {
  return `${config().app_url}/docs/errors#${code}`;
}

/** Returns the body of a response with an error status. */
export function buildErrorBody(error: AppError, request_id: string) {
  return {
    error: {
      type: error.definition.type,
      code: error.code,
      message: error.message,
      param: error.param,
      doc_url: getErrorDocUrl(error.code),
      request_id,
    },
  };
}
