/**
 * The possible lifetimes of a link in days. Not part of the schemas, so that the page does not load
 * zod.
 */
export const WEBHOOK_PORTAL_LINK_LIFETIMES_DAYS = [1, 7, 30] as const;
