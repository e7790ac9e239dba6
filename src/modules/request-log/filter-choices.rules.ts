/** What the log is filtered by, for its page as for the server: a page that took them from the schemas would load all of zod. */
export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;
export const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;
