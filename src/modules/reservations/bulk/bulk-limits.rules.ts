/** Bulk actions and their limits. Does not import zod, because browsers load this module. */

export const BULK_ACTIONS = ['send', 'resend', 'cancel'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];
/** The maximum number of reservations in a preview. */
export const MAX_BULK_PREVIEW_RESERVATIONS = 100;
/**
 * The maximum number of reservations in a call. For more, the dashboard makes several calls and
 * shows the progress.
 */
export const MAX_BULK_CALL_RESERVATIONS = 20;
