/** How many days a link may last. Apart from the schemas, which would load zod with the page. */
export const PORTAL_DAYS = [1, 7, 30] as const;
