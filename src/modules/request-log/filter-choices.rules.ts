/**
 * The values of the request log's filters. Separate from the schemas, so that the page does not
 * load zod.
 */
export const HTTP_STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;
export const HTTP_METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;
