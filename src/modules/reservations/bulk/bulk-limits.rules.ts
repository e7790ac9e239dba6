/** What can be done with several reservations at once, and with how many. Browsers read this too. */

export const BULK_ACTIONS = ['send', 'resend', 'cancel'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];
/** So many in one preview: a page never shows more. */
export const BULK_MOST = 100;
/** So many are done in one call, each in a transaction of its own; the dashboard goes on with the next, and shows how far it is. */
export const BULK_BATCH = 20;
