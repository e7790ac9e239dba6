/** Bulk actions and their limits. Without zod, because browsers load this module. */

export const BULK_ACTIONS = ['send', 'resend', 'cancel'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];
/** The maximum number of reservations in a preview. No page shows more. */
export const MAX_BULK_PREVIEW = 100;
/**
 * The maximum number of reservations in a call. The dashboard calls again for the rest and shows
 * the progress.
 */
export const BULK_BATCH_SIZE = 20;
