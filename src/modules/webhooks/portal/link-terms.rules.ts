/** For how many days a link to an endpoint’s deliveries may be made. Apart from the schemas, which bring all of zod into a page. Pure. */
export const PORTAL_DAYS = [1, 7, 30] as const;
