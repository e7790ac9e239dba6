/** Bulk actions and their limits, for browsers too: without zod. */

export const BULK_ACTIONS = ['send', 'resend', 'cancel'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];
/** Reservations of one preview. No page shows more. */
export const BULK_MOST = 100;
/** Reservations of one call. The dashboard calls again for the rest, and shows the progress. */
export const BULK_BATCH = 20;
