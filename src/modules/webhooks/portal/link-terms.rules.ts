/** How many days a link may last. Separate from the schemas, so that the page does not load zod. */
export const PORTAL_DAYS = [1, 7, 30] as const;
